package verbs

import (
	"context"
	"strings"

	"gstack/internal/action"
	"gstack/internal/command"
)

var keydownVerb = define(command.Spec{
	Name: "keydown", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Put a key down and leave it down",
	Doc: `Goes to the focused element. Modifier keys that are down count for what follows in the tab (click,
press, drag) until keyup. Repeated, it is what a held key does. Keys have the names that press takes.`,
	Examples: []string{"keydown Shift", "keydown ArrowRight"},
}, keydownRun)

// keyIn is the input of keydown and keyup.
type keyIn struct {
	Key string `arg:"key" help:"key"`
	afterIn
}

func keydownRun(ctx context.Context, env *Env, in keyIn) (Result, error) {
	return moveKey(ctx, env, in, true, "Key down: ")
}

// moveKey moves a key and acknowledges it with what is down now.
func moveKey(ctx context.Context, env *Env, in keyIn, down bool, did string) (Result, error) {
	return in.conclude(ctx, env, func() (Result, error) {
		var held []string
		r, err := act(ctx, env, func() (action.Result, error) {
			r, err := action.Key(ctx, env.Tab.Tab, in.Key, down, env.options())
			held = action.HeldKeys(env.Tab.Tab)
			return r, err
		})
		if err != nil {
			return Result{}, err
		}
		res := acted(env, did+in.Key, r)
		if len(held) > 0 {
			res.Text += "\nheld: " + strings.Join(held, ", ")
		}
		res.Data.(map[string]any)["held"] = held
		return res, nil
	})
}
