package verbs

import (
	"context"
	"fmt"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
)

var mouseVerb = define(command.Spec{
	Name: "mouse", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Move the pointer, or put a button down or up",
	Doc: `Raw input at a point of the viewport, in CSS pixels, without any check: for canvases and games, and
for drags in several commands. A button that is down stays so until "mouse up". The answer names what
lies there. For elements use click, hover and drag.`,
	Examples: []string{"mouse move 200 140", "mouse down", "mouse up 320 140 --button left"},
}, mouseRun)

type mouseIn struct {
	What   string   `arg:"what" enum:"move,down,up" help:"move, down or up"`
	At     []string `arg:"point" rest:"true" optional:"true" help:"X Y of the viewport; without, where the pointer is"`
	Button string   `flag:"button" enum:"left,middle,right" default:"left" help:"mouse button"`
	afterIn
}

func mouseRun(ctx context.Context, env *Env, in mouseIn) (Result, error) {
	usage := "browse mouse move 200 140"
	var at *action.Point
	switch len(in.At) {
	case 0:
		if in.What == "move" {
			return Result{}, api.Errorf(api.BadUsage, usage, "mouse: move wants a point, X Y")
		}
	case 1, 2:
		p, err := parsePoint("the point", joinPoint(in.At))
		if err != nil {
			return Result{}, err
		}
		at = p
	default:
		return Result{}, api.Errorf(api.BadUsage, usage, "mouse: %d numbers, want X Y", len(in.At))
	}
	return in.conclude(ctx, env, func() (Result, error) { return mouseMoved(ctx, env, in, at) })
}

func mouseMoved(ctx context.Context, env *Env, in mouseIn, at *action.Point) (Result, error) {
	var x, y float64
	r, err := act(ctx, env, func() (action.Result, error) {
		r, err := action.Mouse(ctx, env.Tab.Tab, in.What, in.Button, at, env.options())
		x, y = env.Tab.Pad().X, env.Tab.Pad().Y
		return r, err
	})
	if err != nil {
		return Result{}, err
	}
	did := fmt.Sprintf("Mouse %s at %v,%v", map[string]string{"move": "moved, is", "down": in.Button + " down", "up": in.Button + " up"}[in.What], x, y)
	if r.Element != nil {
		did += " over " + r.Element.String()
	}
	res := acted(env, did, r)
	d := res.Data.(map[string]any)
	d["x"], d["y"] = x, y
	return res, nil
}

// joinPoint takes "200 140" and "200,140".
func joinPoint(words []string) string {
	if len(words) == 2 {
		return words[0] + "," + words[1]
	}
	return words[0]
}
