package verbs

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"gstack/internal/api"
	"gstack/internal/capture"
	"gstack/internal/command"
	"gstack/internal/shield"
)

var consoleVerb = define(command.Spec{
	Name: "console", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Nestable: true,
	Summary: "Show what the page wrote to its console",
	Doc: `The messages of the tab since it was opened, the oldest first: console calls, uncaught
errors and rejections with their stack, and what the browser reports itself, such as
requests that failed. Frames and workers are included. The latest 50,000 are kept; how many
are gone is told. What looks like a key or a password is masked.

They are also appended to .gstack/browse-console.log once a second, and stay there.`,
	Examples: []string{"console --errors", "console --last 20", "console --filter 'cart|price'", "console --clear"},
}, consoleRun)

type consoleIn struct {
	Clear  bool   `flag:"clear" help:"forget the messages of the tab"`
	Errors bool   `flag:"errors" help:"errors and warnings only"`
	Last   int    `flag:"last" value:"N" help:"the latest N only"`
	Filter string `flag:"filter" value:"REGEX" help:"messages that match, by text or source address"`
}

func consoleRun(ctx context.Context, env *Env, in consoleIn) (Result, error) {
	match, err := filterOf(in.Filter, "console")
	if err != nil {
		return Result{}, err
	}
	if in.Last < 0 {
		return Result{}, api.Errorf(api.BadUsage, "browse console --last 20", "console: --last is %d, want a number above 0", in.Last)
	}
	list, gone := env.Tab.Messages(ctx)
	if in.Clear {
		env.Tab.Capture().ClearConsole()
		return Result{Text: fmt.Sprintf("Cleared %d console messages", len(list)), Data: map[string]int{"cleared": len(list)}, Ours: true}, nil
	}
	kept := []capture.Message{}
	for _, m := range list {
		if (!in.Errors || m.Serious()) && (match == nil || match.MatchString(m.Text) || match.MatchString(m.URL)) {
			kept = append(kept, m)
		}
	}
	own := ""
	if n := len(kept); in.Last > 0 && n > in.Last {
		kept = kept[n-in.Last:]
		own = fmt.Sprintf("[%d before these]", n-in.Last)
	}
	if gone > 0 {
		own = strings.TrimPrefix(own+fmt.Sprintf("\n[%d messages are no longer kept, the page wrote too many]", gone), "\n")
	}
	var b strings.Builder
	data := make([]messageOut, 0, len(kept))
	for _, m := range kept {
		b.WriteString(m.String())
		b.WriteByte('\n')
		data = append(data, messageOut{capture.Stamp(m.At), m.Level, m.Text, m.Source, shield.MaskURL(m.URL), m.Line})
	}
	if len(kept) == 0 {
		text := "(no console messages)"
		if in.Errors {
			text = "(no console errors)"
		}
		return Result{Text: text, Data: data, Own: own, Ours: true}, nil
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n"), Data: data, Own: own, Lines: true}, nil
}

type messageOut struct {
	Time   string `json:"time"`
	Level  string `json:"level"`
	Text   string `json:"text"`
	Source string `json:"source"`
	URL    string `json:"url,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// filterOf compiles the --filter of a verb; nil matches everything.
func filterOf(expr, verb string) (*regexp.Regexp, error) {
	if expr == "" {
		return nil, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, api.Errorf(api.BadUsage, "see https://pkg.go.dev/regexp/syntax", "%s: --filter is no regular expression: %v", verb, err)
	}
	return re, nil
}
