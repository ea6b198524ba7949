package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
step's error; --continue goes on and fails at the end. Each step has its own deadline.

With --json a chain that succeeds has one object per step in "data": {"command", "ok",
"text"}, page content in its envelope. One that fails prints nothing but its error, which
has these objects in "steps"; a step that failed adds "code", "error", "tried" and "hint".
Steps that did not run are not listed.`,
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
	var ran []chainStep
	for i, step := range steps {
		if i > 0 {
			b.WriteString("\n\n")
		}
		r, err := runStep(ctx, env, step)
		ran = append(ran, r)
		fmt.Fprintf(&b, "[%s] %s", api.Clean(step[0]), r)
		if err != nil && failed == nil {
			c := *err
			c.Message = fmt.Sprintf("step %d of %d, %s: %s", i+1, len(steps), step[0], err.Message)
			failed = &c
		}
		if failed != nil && !in.Continue {
			if rest := len(steps) - i - 1; rest > 0 {
				failed.Tried = append(slices.Clone(failed.Tried), fmt.Sprintf("%d later steps did not run", rest))
			}
			break
		}
	}
	if failed == nil {
		return Result{Text: b.String(), Data: ran, Told: true}, nil
	}
	failed.Output = b.String()
	list, err := json.Marshal(ran)
	if err != nil {
		return Result{}, err
	}
	failed.Steps = api.JSON(list)
	return Result{}, failed
}

// chainStep is the machine form of a step that ran.
type chainStep struct {
	Command string   `json:"command"`
	OK      bool     `json:"ok"`
	Text    string   `json:"text"`
	Code    api.Code `json:"code,omitempty"`
	Error   string   `json:"error,omitempty"`
	Tried   []string `json:"tried,omitempty"`
	Hint    string   `json:"hint,omitempty"`
}

// String is the text form.
func (s chainStep) String() string {
	if s.OK {
		return s.Text
	}
	return strings.TrimPrefix(s.Text+"\nERROR: "+api.Clean(s.Error), "\n")
}

// runStep runs one step; err is nil when it succeeded.
func runStep(ctx context.Context, env *Env, step []string) (chainStep, *api.Error) {
	text, err := env.Step(ctx, step)
	if err == nil {
		return chainStep{Command: step[0], OK: true, Text: text}, nil
	}
	var e *api.Error
	if !errors.As(err, &e) {
		e = api.Errorf(api.Internal, "browse status", "%v", err)
	}
	return chainStep{Command: step[0], Text: e.Output, Code: e.Code, Error: e.Message, Tried: e.Tried, Hint: e.Hint}, e
}

// parseSteps reads both forms; every step has at least a verb.
func parseSteps(src string) ([][]string, error) {
	src = strings.TrimSpace(src)
	if src == "" {
		return nil, api.Errorf(api.BadUsage, chainUsage, "chain: no steps, neither as an argument nor on standard input")
	}
	var steps [][]string
	if strings.HasPrefix(src, "[") {
		var err error
		if steps, err = parseJSON(src); err != nil {
			return nil, err
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

// parseJSON reads an array of arrays of strings, and says which step and word is
// something else.
func parseJSON(src string) ([][]string, error) {
	bad := func(format string, args ...any) ([][]string, error) {
		return nil, api.Errorf(api.BadUsage, chainUsage, "chain: the steps are not a JSON array of arrays of strings: "+format, args...)
	}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(src), &list); err != nil {
		return bad("%s", jsonTrouble(src, err))
	}
	steps := make([][]string, 0, len(list))
	for i, item := range list {
		var words []json.RawMessage
		if item[0] != '[' || json.Unmarshal(item, &words) != nil {
			return bad("step %d is %s, not an array", i+1, jsonKind(item))
		}
		step := make([]string, 0, len(words))
		for k, word := range words {
			var s string
			if word[0] != '"' || json.Unmarshal(word, &s) != nil {
				return bad("word %d of step %d is %s, not a string; put it in quotes", k+1, i+1, jsonKind(word))
			}
			step = append(step, s)
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// jsonTrouble says why src is no JSON.
func jsonTrouble(src string, err error) string {
	var bad *json.SyntaxError
	if !errors.As(err, &bad) {
		return "it cannot be read"
	}
	at := int(bad.Offset)
	if at >= len(src) && strings.Contains(bad.Error(), "unexpected end") {
		return fmt.Sprintf("it ends too early, after %d bytes", len(src))
	}
	// Offset counts the byte that is wrong.
	at = min(max(at-1, 0), len(src))
	rest := []rune(strings.ToValidUTF8(src[at:], "\ufffd"))
	return fmt.Sprintf("byte %d is unexpected, at %s", at+1, quote(string(rest[:min(len(rest), 20)])))
}

// jsonKind names the kind of a JSON value.
func jsonKind(v json.RawMessage) string {
	switch v[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
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
