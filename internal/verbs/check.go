package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var checkVerb = define(command.Spec{
	Name: "check", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Check a check box, radio button or switch",
	Doc: `Clicks it unless it is checked already, and reads its state back. Works on native controls and on
those that an ARIA role makes, menu items among them.`,
	Examples: []string{"check @e4", "check 'label=I agree'"},
}, checkRun)

// checkedIn is the input of check and uncheck.
type checkedIn struct {
	Target   string `arg:"target" help:"ref (@e3) or selector"`
	Position string `flag:"position" value:"X,Y" help:"where in the element's box to click, in CSS pixels from its top left corner"`
	Force    bool   `flag:"force" help:"click at its middle without the checks"`
	NoWait   bool   `flag:"no-wait" help:"do not wait for a navigation that it begins"`
	afterIn
}

func checkRun(ctx context.Context, env *Env, in checkedIn) (Result, error) {
	return setChecked(ctx, env, in, true, "Checked")
}

// setChecked brings a control into a state and acknowledges it with a word.
func setChecked(ctx context.Context, env *Env, in checkedIn, on bool, did string) (Result, error) {
	o, err := clickOptions(env, clickIn{Target: in.Target, Count: 1, Position: in.Position, Force: in.Force, NoWait: in.NoWait})
	if err != nil {
		return Result{}, err
	}
	return perform(ctx, env, in.afterIn, in.Target, did, func(el *page.Element) (action.Result, error) {
		return action.Check(ctx, env.Tab.Tab, el, on, o)
	})
}
