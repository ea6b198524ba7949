package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var frameVerb = define(command.Spec{
	Name: "frame", Group: "Tabs", Scope: command.Meta, Effect: command.Serves, Output: command.Ack, Nestable: true,
	Summary: "Narrow commands to a frame, or list the frames",
	Doc: `Refs and selectors reach into all frames by themselves; entering one narrows js, text, html,
links, snapshot, wait and selectors to it and what is in it, for this client and this tab.
Refs stay valid. "frame main" leaves; a navigation of the tab does too, and the next answer
says so. Without an argument it lists the frames and marks the one that was entered.
The target is looked for in the entered frame first, then in the whole page.`,
	Examples: []string{"frame", "frame '#pay'", "frame @e7", "frame --name checkout", "frame --url /pay/", "frame main"},
}, frameRun)

type frameIn struct {
	Target string `arg:"target" optional:"true" help:"ref or selector of the frame's element, or main"`
	Name   string `flag:"name" help:"the frame with this name"`
	URL    string `flag:"url" value:"TEXT" help:"the frame whose address holds this text"`
}

func frameRun(ctx context.Context, env *Env, in frameIn) (Result, error) {
	given := 0
	for _, s := range []string{in.Target, in.Name, in.URL} {
		if s != "" {
			given++
		}
	}
	if given > 1 {
		return Result{}, api.Errorf(api.BadUsage, "browse help frame", "frame: want one of a target, --name and --url")
	}
	var f *page.Frame
	var err error
	switch {
	case in.Name != "":
		f, err = frameNamed(ctx, env, "name="+in.Name)
	case in.URL != "":
		f, err = frameNamed(ctx, env, "url="+in.URL)
	case in.Target != "":
		f, err = frameNamed(ctx, env, in.Target)
	default:
		return listFrames(env)
	}
	if err != nil {
		return Result{}, err
	}
	env.Tab.SettleFrame(ctx, f, min(parsedLimit, time.Until(env.Limit)/2))
	env.Tabs.Enter(env.Session, env.Tab, f)
	if f == env.Tab.Main() {
		return Result{Text: "Switched to main frame", Data: frameData(env, f)}, nil
	}
	return Result{Text: "Switched to frame: " + source(frameURL(f)), Data: frameData(env, f)}, nil
}

// frameNamed returns the frame that one word names: main, name=NAME, url=TEXT, or
// the ref or selector of its element.
func frameNamed(ctx context.Context, env *Env, word string) (*page.Frame, error) {
	if word == "main" {
		return env.Tab.Main(), nil
	}
	if name, ok := strings.CutPrefix(word, "name="); ok {
		return frameWhere(ctx, env, "with the name "+quote(name), func(f *page.Frame) bool { return f.Name() == name })
	}
	if part, ok := strings.CutPrefix(word, "url="); ok {
		return frameWhere(ctx, env, "whose address holds "+quote(part), func(f *page.Frame) bool { return strings.Contains(f.URL(), part) })
	}
	el, err := frameElement(ctx, env, word)
	if err != nil {
		return nil, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	f, err := env.Tab.FrameOf(ctx, el)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, api.Errorf(api.BadUsage, "browse frame lists the frames", "%s is not a frame", el)
	}
	return f, nil
}

// frameElement finds the element of a frame: in the entered frame if it is there
// now, else in the whole page.
func frameElement(ctx context.Context, env *Env, target string) (*page.Element, error) {
	if page.IsRef(target) {
		return env.Tab.Ref(target)
	}
	scope, err := env.Scope()
	if err != nil {
		return nil, err
	}
	if scope != nil {
		el, err := action.Find(ctx, env.Tab.Tab, target, action.FindOptions{Frame: scope, NoWait: true})
		var e *api.Error
		if err == nil || !errors.As(err, &e) || e.Code != api.NotFound {
			return el, err
		}
	}
	return action.Find(ctx, env.Tab.Tab, target, action.FindOptions{Timeout: env.Timeout})
}

// frameWhere returns the one frame of the tab for which match holds, waiting for
// it as for an element.
func frameWhere(ctx context.Context, env *Env, what string, match func(*page.Frame) bool) (*page.Frame, error) {
	limit := env.Timeout
	if limit == 0 {
		limit = action.DefaultTimeout
	}
	found := env.Tab.AwaitFrames(ctx, limit, func(f *page.Frame) bool { return f.Parent() != nil && match(f) })
	if e := env.Tab.Gone(); e != nil {
		return nil, e
	}
	switch len(found) {
	case 0:
		return nil, api.Errorf(api.NotFound, "browse frame lists the frames", "there is no frame %s", what)
	case 1:
		return found[0], nil
	}
	e := api.Errorf(api.Ambiguous, "name one by its ref, see browse snapshot -i, or by its element", "%d frames are there %s", len(found), what)
	for i, f := range found {
		if i == maxListed {
			e.Tried = append(e.Tried, fmt.Sprintf("and %d more", len(found)-i))
			break
		}
		e.Tried = append(e.Tried, describeFrame(f))
	}
	return nil, e
}

// maxListed bounds the frames that an error names.
const maxListed = 5

// frameURL is the address of a frame; a frame without one shows a blank page.
func frameURL(f *page.Frame) string {
	if url := f.URL(); url != "" {
		return shortened(url, maxURL)
	}
	return "about:blank"
}

// maxURL bounds an address in a list and in an acknowledgement, in characters: a
// data: URL is the whole document.
const maxURL = 200

// shortened cuts s to n characters.
func shortened(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func describeFrame(f *page.Frame) string {
	s := source(frameURL(f))
	if name := f.Name(); name != "" && f.Parent() != nil {
		s += " name=" + quote(name)
	}
	return s
}

// frameInfo is the machine form of a frame.
type frameInfo struct {
	URL     string `json:"url"`
	Name    string `json:"name,omitempty"`
	Main    bool   `json:"main,omitempty"`
	Depth   int    `json:"depth"`
	Current bool   `json:"current,omitempty"`
}

func frameData(env *Env, f *page.Frame) frameInfo {
	i := frameInfo{URL: frameURL(f), Name: f.Name(), Main: f == env.Tab.Main()}
	for p := f.Parent(); p != nil; p = p.Parent() {
		i.Depth++
	}
	return i
}

// listFrames lists the frames of the tab as a tree.
func listFrames(env *Env) (Result, error) {
	scope, err := env.Scope()
	if err != nil {
		return Result{}, err
	}
	if scope == nil {
		scope = env.Tab.Main()
	}
	var lines []string
	infos := []frameInfo{}
	for _, f := range env.Tab.Frames() {
		i := frameData(env, f)
		i.Current = f == scope
		infos = append(infos, i)
		arrow := "  "
		if i.Current {
			arrow = "→ "
		}
		line := arrow + strings.Repeat("  ", i.Depth) + describeFrame(f)
		if i.Main {
			line += " (main)"
		}
		lines = append(lines, line)
	}
	return Result{Text: strings.Join(lines, "\n"), Data: infos}, nil
}
