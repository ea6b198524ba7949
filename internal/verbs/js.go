package verbs

import (
	"context"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
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
	v, err := env.Tab.Main().Eval(ctx, script)
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
