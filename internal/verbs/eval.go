package verbs

import (
	"context"
	"fmt"
	"os"
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
	path, err := env.Paths.Read(name)
	if err != nil {
		return "", err
	}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return "", api.Errorf(api.FileError, "check the path", "%s cannot be read: %v", path, err)
	case !fi.Mode().IsRegular():
		return "", api.Errorf(api.FileError, "name a JavaScript file", "eval: %s is not a regular file", path)
	case fi.Size() > maxScript:
		return "", api.Errorf(api.TooLarge, "load it into the page with a <script> element", "eval: %s has %d bytes, more than %d", path, fi.Size(), maxScript)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", api.Errorf(api.FileError, "check the path", "%s cannot be read: %v", path, err)
	}
	script := strings.TrimPrefix(string(data), "\ufeff")
	if strings.TrimSpace(script) == "" {
		return "", api.Errorf(api.BadUsage, "name a JavaScript file", "eval: %s is empty", path)
	}
	label := strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == '\'' || r == '"' {
			return '_'
		}
		return r
	}, filepath.Base(path))
	return script + fmt.Sprintf("\n//# sourceURL=%s", label), nil
}
