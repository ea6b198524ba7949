package verbs

import (
	"context"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var jsVerb = define(command.Spec{
	Name: "js", Group: "Inspection", Scope: command.Admin, Output: command.Value, Nestable: true, Stdin: command.StdinDash,
	Timeout: 30 * time.Second,
	Summary: "Evaluate JavaScript in the page",
	Doc: `Runs in the page's own world, like its console: top-level await works, and redeclaring is
fine. Prints strings as they are, objects as JSON, undefined as "undefined". "-" reads the
script from standard input. A script that throws fails the command with its stack; one
that runs past the deadline is stopped. A result over 64 MB is an error.`,
	Examples: []string{"js document.title", "js 'await fetch(\"/api\").then(r => r.status)'", "js - < script.js"},
}, jsRun)

type jsIn struct {
	Script string `arg:"script" help:"JavaScript in one word, so quote it; - reads it from standard input"`
	Frame  string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

// scriptFrame is the frame that a script runs in: the named one, else the one that
// the client has entered, else the top frame.
func scriptFrame(ctx context.Context, env *Env, word string) (*page.Frame, error) {
	if word != "" {
		return frameNamed(ctx, env, word)
	}
	return env.Top()
}

// maxResult bounds the text of a result, in bytes, so that a slip of a script does
// not fill the memory of daemon and client.
const maxResult = 64 << 20

func jsRun(ctx context.Context, env *Env, in jsIn) (Result, error) {
	script := in.Script
	if script == "-" {
		if env.Stdin == nil {
			return Result{}, api.Errorf(api.BadUsage, "browse js - < script.js", "js: nothing on standard input")
		}
		script = *env.Stdin
	}
	if strings.TrimSpace(script) == "" {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse js <script>", "js: the script is empty")
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	f, err := scriptFrame(ctx, env, in.Frame)
	if err != nil {
		return Result{}, err
	}
	v, err := f.Eval(ctx, script)
	if err != nil {
		return Result{}, err
	}
	if len(v.Text) > maxResult {
		return Result{}, api.Errorf(api.TooLarge, "let the script return less, or a part at a time", "js: the result has %d bytes, more than %d", len(v.Text), maxResult)
	}
	var data any
	if v.JSON != nil {
		data = v.JSON
	}
	return Result{Text: v.Text, Data: data, Simple: v.Simple}, nil
}
