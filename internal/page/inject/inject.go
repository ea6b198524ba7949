// Package inject holds the code that runs in the isolated world of every
// document: it names, describes, finds and prepares elements. The page can
// neither see nor call it, and it writes nothing into the document.
package inject

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.js
var scripts embed.FS

// PlainValue is a function for the page's own world: called on a value of the
// page, it returns what JSON can hold of it.
var PlainValue = plainValue()

//go:embed main/value.js
var valueScript string

func plainValue() string {
	var b strings.Builder
	slim(&b, valueScript)
	return strings.TrimSpace(b.String())
}

// early runs in every new document, the other files when one of their functions
// is called for the first time.
const early = "early.js"

// base are the files that the others build on. All files share one function
// scope: a declaration of one is visible in all, and nowhere else.
var base = []string{"dom.js", "style.js", "role.js", "name.js", "state.js", "walk.js", "outline.js", "text.js"}

// The world's global object inherits named elements and frames of the page, so
// <div id=browse> would pass for an installed copy: only an own property counts.
const (
	prologue = `(() => { "use strict"; if (Object.hasOwn(globalThis, "browse")) return; let made = null; Object.defineProperty(globalThis, "browse", { get: () => made ??= make() });` + "\n"
	opening  = "function make() { const browse = {};\n"
	closing  = "return browse; }\n"
	epilogue = "})();\n//# sourceURL=browse.js\n"
)

var source = build()

// build joins the files: early, then in a function base first and the rest by
// name.
func build() string {
	names, err := fs.Glob(scripts, "*.js")
	if err != nil {
		panic(err)
	}
	order := append([]string(nil), base...)
	for _, name := range names {
		if name != early && !slices.Contains(base, name) {
			order = append(order, name)
		}
	}
	var b strings.Builder
	add := func(name string) {
		text, err := scripts.ReadFile(name)
		if err != nil {
			panic(err)
		}
		b.WriteString("// ---- " + name + "\n")
		slim(&b, string(text))
	}
	b.WriteString(prologue)
	add(early)
	b.WriteString(opening)
	for _, name := range order {
		add(name)
	}
	b.WriteString(closing)
	b.WriteString(epilogue)
	return b.String()
}

// slim appends a script without indentation and without lines that are only
// comment: every document of every frame compiles it. The number of lines stays,
// so that errors name the right one. No string of these files spans lines in a
// way that this would change.
func slim(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, "//") {
			line = "\n"
		}
		b.WriteString(line)
	}
}

// Source returns the script that defines the browse object of an isolated
// world. It is safe to run twice in one world: the second run does nothing.
func Source() string { return source }
