package verbs

import (
	"context"

	"gstack/internal/action"
	"gstack/internal/command"
)

var clickVerb = define(command.Spec{
	Name: "click", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Click an element",
	Doc: `Waits until the element is visible, enabled, still and not covered by another one, scrolls it
into view and clicks it with real mouse events. The answer says what that caused: a navigation,
a dialog, a window, a download.`,
	Examples: []string{"click @e3", "click 'text=Add to cart'", "click '#menu' --button right", "click @e3 --modifiers Shift"},
}, clickRun)

type clickIn struct {
	Target    string `arg:"target" help:"ref (@e3) or selector"`
	Button    string `flag:"button" enum:"left,middle,right" default:"left" help:"mouse button"`
	Count     int    `flag:"count" default:"1" help:"number of clicks, 2 is a double click"`
	Modifiers string `flag:"modifiers" value:"KEYS" help:"keys held meanwhile, such as Control+Shift"`
	Force     bool   `flag:"force" help:"click at its middle without the checks"`
}

func clickRun(ctx context.Context, env *Env, in clickIn) (Result, error) {
	mods, err := action.ParseModifiers(in.Modifiers)
	if err != nil {
		return Result{}, err
	}
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	o := action.ClickOptions{Options: env.options(), Button: in.Button, Count: in.Count, Modifiers: mods}
	o.Force = in.Force
	r, err := act(ctx, env, func() (action.Result, error) { return action.Click(ctx, env.Tab.Tab, el, o) })
	if err != nil {
		return Result{}, err
	}
	return acted(env, "Clicked "+el.String(), r), nil
}
