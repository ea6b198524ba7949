package verbs

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/shield"
)

var tabEachVerb = define(command.Spec{
	Name: "tab-each", Group: "Multi-step", Scope: command.RootOnly, Output: command.Ours, Needs: command.Nothing,
	Timeout: 2 * time.Minute,
	Summary: "Run one command in every tab at once",
	Doc: `Prints {"command", "args", "total", "results": [{"tabId", "url", "title", "status",
"output"}]}; status is that of HTTP, 200 for success, and output what the command prints,
page content in its envelope, or its error. It fails when the command failed in some tab.
Tabs with pages of the browser itself are skipped, with status 0. The session's current tab
stays what it is.`,
	Examples: []string{"tab-each text", "tab-each snapshot -i", "tab-each js document.title"},
}, tabEachRun)

type tabEachIn struct {
	Words []string `arg:"command" rest:"true" help:"the command, with its arguments"`
}

// atOnce bounds how many tabs work at the same time: each has a process.
const atOnce = 16

type tabResult struct {
	TabID  int    `json:"tabId"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Output string `json:"output"`
	usage  bool   // the command itself is wrong, in whatever tab
}

func tabEachRun(ctx context.Context, env *Env, in tabEachIn) (Result, error) {
	infos, err := env.Tabs.Tabs(ctx, env.Session)
	if err != nil {
		return Result{}, err
	}
	results := make([]tabResult, len(infos))
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i, t := range infos {
		results[i] = tabResult{TabID: t.ID, URL: source(t.URL), Title: shield.Break(api.Clean(t.Title))}
		if ownPage(t.URL) {
			results[i].Output = "skipped, a page of the browser itself"
			continue
		}
		wg.Go(func() {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				results[i].Status, results[i].Output = 504, "timed out before its turn"
				return
			}
			defer func() { <-slots }()
			words := append([]string{in.Words[0], "--tab-id", strconv.Itoa(t.ID)}, in.Words[1:]...)
			results[i].run(env.Step(ctx, words))
		})
	}
	wg.Wait()
	if why := misused(results); why != "" {
		return Result{}, api.Errorf(api.BadUsage, "browse tab-each text", "tab-each: %s", why)
	}
	failed := 0
	for _, r := range results {
		if r.Status != 200 && r.Status != 0 {
			failed++
		}
	}
	out := struct {
		Command string      `json:"command"`
		Args    []string    `json:"args"`
		Total   int         `json:"total"`
		Results []tabResult `json:"results"`
	}{in.Words[0], in.Words[1:], len(results), results}
	r, err := jsonResult(out, nil)
	r.JSON = out
	if failed > 0 {
		r.Code = api.Failed
	}
	return r, err
}

// misused returns what is wrong with the command itself, when it was refused for
// that in every tab where it ran.
func misused(results []tabResult) (why string) {
	for _, r := range results {
		switch {
		case r.Status == 0: // skipped
		case !r.usage:
			return ""
		default:
			why = r.Output
		}
	}
	return why
}

// ownPage reports whether an address is a page of the browser itself.
func ownPage(url string) bool {
	return strings.HasPrefix(url, "chrome://") || strings.HasPrefix(url, "chrome-extension://") || strings.HasPrefix(url, "devtools://")
}

// run takes over the outcome of the command.
func (r *tabResult) run(text string, err error) {
	var e *api.Error
	switch {
	case err == nil:
		r.Status, r.Output = 200, text
	case errors.As(err, &e):
		r.Status, r.Output = e.HTTP(), strings.TrimSpace(e.Output+"\n"+strings.TrimSuffix(e.Text(), "\n"))
		if e.Code == api.BadUsage || e.Code == api.UnknownVerb {
			r.usage, r.Output = true, e.Message
		}
	default:
		r.Status, r.Output = 500, api.Clean(err.Error())
	}
}
