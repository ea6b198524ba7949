package verbs

import (
	"context"
	"regexp"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var useragentVerb = define(command.Spec{
	Name: "useragent", Group: "Emulation", Scope: command.Admin, Output: command.Ours, Nestable: true, FreeText: true,
	Summary: "Set the user agent of the session's tabs",
	Doc: `The header, navigator.userAgent, navigator.platform and the client hints of all tabs of the
session, those to come included. Pages that are open see it at once and are not loaded again. An empty word puts
Chromium's own back.`,
	Examples: []string{"useragent 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'", "useragent ''"},
}, useragentRun)

type useragentIn struct {
	Agent string `arg:"agent" rest:"true" help:"the whole string"`
}

// maxAgent bounds a user agent, in bytes: servers refuse larger headers.
const maxAgent = 4096

func useragentRun(ctx context.Context, env *Env, in useragentIn) (Result, error) {
	ua := strings.TrimSpace(in.Agent)
	if strings.ContainsAny(ua, "\r\n\x00") || len(ua) > maxAgent {
		return Result{}, api.Errorf(api.BadUsage, "name it in one line", "useragent: the string has line breaks, or more than %d bytes", maxAgent)
	}
	err := configure(ctx, env, func(s *page.Settings) { s.Agent = agent(ua) })
	if err != nil {
		return Result{}, err
	}
	if ua == "" {
		return Result{Text: "User agent: Chromium's own"}, nil
	}
	return Result{Text: "User agent set: " + api.Clean(ua), Data: map[string]string{"userAgent": ua}}, nil
}

var (
	chromeVersion = regexp.MustCompile(`\b(?:Chrome|CriOS)/(\d+)([\d.]*)`)
	osVersion     = regexp.MustCompile(`(?:Android|Windows NT|Mac OS X|CPU (?:iPhone )?OS) ([\d._]+)`)
	androidModel  = regexp.MustCompile(`Android [\d.]+; ([^;)]+)`)
)

// agent derives from a user agent string what else tells of it, so that a page
// is not told two stories: the platform, and for a Chromium the client hints
// (User-Agent Client Hints, CDP Emulation.UserAgentMetadata).
func agent(ua string) page.Agent {
	a := page.Agent{UserAgent: ua}
	if ua == "" {
		return a
	}
	has := func(s string) bool { return strings.Contains(ua, s) }
	system := "Linux"
	switch {
	case has("iPhone"):
		a.Platform, system = "iPhone", "iOS"
	case has("iPad"):
		a.Platform, system = "iPad", "iOS"
	case has("Android"):
		a.Platform, system = "Linux armv81", "Android"
	case has("Windows"):
		a.Platform, system = "Win32", "Windows"
	case has("CrOS"):
		a.Platform, system = "Linux x86_64", "Chrome OS"
	case has("Mac OS X"):
		a.Platform, system = "MacIntel", "macOS"
	case has("Linux"):
		a.Platform = "Linux x86_64"
	}
	v := chromeVersion.FindStringSubmatch(ua)
	if v == nil || has("CriOS") {
		return a
	}
	name := "Google Chrome"
	if has("Edg/") {
		name = "Microsoft Edge"
	}
	brands := func(version string) []map[string]string {
		return []map[string]string{{"brand": name, "version": version}, {"brand": "Chromium", "version": version}, {"brand": "Not=A?Brand", "version": "24"}}
	}
	model, version := "", ""
	if m := androidModel.FindStringSubmatch(ua); m != nil {
		model = m[1]
	}
	if m := osVersion.FindStringSubmatch(ua); m != nil {
		version = strings.ReplaceAll(m[1], "_", ".")
	}
	a.Hints = map[string]any{
		"brands": brands(v[1]), "fullVersionList": brands(v[1] + v[2]), "platform": system, "platformVersion": version,
		"architecture": "", "model": model, "mobile": has("Mobile"), "bitness": "", "wow64": false,
	}
	return a
}
