package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gstack/internal/api"
	"gstack/internal/command"

	"golang.org/x/net/html/charset"
)

var loadHTMLVerb = define(command.Spec{
	Name: "load-html", Aliases: []string{"setcontent", "set-content", "setContent"}, Group: "Navigation", Scope: command.Write, Output: command.Ack, Nestable: true, AnyPage: true,
	Summary: "Show the HTML of a file, without an address",
	Doc: `The tab shows the document at about:blank, in an origin of its own: it has neither cookies
nor storage, of no site, and Chromium keeps it from servers of this machine and of private
networks, as it does with any page that is not secure. Relative addresses in it lead nowhere; goto file://… opens a file with
its neighbours. Files end in .html, .htm or .xhtml, lie in the working directory or the temp
folder, and have at most 50 MB, or what GSTACK_BROWSE_MAX_HTML_BYTES says.
--from-file reads {"html": "…", "waitUntil": "load"} instead.
The document survives viewport, device and useragent, and goes with goto, back and reload. It is never
written into a state file.`,
	Examples: []string{"load-html card.html", "load-html /tmp/report.html --wait-until load", "load-html --from-file payload.json"},
}, loadHTMLRun)

type loadHTMLIn struct {
	File     string `arg:"file" optional:"true" help:"the document, .html, .htm or .xhtml"`
	Until    string `flag:"wait-until" enum:"load,domcontentloaded,networkidle" default:"domcontentloaded" help:"what to wait for"`
	FromFile string `flag:"from-file" value:"FILE" help:"read html and waitUntil from a JSON file"`
}

// htmlEndings are those of files that are taken for HTML. SVG is not: it would
// run as what it is not here.
var htmlEndings = []string{".html", ".htm", ".xhtml"}

// waitStates are the states of --wait-until as the page knows them.
var waitStates = map[string]string{"load": "load", "domcontentloaded": "DOMContentLoaded", "networkidle": "networkIdle"}

func loadHTMLRun(ctx context.Context, env *Env, in loadHTMLIn) (Result, error) {
	if (in.File == "") == (in.FromFile == "") {
		return Result{}, api.Errorf(api.BadUsage, "browse load-html page.html", "load-html: want a file, or --from-file")
	}
	html, did, err := in.document(env)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	n, err := env.Tab.SetContent(ctx, html, waitStates[in.Until])
	if err != nil {
		return Result{}, err
	}
	return settled("Loaded HTML: %s", n, did), nil
}

// document reads what is to be shown; did is how the answer names it. A payload
// may say what to wait for.
func (in *loadHTMLIn) document(env *Env) (html, did string, err error) {
	limit := env.Tabs.MaxHTML
	if in.File != "" {
		if !slices.Contains(htmlEndings, strings.ToLower(filepath.Ext(in.File))) {
			return "", "", api.Errorf(api.BadUsage, "rename it; browse goto file://… opens other kinds of files",
				"load-html: %s does not end in %s", quote(in.File), strings.Join(htmlEndings, ", "))
		}
		data, err := inputFile(env, in.File, limit)
		if err != nil {
			return "", "", moreHTML(err)
		}
		if html, err = decodeHTML(data); err != nil {
			return "", "", withNote(err, "read "+env.Paths.Abs(in.File))
		}
		return html, fmt.Sprintf("%s (%d bytes)", api.Clean(env.Paths.Abs(in.File)), len(data)), nil
	}
	data, err := inputFile(env, in.FromFile, 2*limit) // JSON escapes
	if err != nil {
		return "", "", moreHTML(err)
	}
	var p struct {
		HTML  *string `json:"html"`
		Until *string `json:"waitUntil"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil || p.HTML == nil || d.More() {
		return "", "", api.Errorf(api.BadUsage, `write {"html": "<p>…", "waitUntil": "load"}`, "load-html: %s is not a JSON object with html, a string, and nothing but waitUntil beside it", quote(in.FromFile))
	}
	if p.Until != nil {
		if waitStates[*p.Until] == "" {
			return "", "", api.Errorf(api.BadUsage, "load, domcontentloaded or networkidle", "load-html: waitUntil in %s is %s", quote(in.FromFile), quote(*p.Until))
		}
		in.Until = *p.Until
	}
	if int64(len(*p.HTML)) > limit {
		return "", "", moreHTML(api.Errorf(api.TooLarge, "", "html in %s has %d bytes, more than %d", quote(in.FromFile), len(*p.HTML), limit))
	}
	if err := opensLikeHTML([]byte(*p.HTML)); err != nil {
		return "", "", err
	}
	return *p.HTML, fmt.Sprintf("(inline from --from-file, %d chars)", utf8.RuneCountInString(*p.HTML)), nil
}

// moreHTML tells how to raise the limit that a file exceeds.
func moreHTML(err error) error {
	var e *api.Error
	if errors.As(err, &e) && e.Code == api.TooLarge {
		c := *e
		c.Hint = "name a smaller file, or start the daemon with GSTACK_BROWSE_MAX_HTML_BYTES set higher"
		return &c
	}
	return err
}

// decodeHTML returns the text of a document in the encoding that it declares (HTML
// Standard, encoding sniffing algorithm); one that declares none and is UTF-8 is
// that.
func decodeHTML(data []byte) (string, error) {
	if err := opensLikeHTML(data); err != nil && !bytes.HasPrefix(data, []byte("\xff\xfe")) && !bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return "", err
	}
	text := string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if !utf8.ValidString(text) {
		enc, _, _ := charset.DetermineEncoding(data[:min(len(data), 1024)], "")
		decoded, err := enc.NewDecoder().Bytes(data)
		if err != nil {
			return "", api.Errorf(api.BadUsage, "save it as UTF-8", "load-html: the text of the file does not decode: %v", err)
		}
		text = strings.TrimPrefix(string(decoded), "\ufeff")
	}
	return text, opensLikeHTML([]byte(text))
}

// opensLikeHTML refuses what is no markup, whatever its name: it begins, after
// white space, with a tag, a comment, a doctype or an XML declaration.
func opensLikeHTML(data []byte) error {
	b := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n\f")
	if len(b) > 1 && b[0] == '<' && (b[1] == '!' || b[1] == '?' || b[1]|0x20 >= 'a' && b[1]|0x20 <= 'z') {
		return nil
	}
	return api.Errorf(api.BadUsage, "name a file that begins with a tag or <!doctype html>",
		"load-html: this is not HTML, it begins with the bytes % x", data[:min(len(data), 16)])
}
