// Package markdown turns HTML into Markdown, and finds the article in a page.
//
// It wraps two libraries: html-to-markdown, and go-readability, which is the
// reader view of Firefox in Go. Neither fetches anything.
package markdown

import (
	"bytes"
	"errors"
	"net/url"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// ErrNoArticle means that nothing in the page reads like an article.
var ErrNoArticle = errors.New("no article")

// From converts the HTML of a body to Markdown: CommonMark with tables and
// strikethrough.
func From(body string) (string, error) {
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return "", err
	}
	return fromNode(doc)
}

// fromNode makes a converter for each call: one keeps state.
func fromNode(n *html.Node) (string, error) {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(
			commonmark.WithListEndComment(false),
			commonmark.WithLinkEmptyHrefBehavior(commonmark.LinkBehaviorSkip),
			commonmark.WithLinkEmptyContentBehavior(commonmark.LinkBehaviorSkip),
		),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(table.WithNewlineBehavior(table.NewlineBehaviorPreserve), table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			table.WithSkipEmptyRows(true), table.WithHeaderPromotion(true)),
	))
	md, err := conv.ConvertNode(n)
	return strings.TrimSpace(string(md)), err
}

// Article is the main content of a page with what is known about it.
type Article struct {
	Title     string `json:"title,omitempty"`
	Byline    string `json:"byline,omitempty"`
	Site      string `json:"site,omitempty"`
	Published string `json:"published,omitempty"` // RFC 3339
	Excerpt   string `json:"excerpt,omitempty"`
	Language  string `json:"language,omitempty"`
	// Text is the content, in the form that was asked for.
	Text string `json:"-"`
}

// ArticleIn finds the article in a document, given its head and body. The text
// is Markdown when asMarkdown is true, else plain. The error is [ErrNoArticle]
// when there is none.
func ArticleIn(head, body, address string, asMarkdown bool) (Article, error) {
	doc, err := html.Parse(strings.NewReader("<html><head>" + head + "</head><body>" + body + "</body></html>"))
	if err != nil {
		return Article{}, err
	}
	base, err := url.Parse(address)
	if err != nil {
		base = nil
	}
	parser := readability.NewParser()
	found, err := parser.ParseAndMutate(doc, base)
	if err != nil || found.Node == nil {
		return Article{}, ErrNoArticle
	}
	a := Article{Title: found.Title(), Byline: found.Byline(), Site: found.SiteName(), Excerpt: found.Excerpt(), Language: found.Language()}
	if at, err := found.PublishedTime(); err == nil {
		a.Published = at.Format(time.RFC3339)
	}
	if asMarkdown {
		a.Text, err = fromNode(found.Node)
		return a, err
	}
	var b bytes.Buffer
	if err := found.RenderText(&b); err != nil {
		return Article{}, err
	}
	a.Text = strings.TrimSpace(b.String())
	return a, nil
}
