package verbs

import (
	"context"
	"fmt"

	"gstack/internal/command"
)

var tabVerb = define(command.Spec{
	Name: "tab", Group: "Tabs", Scope: command.Meta, Effect: command.Serves, Output: command.Ack, Needs: command.Nothing, Nestable: true,
	Summary:  "Make a tab the session's current one",
	Examples: []string{"tab 2"},
}, func(ctx context.Context, env *Env, in struct {
	ID int `arg:"id" help:"number of the tab, see browse tabs"`
}) (Result, error) {
	t, err := env.Tabs.Switch(ctx, env.Session, in.ID)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Switched to tab %d", t.ID), Data: map[string]int{"tabId": t.ID}}, nil
})
