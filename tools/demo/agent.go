package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"golang.org/x/term"
)

// An agent types commands and reads their answers, as a model with a shell does.
type agent struct {
	program, workspace string
	env                []string
	color              bool
	last               string // the latest snapshot, where refs are looked up
}

func newAgent(program, workspace string) *agent {
	a := &agent{program: program, workspace: workspace, color: term.IsTerminal(int(os.Stdout.Fd()))}
	for _, kv := range os.Environ() {
		// A tab, session or state file of the caller would lead out of the workspace.
		if !strings.HasPrefix(kv, "BROWSE_") {
			a.env = append(a.env, kv)
		}
	}
	return a
}

// say prints a line of the story between the commands.
func (a *agent) say(format string, args ...any) {
	a.paint("2", "\n# "+fmt.Sprintf(format, args...))
}

func (a *agent) paint(code, s string) {
	if a.color {
		s = "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	fmt.Println(s)
}

// do runs one command, prints it with its answer, and returns its stdout. A
// non-zero exit, or no exit within 45 seconds, is an error.
func (a *agent) do(ctx context.Context, args ...string) (string, error) {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = quote(arg)
	}
	line := "browse " + strings.Join(words, " ")
	a.paint("1", "\n$ "+line)
	ctx, cancel := context.WithTimeout(ctx, 45*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.program, args...)
	cmd.Dir, cmd.Env = a.workspace, a.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if stderr.Len() > 0 {
		a.paint("33", strings.TrimRight(stderr.String(), "\n"))
	}
	fmt.Print(stdout.String())
	if err != nil {
		return "", fmt.Errorf("%s: %w", line, err)
	}
	return stdout.String(), nil
}

// expect is do, and the answer must hold each of the given texts.
func (a *agent) expect(ctx context.Context, args []string, texts ...string) error {
	out, err := a.do(ctx, args...)
	if err != nil {
		return err
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			return fmt.Errorf("browse %s: answer has no %q", strings.Join(args, " "), text)
		}
	}
	return nil
}

// look takes a snapshot of what can be acted on.
func (a *agent) look(ctx context.Context) error {
	out, err := a.do(ctx, "snapshot", "-i")
	a.last = out
	return err
}

// ref finds an element in the latest snapshot, by role and a part of its name.
func (a *agent) ref(role, name string) (string, error) {
	found := regexp.MustCompile(`(@[ec]\d+) \[` + role + `\] "[^"]*` + regexp.QuoteMeta(name)).FindStringSubmatch(a.last)
	if found == nil {
		return "", fmt.Errorf("the snapshot shows no %s named %q", role, name)
	}
	return found[1], nil
}

// on acts on an element of the latest snapshot; rest follows the ref.
func (a *agent) on(ctx context.Context, verb, role, name string, rest ...string) error {
	ref, err := a.ref(role, name)
	if err != nil {
		return err
	}
	_, err = a.do(ctx, append([]string{verb, ref}, rest...)...)
	return err
}

// steps runs functions until one fails.
func steps(fs ...func() error) error {
	for _, f := range fs {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_@./:#=-]+$`)

// quote writes a word as a shell needs it.
func quote(s string) string {
	if plain.MatchString(s) && s[0] != '#' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// want fails unless a check of the shop's own books holds: the answers alone
// could be right and the shop not have heard of it.
func want(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return errors.New("the shop disagrees: " + fmt.Sprintf(format, args...))
}
