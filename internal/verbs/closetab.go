package verbs

import (
	"context"
	"fmt"

	"gstack/internal/command"
)

var closetabVerb = define(command.Spec{
	Name: "closetab", Group: "Tabs", Scope: command.Write, Tunnel: true, Output: command.Ack, Needs: command.Browser, Nestable: true,
	Summary:  "Close a tab",
	Doc:      `Without a number: the current one. The tab that the session used before becomes current.`,
	Examples: []string{"closetab", "closetab 3"},
}, closetabRun)

type closetabIn struct {
	ID string `arg:"id" optional:"true" help:"number or label of the tab"`
}

func closetabRun(ctx context.Context, env *Env, in closetabIn) (Result, error) {
	t := env.Tab
	if in.ID != "" || t == nil {
		id := 0
		if in.ID != "" {
			named, err := env.Tabs.Named(in.ID)
			if err != nil {
				return Result{}, err
			}
			id = named
		}
		found, err := env.Tabs.Tab(ctx, env.Session, id)
		if found == nil {
			return Result{}, err
		}
		t = found // a crashed tab can be closed too
	}
	if err := env.Tabs.CloseTab(ctx, t); err != nil {
		return Result{}, err
	}
	return Result{Text: fmt.Sprintf("Closed tab %d", t.ID), Data: map[string]int{"tabId": t.ID}}, nil
}
