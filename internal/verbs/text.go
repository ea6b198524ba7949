package verbs

import (
	"context"
	"errors"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/markdown"
	"gstack/internal/page"
)

var textVerb = define(command.Spec{
	Name: "text", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "Print what a person would read on the page",
	Doc: `Blocks are separated by line breaks, table cells by tabs; hidden text and scripts are left
out, frames and shadow roots are included. With a target, only that element. --markdown keeps
headings, links, lists, tables and pictures as Markdown; --article leaves navigation and other
furniture out and prints the main content below its title, author and date. Both work on pages
of up to 8 MB of HTML.`,
	Examples: []string{"text", "text '#main'", "text @e4", "text --markdown", "text --article --markdown"},
}, textRun)

type textIn struct {
	Target   string `arg:"target" optional:"true" help:"ref (@e3) or selector; the whole page without one"`
	Frame    string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
	Markdown bool   `flag:"markdown" help:"as Markdown"`
	Article  bool   `flag:"article" help:"only the main content of the page"`
}

type targetIn struct {
	Target string `arg:"target" optional:"true" help:"ref (@e3) or selector; the whole page without one"`
	Frame  string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

// maxRich bounds the HTML that is turned into something else, in characters.
const maxRich = 8 << 20

func textRun(ctx context.Context, env *Env, in textIn) (Result, error) {
	if in.Markdown || in.Article {
		return richText(ctx, env, in)
	}
	text, own, err := readFrom(ctx, env, targetIn{in.Target, in.Frame}, env.Tab.Text)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: text, Own: own}, nil
}

func richText(ctx context.Context, env *Env, in textIn) (Result, error) {
	rich, own, err := readFrom(ctx, env, targetIn{in.Target, in.Frame}, func(ctx context.Context, el *page.Element) (page.Rich, error) {
		return env.Tab.Rich(ctx, el, maxRich)
	})
	if err != nil {
		return Result{}, err
	}
	if rich.Over {
		return Result{}, api.Errorf(api.TooLarge, "browse text prints all of it as plain text; or name a part of the page: browse text '#main' --markdown",
			"text: the page has more than %d MB of HTML, too much for --markdown and --article", maxRich>>20)
	}
	if !in.Article {
		text, err := markdown.From(rich.HTML)
		return Result{Text: text, Own: own}, err
	}
	a, err := markdown.ArticleIn(rich.Head, rich.HTML, env.Tab.URL(), in.Markdown)
	if errors.Is(err, markdown.ErrNoArticle) {
		return Result{}, api.Errorf(api.NotFound, "browse text prints the whole page", "text: nothing on the page reads like an article")
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Text: articleText(a, in.Markdown), Data: a, Own: own}, nil
}

// articleText puts the facts about an article above it.
func articleText(a markdown.Article, asMarkdown bool) string {
	var b strings.Builder
	if a.Title != "" {
		if asMarkdown {
			b.WriteString("# ")
		}
		b.WriteString(api.Clean(a.Title) + "\n")
	}
	for _, l := range []struct{ label, value string }{{"By", a.Byline}, {"Published", a.Published}, {"Site", a.Site}} {
		if l.value != "" {
			b.WriteString(l.label + ": " + api.Clean(strings.Join(strings.Fields(l.value), " ")) + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(a.Text)
	return b.String()
}
