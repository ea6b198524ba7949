// Package shield marks what a web page wrote, so that a reader can tell it from
// what browse says, and so that no page can forge the mark.
package shield

import (
	"strings"

	"gstack/internal/api"
)

// The lines around page content for the local user.
const (
	begin = "--- BEGIN UNTRUSTED EXTERNAL CONTENT"
	end   = "--- END UNTRUSTED EXTERNAL CONTENT"
)

// maxSource bounds the address quoted in the opening line, in bytes.
const maxSource = 200

// Wrap encloses page content in the envelope, naming the page it comes from.
// Marker lines inside the text are broken with a zero-width space.
func Wrap(source, text string) string {
	source = api.Clean(source)
	if len(source) > maxSource {
		source = source[:maxSource]
	}
	var b strings.Builder
	b.Grow(len(text) + len(begin) + len(end) + len(source) + 64)
	b.WriteString(begin + " (source: " + Break(source) + ") ---\n")
	b.WriteString(Break(text))
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(end + " ---")
	return b.String()
}

// Break disarms every envelope marker in text, whatever its case or spacing, by
// a zero-width space after its dashes.
func Break(text string) string {
	if !strings.Contains(text, "---") && !strings.Contains(text, "═══") {
		return text
	}
	var b strings.Builder
	rest := text
	for {
		i := nextDashes(rest)
		if i < 0 {
			b.WriteString(rest)
			return b.String()
		}
		b.WriteString(rest[:i])
		rest = rest[i:]
		word := strings.ToUpper(strings.TrimLeft(rest, " \t\u00a0"))
		if strings.HasPrefix(word, "BEGIN UNTRUSTED") || strings.HasPrefix(word, "END UNTRUSTED") {
			b.WriteString("\u200b")
		}
	}
}

// nextDashes returns the offset just behind the next run of three dashes or
// double bars, or -1.
func nextDashes(s string) int {
	best := -1
	for _, mark := range []string{"---", "═══"} {
		i := strings.Index(s, mark)
		if i < 0 {
			continue
		}
		i += len(mark)
		for strings.HasPrefix(s[i:], mark[:len(mark)/3]) {
			i += len(mark) / 3
		}
		if best < 0 || i < best {
			best = i
		}
	}
	return best
}

// maxBare bounds the one-line values that are printed without an envelope, in
// runes.
const maxBare = 200

// Bare returns a single value of a page as it is printed without an envelope,
// and whether it may be: numbers, booleans, null, undefined, and one line of at
// most 200 characters. Control characters are escaped.
func Bare(text string, simple bool) (string, bool) {
	if simple {
		return api.Clean(text), true
	}
	if strings.ContainsAny(text, "\n\r") || len([]rune(text)) > maxBare {
		return "", false
	}
	return Break(api.Clean(text)), true
}

// Page returns the part of text that is page n (counted from 1) when it is cut
// into pages of at most size bytes, cut at line breaks where there is one in the
// last tenth, never inside a character; and how many pages there are.
func Page(text string, size, n int) (part string, pages int) {
	if size <= 0 || len(text) <= size {
		if n > 1 {
			return "", 1
		}
		return text, 1
	}
	for len(text) > 0 {
		pages++
		end := cutAt(text, size)
		if pages == n {
			part = text[:end]
		}
		text = text[end:]
	}
	return part, pages
}

func cutAt(text string, size int) int {
	if len(text) <= size {
		return len(text)
	}
	end := size
	if i := strings.LastIndexByte(text[:end], '\n'); i >= end-end/10-1 && i > 0 {
		return i + 1
	}
	for end > 1 && text[end]&0xc0 == 0x80 {
		end--
	}
	return end
}
