package verbs

import (
	"context"
	"fmt"

	"gstack/internal/command"
)

var tabVerb = define(command.Spec{
	Name: "tab", Group: "Tabs", Scope: command.Meta, Effect: command.Serves, Output: command.Ack, Needs: command.Nothing, Nestable: true,
	Summary:  "Make a tab the session's current one",
	Doc:      `A tab is named by its number, or by the label that newtab gave it.`,
	Examples: []string{"tab 2", "tab docs"},
}, func(ctx context.Context, env *Env, in struct {
	ID string `arg:"id" help:"number or label of the tab, see browse tabs"`
}) (Result, error) {
	id, err := env.Tabs.Named(in.ID)
	if err != nil {
		return Result{}, err
	}
	t, err := env.Tabs.Switch(ctx, env.Session, id)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Switched to tab %d", t.ID), Data: map[string]int{"tabId": t.ID}}, nil
})
