package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
)

var chainVerb = define(command.Spec{
	Name: "chain", Group: "Multi-step", Scope: command.Meta, Output: command.Ours, Needs: command.Nothing, Stdin: command.StdinNoArgs,
	Timeout: 5 * time.Minute,
	Summary: "Run several commands in one call",
	Doc: `Steps come as a JSON array of arrays of words, as an argument or on standard input, or as
one argument with " | " between the steps and quotes around words that hold spaces or bars.
The chain stops at the first step that fails, prints what it has, and fails with that
step's error; --continue goes on and fails at the end. Each step has its own deadline.`,
	Examples: []string{
		`chain '[["goto","localhost:3000"],["click","text=Buy"],["text"]]'`,
		`chain 'goto localhost:3000 | fill "#name" "Ann Lee" | click text=Save'`,
		`chain < steps.json`,
	},
}, chainRun)

type chainIn struct {
	Steps    string `arg:"steps" optional:"true" help:"JSON array of steps, or steps with \" | \" between them"`
	Continue bool   `flag:"continue" help:"go on after a step that failed"`
}

const chainUsage = `usage: browse chain '[["goto","localhost:3000"],["text"]]'`

func chainRun(ctx context.Context, env *Env, in chainIn) (Result, error) {
	src := in.Steps
	if src == "" && env.Stdin != nil {
		src = *env.Stdin
	}
	steps, err := parseSteps(src)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	var failed *api.Error
	for i, step := range steps {
		if i > 0 {
			b.WriteString("\n\n")
		}
		out, err := env.Step(ctx, step)
		var e *api.Error
		if errors.As(err, &e) {
			out = strings.TrimPrefix(e.Output+"\nERROR: "+api.Clean(e.Message), "\n")
			if failed == nil {
				c := *e
				c.Message = fmt.Sprintf("step %d of %d, %s: %s", i+1, len(steps), step[0], e.Message)
				failed = &c
			}
		}
		fmt.Fprintf(&b, "[%s] %s", api.Clean(step[0]), out)
		if failed != nil && !in.Continue {
			if rest := len(steps) - i - 1; rest > 0 {
				failed.Tried = append(failed.Tried, fmt.Sprintf("%d later steps did not run", rest))
			}
			break
		}
	}
	if failed != nil {
		failed.Output = b.String()
		return Result{}, failed
	}
	return Result{Text: b.String()}, nil
}

// parseSteps reads both forms; every step has at least a verb.
func parseSteps(src string) ([][]string, error) {
	src = strings.TrimSpace(src)
	if src == "" {
		return nil, api.Errorf(api.BadUsage, chainUsage, "chain: no steps, neither as an argument nor on standard input")
	}
	var steps [][]string
	if strings.HasPrefix(src, "[") {
		dec := json.NewDecoder(strings.NewReader(src))
		if err := dec.Decode(&steps); err != nil {
			return nil, api.Errorf(api.BadUsage, chainUsage, "chain: the steps are not a JSON array of arrays of strings: %v", err)
		}
		if dec.More() {
			return nil, api.Errorf(api.BadUsage, chainUsage, "chain: there is something after the JSON array")
		}
	} else {
		var err error
		if steps, err = splitPipes(src); err != nil {
			return nil, err
		}
	}
	for i, s := range steps {
		if len(s) == 0 || s[0] == "" {
			return nil, api.Errorf(api.BadUsage, chainUsage, "chain: step %d is empty", i+1)
		}
	}
	if len(steps) == 0 {
		return nil, api.Errorf(api.BadUsage, chainUsage, "chain: no steps")
	}
	return steps, nil
}

// splitPipes splits at bars that stand alone, outside of quotes. Single and
// double quotes group; a backslash takes the next character as it is, outside of
// single quotes.
func splitPipes(src string) ([][]string, error) {
	steps := [][]string{{}}
	var word strings.Builder
	started := false
	var quote rune
	end := func() {
		if !started {
			return
		}
		i := len(steps) - 1
		steps[i] = append(steps[i], word.String())
		word.Reset()
		started = false
	}
	rs := []rune(src)
	for i := 0; i < len(rs); i++ {
		r := rs[i]
		alone := (i == 0 || isSpace(rs[i-1])) && (i+1 == len(rs) || isSpace(rs[i+1]))
		switch {
		case r == '\\' && quote != '\'' && i+1 < len(rs):
			i++
			word.WriteRune(rs[i])
			started = true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, started = r, true
		case r == '|' && alone:
			end()
			steps = append(steps, []string{})
		case isSpace(r):
			end()
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quote != 0 {
		return nil, api.Errorf(api.BadUsage, chainUsage, "chain: a %c is not closed", quote)
	}
	end()
	return steps, nil
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }
