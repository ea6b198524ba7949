package verbs

import (
	"context"

	"gstack/internal/command"
)

var dblclickVerb = define(command.Spec{
	Name: "dblclick", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary:  "Double-click an element",
	Doc:      `The same as click with --count 2: two clicks with the events of both, and a dblclick.`,
	Examples: []string{"dblclick @e3", "dblclick '#cell' --position 10,8"},
}, dblclickRun)

type dblclickIn struct {
	Target    string   `arg:"target" help:"ref (@e3) or selector"`
	Button    string   `flag:"button" enum:"left,middle,right" default:"left" help:"mouse button"`
	Modifiers []string `flag:"modifiers" value:"KEYS" help:"keys held meanwhile, such as Control+Shift; may be repeated"`
	Position  string   `flag:"position" value:"X,Y" help:"where in the element's box, in CSS pixels from its top left corner"`
	Force     bool     `flag:"force" help:"click at its middle without the checks"`
	NoWait    bool     `flag:"no-wait" help:"do not wait for a navigation that it begins"`
	afterIn
}

func dblclickRun(ctx context.Context, env *Env, in dblclickIn) (Result, error) {
	return clickRun(ctx, env, clickIn{
		Target: in.Target, Button: in.Button, Count: 2, Modifiers: in.Modifiers, Position: in.Position, Force: in.Force, NoWait: in.NoWait, afterIn: in.afterIn,
	})
}
