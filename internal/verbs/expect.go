package verbs

import (
	"context"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var expectVerb = define(command.Spec{
	Name: "expect", Group: "Interaction", Scope: command.Write, Tunnel: true, Effect: command.Reads, Output: command.Ack, Nestable: true,
	Timeout: 5 * time.Second,
	Summary: "Check that the page is as expected",
	Doc: `Exits 0 when all conditions hold, one after the other, and 1 when one does not by the deadline
(--timeout, 5 seconds), with what was seen instead. A condition is
  url=GLOB  title=TEXT  text=TEXT  fn=JS  load  networkidle
  visible=TARGET  gone=TARGET  attached=TARGET  detached=TARGET
  enabled=TARGET  disabled=TARGET  checked=TARGET  unchecked=TARGET  focused=TARGET
  value='TARGET == TEXT'  shows='TARGET == TEXT'  count='TARGET == N'
A target is a ref or a selector; gone means not there, or not visible. ~= in place of == asks whether
the text is a part, in any case, >= and <= compare numbers. A not before the condition turns it
around: 'not url=*/login'.`,
	Examples: []string{"expect 'text=Order placed'", "expect 'url=*/done' 'gone=#spinner'", "expect 'value=@e4 == Ann'", "expect 'count=.row >= 3'", "expect 'not visible=role=alert'"},
}, expectRun)

type expectIn struct {
	Conditions []string `arg:"condition" rest:"true" help:"such as text=Saved; each in one word, so quote it"`
}

func expectRun(ctx context.Context, env *Env, in expectIn) (Result, error) {
	conds, err := parseConditions(in.Conditions)
	if err != nil {
		return Result{}, err
	}
	if err := awaitAll(ctx, env, conds); err != nil {
		return Result{}, err
	}
	return Result{Text: "As expected: " + quote(strings.Join(in.Conditions, ", "))}, nil
}

func parseConditions(words []string) ([]condition, error) {
	var conds []condition
	for _, s := range words {
		c, err := parseCondition(s)
		if err != nil {
			return nil, err
		}
		conds = append(conds, c)
	}
	return conds, nil
}

// condition is one thing that is expected of a page.
type condition struct {
	said   string // as the user wrote it
	kind   string
	target string
	want   page.Want
}

// conditionKinds are the conditions: how the rest of the word is read.
var conditionKinds = map[string]string{
	"url": "glob", "title": "text", "text": "target", "fn": "script", "load": "", "networkidle": "",
	"visible": "target", "hidden": "target", "gone": "target", "attached": "target", "detached": "target",
	"enabled": "target", "disabled": "target", "checked": "target", "unchecked": "target", "focused": "target",
	"value": "compared", "shows": "compared", "count": "compared",
}

// opposites are the states that say of an element what the other does not.
var opposites = map[page.State]page.State{
	page.Visible: page.Hidden, page.Hidden: page.Visible, page.Attached: page.Detached, page.Detached: page.Attached,
}

func badCondition(s, why string) error {
	return api.Errorf(api.BadUsage, "browse help expect lists the conditions", "%s is no condition: %s", page.Quote(s), why)
}

// parseCondition reads one condition.
func parseCondition(s string) (condition, error) {
	c := condition{said: s}
	rest := strings.TrimSpace(s)
	for _, no := range []string{"not ", "!"} {
		if r, ok := strings.CutPrefix(rest, no); ok {
			rest, c.want.Not = strings.TrimSpace(r), true
		}
	}
	kind, operand, has := strings.Cut(rest, "=")
	how, known := conditionKinds[kind]
	switch {
	case !known:
		return c, badCondition(s, "it begins with none of the words for one, such as text=")
	case how == "" && (has || c.want.Not):
		return c, badCondition(s, kind+" stands alone")
	case how != "" && strings.TrimSpace(operand) == "" && kind != "title":
		return c, badCondition(s, kind+"= wants something after it")
	}
	c.kind, c.target = kind, operand
	if kind == "title" {
		c.want.Op, c.want.Text = "==", operand
	}
	if how != "compared" {
		return c, nil
	}
	at, op := -1, ""
	for _, o := range []string{"==", "~=", ">=", "<="} {
		if i := strings.LastIndex(operand+" ", " "+o+" "); i > at {
			at, op = i, o
		}
	}
	if at < 0 {
		return c, badCondition(s, kind+"= wants a comparison, such as "+kind+"='#id == 3'")
	}
	c.target, c.want.Op, c.want.Text = strings.TrimSpace(operand[:at]), op, strings.TrimSpace((operand + " ")[at+4:])
	return c, nil
}

// await waits until the condition holds; the error says what was seen instead.
func (c condition) await(ctx context.Context, env *Env) error {
	late := ctx // in which the page may still say what there is instead
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	scope, err := env.Scope()
	if err != nil {
		return err
	}
	t := env.Tab
	switch c.kind {
	case "url":
		return t.AwaitURL(ctx, func(u string) bool { return globMatch(c.target, u) != c.want.Not })
	case "load":
		return t.LoadState(ctx, "load")
	case "networkidle":
		_, err := t.AwaitIdle(ctx)
		return err
	case "fn":
		top, err := env.Top()
		if err != nil {
			return err
		}
		script := c.target
		if c.want.Not {
			script = "!(" + script + "\n)"
		}
		_, err = top.AwaitTrue(ctx, script)
		return err
	}
	target, state, want := c.target, page.State(c.kind), c.want
	switch c.kind {
	case "text":
		target, state = "text="+c.target, page.Visible
	case "gone":
		state = page.Hidden
	}
	if o := opposites[state]; o != "" && want.Not {
		state, want.Not = o, false
	}
	return t.AwaitWant(late, env.Limit, scope, target, state, want)
}
