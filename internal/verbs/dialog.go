package verbs

import (
	"context"
	"fmt"
	"strings"

	"gstack/internal/capture"
	"gstack/internal/command"
	"gstack/internal/page"
)

var dialogVerb = define(command.Spec{
	Name: "dialog", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Nestable: true,
	Summary: "List the dialogs that the page opened, and how they were answered",
	Doc: `No dialog ever blocks a command: alert, confirm, prompt and the question whether to leave a page
are answered at once, and the command that caused one says so. They are accepted, a prompt with
its default text; in a browser with a window they are dismissed, but a page may always be left.
dialog-accept and dialog-dismiss say how the next one in the tab is answered instead.

The latest 1,000 of the tab are kept. --clear forgets them, and what was said of the next one.`,
	Examples: []string{"dialog", "dialog --clear"},
}, dialogRun)

type dialogIn struct {
	Clear bool `flag:"clear" help:"forget the dialogs of the tab, and answer the next ones by default"`
}

func dialogRun(_ context.Context, env *Env, in dialogIn) (Result, error) {
	list, gone := env.Tab.Dialogs()
	if in.Clear {
		env.Tab.ClearDialogs()
		env.Tab.ArmDialogs(env.Session, false)
		return Result{Text: fmt.Sprintf("Cleared %d dialogs", len(list)), Data: map[string]int{"cleared": len(list)}, Ours: true}, nil
	}
	own := nextDialogs(env.Tab.ArmedDialogs(env.Session))
	if gone > 0 {
		own = strings.TrimSpace(fmt.Sprintf("[%d earlier ones are no longer kept]\n%s", gone, own))
	}
	if len(list) == 0 {
		return Result{Text: "(no dialogs captured)", Data: []page.Dialog{}, Own: own, Ours: true}, nil
	}
	lines := make([]string, len(list))
	for i, d := range list {
		lines[i] = fmt.Sprintf("[%s] [%s] %s → %s", capture.Stamp(d.At), d.Type, `"`+page.Escape(d.Message)+`"`, answered(d))
	}
	return Result{Text: strings.Join(lines, "\n"), Data: list, Own: own, Lines: true}, nil
}

// nextDialogs says how dialogs to come will be answered, "" when by default.
func nextDialogs(armed []page.DialogAnswer) string {
	var parts []string
	for _, a := range armed {
		switch {
		case !a.Accept:
			parts = append(parts, "dismissed")
		case a.Text != nil:
			parts = append(parts, "accepted with text: "+quote(*a.Text))
		default:
			parts = append(parts, "accepted")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "[next: " + strings.Join(parts, ", then ") + "]"
}
