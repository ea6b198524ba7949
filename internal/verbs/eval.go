package verbs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
)

var evalVerb = define(command.Spec{
	Name: "eval", Group: "Inspection", Scope: command.Admin, Tunnel: true, Output: command.Value, Nestable: true, Stdin: command.StdinDash,
	Timeout: 30 * time.Second,
	Summary: "Evaluate a JavaScript file in the page",
	Doc: `The file is in the current directory or the temp folder, and has at most 16 MB; "-" is standard
input. For the rest see browse help js.`,
	Examples: []string{"eval script.js", "eval - < script.js", "eval report.js --out report.json"},
}, evalRun)

type evalIn struct {
	File  string   `arg:"file" help:"JavaScript file; - reads standard input"`
	Frame string   `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
	Out   []string `flag:"out" value:"FILE" help:"write the result to this file; its folder is made"`
}

// maxScript bounds a script file, in bytes.
const maxScript = 16 << 20

func evalRun(ctx context.Context, env *Env, in evalIn) (Result, error) {
	var script string
	var err error
	if in.File == "-" {
		script, err = stdin(env, "eval")
	} else {
		script, err = scriptFile(env, in.File)
	}
	if err != nil {
		return Result{}, err
	}
	return runScript(ctx, env, script, scriptOptions{verb: "eval", label: "Eval", frame: in.Frame, out: in.Out})
}

// scriptFile reads a script. Stacks of errors call it by its name.
func scriptFile(env *Env, name string) (string, error) {
	data, err := inputFile(env, name, maxScript)
	if err != nil {
		return "", err
	}
	script := strings.TrimPrefix(string(data), "\ufeff")
	if strings.TrimSpace(script) == "" {
		return "", api.Errorf(api.BadUsage, "name a JavaScript file", "eval: %s is empty", name)
	}
	label := strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == '\'' || r == '"' {
			return '_'
		}
		return r
	}, filepath.Base(name))
	return script + fmt.Sprintf("\n//# sourceURL=%s", label), nil
}
