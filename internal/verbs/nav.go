package verbs

import (
	"context"
	"fmt"

	"gstack/internal/api"
	"gstack/internal/page"
)

// settled is how a navigation is acknowledged, with what happened on the way.
func settled(format string, n page.Navigation, args ...any) Result {
	text := fmt.Sprintf(format, args...)
	for _, line := range dialogLines(n.Dialogs) {
		text += "\n" + line
	}
	return Result{Text: text, Data: n, Told: true}
}

// maxDialogLines bounds the dialogs that one answer lists.
const maxDialogLines = 10

// dialogLines reports dialogs that were answered while a command ran.
func dialogLines(ds []page.Dialog) []string {
	var lines []string
	for i, d := range ds {
		if i == maxDialogLines {
			lines = append(lines, fmt.Sprintf("dialog: and %d more", len(ds)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("dialog: [%s] %s → %s", d.Type, quote(d.Message), answered(d)))
	}
	return lines
}

// answered says how a dialog was answered.
func answered(d page.Dialog) string {
	switch {
	case !d.Accepted:
		return "dismissed"
	case d.Type == "prompt":
		return "accepted " + quote(d.Response)
	}
	return "accepted"
}

func statusText(n page.Navigation) string {
	if n.Status == 0 {
		return "unknown"
	}
	return fmt.Sprint(n.Status)
}

// history goes through the tab's history for back and forward.
func history(ctx context.Context, env *Env, delta int, word string) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	n, err := env.Tab.History(ctx, delta)
	if err != nil {
		return Result{}, err
	}
	if !n.Moved {
		which := "earlier"
		if delta > 0 {
			which = "later"
		}
		return settled("%s → %s (the tab has no %s page)", n, word, source(n.URL), which), nil
	}
	return settled("%s → %s", n, word, source(n.URL)), nil
}

// failOnStatus turns a 4xx or 5xx answer into an error, for --fail.
func failOnStatus(n page.Navigation) error {
	if n.Status >= 400 {
		return api.Errorf(api.HTTPError, "browse text shows the page all the same", "%s answered %d", n.URL, n.Status)
	}
	return nil
}
