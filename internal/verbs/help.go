package verbs

import (
	"context"

	"gstack/internal/api"
	"gstack/internal/command"
)

var helpVerb = define(command.Spec{
	Name: "help", Group: "Server", Scope: command.Read, Effect: command.Serves, Output: command.Ours, Needs: command.Nothing, Nestable: true,
	Summary:  "List the commands, or explain one",
	Doc:      `The client answers it without a daemon.`,
	Examples: []string{"help", "help snapshot"},
}, helpRun)

type helpIn struct {
	Command string `arg:"command" optional:"true" help:"the command to explain"`
}

// registry reads [All]; it is set at start because help is itself in the list.
var registry func() []command.Spec

func init() { registry = Specs }

func helpRun(_ context.Context, _ *Env, in helpIn) (Result, error) {
	specs := registry()
	if in.Command == "" {
		return Result{Text: command.Overview(specs)}, nil
	}
	s, ok := command.Find(specs, in.Command)
	if !ok {
		return Result{}, Unknown(specs, in.Command)
	}
	return Result{Text: s.Help()}, nil
}

// Unknown is the error for a verb that is not in the registry.
func Unknown(specs []command.Spec, name string) error {
	var names []string
	for _, s := range specs {
		names = append(append(names, s.Name), s.Aliases...)
	}
	hint := "browse help lists the commands"
	if near := command.Nearest(name, names); near != "" {
		hint = "did you mean: browse " + near
	}
	return api.Errorf(api.UnknownVerb, hint, "unknown command %q", name)
}
