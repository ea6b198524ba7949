package verbs

import (
	"context"
	"time"

	"gstack/internal/action"
	"gstack/internal/command"
	"gstack/internal/page"
)

var selectVerb = define(command.Spec{
	Name: "select", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Timeout: 30 * time.Second,
	Summary: "Select options of a list",
	Doc: `An option is named by its value or by its label; value=, label= and index= (counted from 0) say
which is meant. A list that allows several gets exactly the options given.
The list is a <select>, an ARIA listbox, or a combobox or button that opens one, wherever in the
page that shows. Such a list is opened, searched by typing where it has a field for that, scrolled
where it shows only a part of its options, and clicked; then it is read back what it holds.`,
	Examples: []string{"select @e4 Norway", "select '#country' value=no", "select '#size' index=2", "select '#days' Mon Wed Fri"},
}, selectRun)

type selectIn struct {
	Target string   `arg:"target" help:"ref (@e3) or selector of the list"`
	Values []string `arg:"option" rest:"true" help:"value, label or index=N of an option"`
	afterIn
}

func selectRun(ctx context.Context, env *Env, in selectIn) (Result, error) {
	return perform(ctx, env, in.afterIn, in.Target, "Selected in", func(el *page.Element) (action.Result, error) {
		return action.Select(ctx, env.Tab.Tab, el, in.Values, env.options())
	})
}
