// Package shield marks what a web page wrote, so that a reader can tell it from
// what browse says, and so that no page can forge the mark.
package shield

import (
	"strings"
	"unicode/utf8"

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
// Every character that can be read as a line break becomes one, and lines inside
// the text that could be taken for the envelope's are broken, see [Break].
func Wrap(source, text string) string {
	source = api.Clean(source)
	if len(source) > maxSource {
		source = strings.ToValidUTF8(source[:maxSource], "")
	}
	text = oneBreak(text)
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

// Break disarms every line of text that could be taken for one of the envelope's,
// by a zero-width space behind each of its dashes. It does not matter in which
// case, spacing or look-alike characters the line is written.
func Break(text string) string {
	from := 0 // what stands before it was written
	var b strings.Builder
	next := nextMarked
	if isASCII(text) {
		next = markedASCII()
	}
	for at := 0; ; {
		begin, end, ok := next(text, at)
		if !ok {
			break
		}
		if forges(text[begin:end]) {
			b.WriteString(text[from:begin])
			disarm(&b, text[begin:end])
			from = end
		}
		at = end
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

// breaks are the characters that some readers take for a line break, and others
// do not.
var breaks = []string{"\r", "\v", "\f", "\u0085", "\u2028", "\u2029"}

var toBreak = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// oneBreak makes every line break of text the same. Looking first is cheaper
// than replacing nothing.
func oneBreak(text string) string {
	for _, b := range breaks {
		if strings.Contains(text, b) {
			return toBreak.Replace(text)
		}
	}
	return text
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
	if len(text) > maxBare*utf8.UTFMax || utf8.RuneCountInString(text) > maxBare || strings.ContainsAny(text, "\n\r") {
		return "", false
	}
	return Break(api.Clean(text)), true
}

// Page returns the part of text that is page n (counted from 1) when it is cut
// into pages of at most size bytes, cut at line breaks where there is one in the
// last tenth, never inside a character; and how many pages there are.
func Page(text string, size, n int) (part string, pages int) { return pageOf(text, size, n, cutAt) }

// Lines is [Page] for text of which a part of a line would mislead, such as a
// number that is cut: pages end where lines do. A line that is longer than size
// is a page of its own, whole.
func Lines(text string, size, n int) (part string, pages int) {
	return pageOf(text, size, n, func(text string, size int) int {
		if len(text) <= size {
			return len(text)
		}
		if i := strings.LastIndexByte(text[:size], '\n'); i >= 0 {
			return i + 1
		}
		if i := strings.IndexByte(text[size:], '\n'); i >= 0 {
			return size + i + 1
		}
		return len(text)
	})
}

func pageOf(text string, size, n int, cutAt func(string, int) int) (part string, pages int) {
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
