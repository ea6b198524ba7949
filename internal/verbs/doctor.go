package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
)

var doctorVerb = define(command.Spec{
	Name: "doctor", Group: "Server", Scope: command.Control, Effect: command.Serves, Output: command.Ours, Needs: command.Nothing,
	Timeout: time.Minute,
	Summary: "Say what is missing on this machine, and the command that fixes it",
}, func(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	checks := env.Daemon.Doctor(ctx)
	var b strings.Builder
	bad := 0
	for i, c := range checks {
		if i > 0 {
			b.WriteByte('\n')
		}
		mark := "ok  "
		if !c.OK {
			mark = "FAIL"
			bad++
		}
		fmt.Fprintf(&b, "%s %s: %s", mark, c.Name, c.Detail)
		if !c.OK && c.Fix != "" {
			fmt.Fprintf(&b, "\n     fix: %s", c.Fix)
		}
	}
	r := Result{Text: b.String(), Data: checks}
	if bad > 0 {
		r.Code = api.Failed
	}
	return r, nil
})
