package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A script runs a session's commands one after the other and sums their times;
// after the first failure the rest does nothing.
type script struct {
	ctx   context.Context
	t     *tool
	sum   time.Duration
	count int
	err   error
	last  string // the latest snapshot
}

func (s *script) do(args ...string) string {
	if s.err != nil {
		return ""
	}
	r, err := s.t.run(s.ctx, args...)
	s.sum, s.err = s.sum+r.Took, err
	s.count++
	if args[0] == "snapshot" {
		s.last = r.Out
	}
	return r.Out
}

// on acts on an element of the latest snapshot.
func (s *script) on(verb, role, name string, rest ...string) {
	if s.err != nil {
		return
	}
	ref, err := s.t.ref(s.last, role, name)
	if err != nil {
		s.err = err
		return
	}
	s.do(append([]string{verb, ref}, rest...)...)
}

// want fails the script when an answer is not what it should be.
func (s *script) want(out, text string) {
	if s.err == nil && !strings.Contains(out, text) {
		s.err = fmt.Errorf("%q is not in the answer %.200q", text, out)
	}
}

// session is an agent's working day: a form, an application, a page, by refs.
func (b *bench) session(ctx context.Context) {
	p := heavy
	p.warm, p.spend = 0, 12*time.Second
	p.least = 2
	b.rounds(ctx, wSession, p, b.each(func(t *tool) contender {
		return contender{once: func(ctx context.Context, k int) (time.Duration, error) {
			s := &script{ctx: ctx, t: t}
			b.play(s, fmt.Sprintf("user%d", k))
			if s.err == nil && s.count != 20 {
				s.err = fmt.Errorf("the session has %d commands, want 20", s.count)
			}
			return s.sum, s.err
		}}
	}))
}

func (b *bench) play(s *script, user string) {
	s.do("goto", b.site.base+"/form.html")
	s.do("snapshot", "-i")
	s.on("fill", "textbox", "User", user)
	s.on("fill", "textbox", "Password", "secret")
	s.on("fill", "textbox", "City", "Lyon")
	s.on("click", "checkbox", "Remember me")
	s.on("click", "button", "Sign in")
	s.do("snapshot", "-i")
	s.want(s.do("js", "document.title"), "Welcome "+user+" 6 Lyon true")
	s.want(s.do("url"), "/form.html")
	s.do("goto", b.site.base+"/spa.html")
	s.do("snapshot", "-i")
	s.on("click", "button", "Add item")
	s.do("snapshot", "-i")
	s.on("click", "button", "Item 1")
	s.want(s.do("js", "window.hits + 10 * window.items"), "11")
	s.do("goto", b.site.base+"/small.html")
	s.do("snapshot", "-i")
	s.on("click", "button", "Increment")
	s.want(s.do("text"), "Small page")
}

// chain is much the same in one call, by selectors, since a chain cannot look.
func (b *bench) chain(ctx context.Context) {
	base := b.site.base
	steps := [][]string{
		{"goto", base + "/form.html"}, {"fill", "#user", "ann"}, {"fill", "#pass", "secret"}, {"fill", "#city", "Lyon"},
		{"click", "#remember"}, {"click", "#go"}, {"snapshot", "-i"}, {"js", "document.title"}, {"url"},
		{"goto", base + "/spa.html"}, {"click", "#add"}, {"snapshot", "-i"}, {"text"}, {"js", "window.items"},
		{"goto", base + "/small.html"}, {"click", "#inc"}, {"js", "document.title"}, {"snapshot", "-i"}, {"url"}, {"js", "1+1"},
	}
	var cs []contender
	for _, t := range b.tools {
		if !t.hasBatch {
			continue
		}
		file := filepath.Join(t.dir, "chain.json")
		cs = append(cs, contender{
			name: t.key,
			setup: func(context.Context) error {
				text, err := json.Marshal(t.batchWords(steps))
				if err != nil {
					return err
				}
				return os.WriteFile(file, text, 0o600)
			},
			once: func(ctx context.Context, k int) (time.Duration, error) {
				r, err := t.runStdin(ctx, file, "chain")
				if err == nil {
					err = holds(r.Out, "Welcome ann 6 Lyon true", "count 1", "Small 1", "/small.html")
				}
				return r.Took, err
			},
		})
	}
	b.rounds(ctx, wChain, heavy, cs)
}
