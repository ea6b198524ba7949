package verbs

import (
	"context"
	"time"

	"gstack/internal/command"
)

var jsVerb = define(command.Spec{
	Name: "js", Group: "Inspection", Scope: command.Admin, Output: command.Value, Nestable: true, Stdin: command.StdinDash,
	Timeout: 30 * time.Second,
	Summary: "Evaluate JavaScript in the page",
	Doc: `Runs in the page's own world, like its console: top-level await and return work, and redeclaring
is fine. Prints strings as they are, objects as JSON, undefined as "undefined"; what has no JSON
form is described. "-" reads the script from standard input. A script that throws fails the
command with its stack; one that runs past the deadline is stopped. A result over 64 MB is an
error. --out writes the result to a file: what a data: URL with base64 stands for as bytes, unless
--raw is given, everything else as text.`,
	Examples: []string{"js document.title", "js 'await fetch(\"/api\").then(r => r.status)'", "js - < script.js", "js 'canvas.toDataURL()' --out canvas.png"},
}, jsRun)

type jsIn struct {
	Script string   `arg:"script" help:"JavaScript in one word, so quote it; - reads it from standard input"`
	Frame  string   `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
	Out    []string `flag:"out" value:"FILE" help:"write the result to this file; its folder is made"`
}

func jsRun(ctx context.Context, env *Env, in jsIn) (Result, error) {
	script := in.Script
	if script == "-" {
		var err error
		if script, err = stdin(env, "js"); err != nil {
			return Result{}, err
		}
	}
	return runScript(ctx, env, script, scriptOptions{verb: "js", label: "JS", frame: in.Frame, out: in.Out})
}
