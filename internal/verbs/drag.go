package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var dragVerb = define(command.Spec{
	Name: "drag", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Timeout: 30 * time.Second,
	Summary: "Drag an element onto another one, or some way",
	Doc: `Presses the mouse on the first element, moves it in steps, and lets go over the second one, or
--by so many pixels. Works for what follows the pointer (sliders, sortable lists, canvases) and for
the browser's own drag and drop (draggable elements). The answer says what changed: a value, the
place in a list, the position; a target that does not take the drop is an error.`,
	Examples: []string{"drag @e4 @e9", "drag '#thumb' --by 120,0", "drag '#card' '#done' --to-position 20,40", "drag @e3 @e7 --hold 300 --steps 30"},
}, dragRun)

type dragIn struct {
	From       string        `arg:"from" help:"ref or selector of what to drag"`
	To         string        `arg:"to" optional:"true" help:"ref or selector of where to drop it"`
	By         string        `flag:"by" value:"X,Y" help:"instead of a target: how far, in CSS pixels"`
	Position   string        `flag:"position" value:"X,Y" help:"where to take hold, from the top left corner of its box"`
	ToPosition string        `flag:"to-position" value:"X,Y" help:"where to let go, from the top left corner of the target's box"`
	Steps      int           `flag:"steps" default:"12" help:"moves on the way, 1 to 500"`
	Hold       time.Duration `flag:"hold" value:"MS" help:"pause between the press and the first move, for lists that want a long press"`
	Modifiers  []string      `flag:"modifiers" value:"KEYS" help:"keys held meanwhile, such as Alt; may be repeated"`
	Force      bool          `flag:"force" help:"leave out the checks"`
	afterIn
}

func (in dragIn) options(env *Env) (action.DragOptions, error) {
	o := action.DragOptions{Options: env.options(), Steps: in.Steps, Hold: in.Hold}
	o.Force = in.Force
	var err error
	if (in.To == "") == (in.By == "") {
		return o, api.Errorf(api.BadUsage, "browse drag @e3 @e7, or browse drag @e3 --by 100,0", "drag wants a target or --by, and not both")
	}
	if in.Steps < 1 || in.Steps > 500 {
		return o, api.Errorf(api.BadUsage, "browse drag @e3 @e7 --steps 20", "--steps is %d, want 1 to 500", in.Steps)
	}
	if in.ToPosition != "" && in.To == "" {
		return o, api.Errorf(api.BadUsage, "browse drag @e3 @e7 --to-position 10,10", "--to-position is a place in a target, and there is none")
	}
	if o.By, err = parsePoint("--by", in.By); err != nil {
		return o, err
	}
	if o.Position, err = parsePoint("--position", in.Position); err != nil {
		return o, err
	}
	if o.ToPosition, err = parsePoint("--to-position", in.ToPosition); err != nil {
		return o, err
	}
	o.Modifiers, err = action.ParseModifiers(strings.Join(in.Modifiers, ","))
	return o, err
}

func dragRun(ctx context.Context, env *Env, in dragIn) (Result, error) {
	o, err := in.options(env)
	if err != nil {
		return Result{}, err
	}
	from, err := find(ctx, env, in.From)
	if err != nil {
		return Result{}, err
	}
	var to *page.Element
	if in.To != "" {
		if to, err = find(ctx, env, in.To); err != nil {
			return Result{}, err
		}
	}
	return in.conclude(ctx, env, func() (Result, error) {
		r, err := act(ctx, env, func() (action.Result, error) { return action.Drag(ctx, env.Tab.Tab, from, to, o) })
		if err != nil {
			return Result{}, err
		}
		did := fmt.Sprintf("Dragged %s by %s pixels", from, in.By)
		if to != nil {
			did = fmt.Sprintf("Dragged %s onto %s", from, to)
		}
		return acted(env, did, r), nil
	})
}
