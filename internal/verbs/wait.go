package verbs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/session"
)

var waitVerb = define(command.Spec{
	Name: "wait", Group: "Interaction", Scope: command.Write, Tunnel: true, Effect: command.Reads, Output: command.Ack, Nestable: true,
	Timeout: 30 * time.Second,
	Summary: "Wait until the page is as asked",
	Doc: `Exactly one condition: a target that becomes visible (or --state hidden, attached, detached),
--text, --url, --fn, --response, --download, a load state, or a number of milliseconds. When the
deadline passes the command fails and says what it saw instead.

For --networkidle, web sockets, event streams, beacons and media do not count, and neither do
requests that have run for 4 seconds, such as long polls; the answer names those.`,
	Examples: []string{"wait '#result'", "wait @e4 --state hidden", "wait --text Saved", "wait --url '*/done'", "wait --load", "wait --fn 'window.ready'", "wait --networkidle", "wait --response '*/api/save'", "wait 500"},
}, waitRun)

type waitIn struct {
	Target   string `arg:"target" optional:"true" help:"ref, selector, or a number of milliseconds"`
	MS       string `arg:"ms" optional:"true" help:"deadline in milliseconds, as --timeout"`
	State    string `flag:"state" enum:"visible,hidden,attached,detached" default:"visible" help:"what the target must become"`
	Text     string `flag:"text" help:"until the page shows this text"`
	URL      string `flag:"url" value:"GLOB" help:"until the address matches; * stands for anything"`
	Fn       string `flag:"fn" value:"JS" help:"until this expression is truthy"`
	Load     bool   `flag:"load" help:"until the load event"`
	DOM      bool   `flag:"domcontentloaded" help:"until the document has been parsed"`
	Download bool   `flag:"download" help:"until a download of the tab has ended; a word before it is the file or folder to save to"`
	Response string `flag:"response" value:"GLOB" help:"until a request to such an address is answered, one that runs already included"`
	NetIdle  bool   `flag:"networkidle" help:"until no request that the page waits for has run for 500 ms"`
}

// Deadline makes the deadline fit what is waited for: the number of
// milliseconds in either place, between one second and five minutes.
func (in waitIn) Deadline() time.Duration {
	if in.Download {
		return downloadTimeout
	}
	if d, ok := command.ParseDuration(in.MS); ok {
		return min(max(d, time.Second), maxWait)
	}
	if d, is, err := waitedTime(in.Target); is && err == nil {
		return max(d+time.Second/2, time.Second)
	}
	return 0
}

func waitRun(ctx context.Context, env *Env, in waitIn) (Result, error) {
	if err := in.check(); err != nil {
		return Result{}, err
	}
	scope, err := env.Scope()
	if err != nil {
		return Result{}, err
	}
	late := ctx // in which the page may still say what there is instead
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	t := env.Tab
	switch {
	case in.Download:
		return waitDownload(ctx, env, in.Target)
	case in.Load:
		return ack("Page loaded", t.LoadState(ctx, "load"))
	case in.DOM:
		return ack("DOM content loaded", t.LoadState(ctx, "DOMContentLoaded"))
	case in.NetIdle:
		return waitIdle(ctx, t)
	case in.Response != "":
		r, err := t.AwaitResponse(ctx, t.LastRequest(ctx), func(u string) bool { return globMatch(in.Response, u) })
		return ack(fmt.Sprintf("Response %d from %s", r.Status, r.Brief()), err)
	case in.URL != "":
		return ack("Address matches: "+in.URL, t.AwaitURL(ctx, func(u string) bool { return globMatch(in.URL, u) }))
	case in.Fn != "":
		top, err := env.Top()
		if err != nil {
			return Result{}, err
		}
		v, err := top.AwaitTrue(ctx, in.Fn)
		return ack("Function returned "+quote(v.Text), err)
	case in.Text != "":
		return ack("Text "+quote(in.Text)+" appeared", t.AwaitState(late, env.Limit, scope, "text="+in.Text, page.Visible))
	}
	if d, is, _ := waitedTime(in.Target); is {
		return waitTime(ctx, d)
	}
	err = t.AwaitState(late, env.Limit, scope, in.Target, page.State(in.State))
	did := map[string]string{"visible": "appeared", "hidden": "is hidden", "attached": "is attached", "detached": "is gone"}[in.State]
	return ack("Element "+quote(in.Target)+" "+did, err)
}

// waitIdle waits until the network is idle, and names what it left out.
func waitIdle(ctx context.Context, t *session.Tab) (Result, error) {
	held, err := t.AwaitIdle(ctx)
	text := "Network idle"
	if len(held) > 0 {
		text += fmt.Sprintf("\nnote: left out %d that the server holds, such as %s", len(held), held[0])
	}
	return ack(text, err)
}

func ack(text string, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	return Result{Text: text}, nil
}

// check wants exactly one condition.
func (in waitIn) check() error {
	n := 0
	if in.Download {
		in.Target = ""
	}
	for _, set := range []bool{in.Target != "", in.Text != "", in.URL != "", in.Fn != "", in.Load, in.DOM, in.NetIdle, in.Download, in.Response != ""} {
		if set {
			n++
		}
	}
	if n != 1 {
		return api.Errorf(api.BadUsage, "browse help wait", "wait: want exactly one condition, got %d", n)
	}
	if _, _, err := waitedTime(in.Target); err != nil {
		return err
	}
	if _, ok := command.ParseDuration(in.MS); in.MS != "" && !ok {
		return api.Errorf(api.BadUsage, "browse wait '#result' 5000", "wait: %q is not a number of milliseconds", in.MS)
	}
	return nil
}

// maxWait is the longest that the command can be told to wait.
const maxWait = 5 * time.Minute

// waitedTime reads a target that is a time: a number of milliseconds, or a
// duration such as 5s. No selector begins as these do. It is false for any other
// target; the error is about a time that cannot be waited for.
func waitedTime(target string) (d time.Duration, is bool, err error) {
	ms, nerr := strconv.ParseFloat(target, 64)
	if nerr == nil || errors.Is(nerr, strconv.ErrRange) {
		// Compared as a number: a large one would overflow a duration.
		if !(ms >= 0 && ms <= float64(maxWait.Milliseconds())) {
			return 0, true, badTime(target)
		}
		return time.Duration(ms * float64(time.Millisecond)), true, nil
	}
	d, derr := time.ParseDuration(target)
	if derr != nil {
		return 0, false, nil
	}
	if d < 0 || d > maxWait {
		return 0, true, badTime(target)
	}
	return d, true, nil
}

func badTime(s string) error {
	return api.Errorf(api.BadUsage, "browse wait 500", "wait: %q is not a time to wait, want 0 to %d milliseconds", s, maxWait.Milliseconds())
}

// waitTime waits for a fixed time; the deadline of the command bounds it.
func waitTime(ctx context.Context, d time.Duration) (Result, error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return Result{Text: "Waited " + d.String()}, nil
	case <-ctx.Done():
		return Result{}, api.Errorf(api.Timeout, "--timeout MS gives it longer", "timed out before %s had passed", d)
	}
}

// globMatch matches a whole address; * stands for any text, ? is literal because
// addresses use it. A pattern without * also matches as a part.
func globMatch(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return url == pattern || strings.Contains(url, pattern)
	}
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(url, parts[0]) {
		return false
	}
	url = url[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(url, p)
		}
		j := strings.Index(url, p)
		if j < 0 {
			return false
		}
		url = url[j+len(p):]
	}
	return true
}
