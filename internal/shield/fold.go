package shield

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// What a character counts for when a line is compared with the envelope's. A
// letter counts for its capital.
const (
	skip  = 0    // white space, marks, punctuation: what can stand unseen between letters
	rule  = '-'  // a dash, or what can be taken for one
	line  = '\n' // ends the line
	other = '?'  // a letter or digit that the envelope's words do not have
)

// ascii holds what ASCII characters count for.
var ascii = func() (t [utf8.RuneSelf]byte) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case c >= 'A' && c <= 'Z':
			t[c] = c
		case c >= 'a' && c <= 'z':
			t[c] = c - 'a' + 'A'
		case c >= '0' && c <= '9':
			t[c] = other
		case c == '\n', c == '\r', c == '\v', c == '\f':
			t[c] = line
		case c == '-', c == '=', c == '_', c == '~':
			t[c] = rule
		}
	}
	return t
}()

// alike maps letters of other scripts to the capital of the envelope's words that
// they are drawn like (a part of Unicode's confusables, UTS 39).
var alike = map[rune]byte{}

func init() {
	for _, g := range []struct {
		to   byte
		from string
	}{
		{'B', "ВвΒβʙƁᏴ"}, {'D', "ԁᴅƊᎠꓓ"}, {'E', "ЕеΕεᴇЁёÈÉÊËèéêëĒēЄєꓰ"}, {'G', "ɢԌɡĜĞĠĢĝğġģ"},
		{'I', "ІіΙιɪıЇїӀӏÌÍÎÏìíîïİꓲ"}, {'N', "Νռոɴ∩ÑñŃńŅņŇňꓠ"}, {'R', "ʀгᎡƦŔŕŖŗŘřꓣ"}, {'S', "ЅѕꜱſՏŚśŜŝŞşŠšꓢ"},
		{'T', "ТтΤτᴛŢţŤťŦŧꓔ"}, {'U', "ՍսυᴜμÙÚÛÜùúûüŪūŬŭŮůꓴ"},
	} {
		for _, r := range g.from {
			alike[r] = g.to
		}
	}
}

// lettered are the blocks that hold the letters A to Z in their order, again and
// again: full width, enclosed, and those of mathematics.
var lettered = []struct{ first, last rune }{
	{0xff21, 0xff3a}, {0xff41, 0xff5a}, {0x249c, 0x24b5}, {0x24b6, 0x24cf}, {0x24d0, 0x24e9},
	{0x1d400, 0x1d6a3}, {0x1f130, 0x1f149}, {0x1f150, 0x1f169}, {0x1f170, 0x1f189}, {0x1f1e6, 0x1f1ff},
}

// fold returns what a character that is not ASCII counts for.
func fold(r rune) byte {
	switch {
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return line
	case isRule(r):
		return rule
	}
	if c, ok := alike[r]; ok {
		return c
	}
	for _, b := range lettered {
		if r >= b.first && r <= b.last {
			return 'A' + byte((r-b.first)%26)
		}
	}
	switch r {
	case 0x115f, 0x1160, 0x3164, 0xffa0: // letters of Hangul that nobody sees
		return skip
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return other
	}
	return skip
}

// folded holds what fold returns for the characters that most texts are made of.
var folded = sync.OnceValue(func() *[0x10000]byte {
	t := new([0x10000]byte)
	for r := range t {
		t[r] = fold(rune(r))
	}
	return t
})

// isRule reports whether a character can be taken for a dash.
func isRule(r rune) bool {
	switch {
	case unicode.Is(unicode.Pd, r), r >= 0x2500 && r <= 0x257f: // dashes; lines of boxes
		return true
	}
	return strings.ContainsRune("−⁃˗⁻₋➖‾¯ˉˍー一ㅡ⎯⏤﹉﹊﹋﹌_￣＝＿～", r)
}

// at returns what the character at the start of s counts for, and its size in
// bytes. s is not empty.
func at(s string) (c byte, size int) {
	if s[0] < utf8.RuneSelf {
		return ascii[s[0]], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r < 0x10000 {
		return folded()[r], size
	}
	return fold(r), size
}

// marked is the word that both lines of the envelope have and that few other
// lines do.
const marked = "UNTRUSTED"

// nextMarked returns the bounds of the next line of text, from offset from on,
// that has the word in it, however it is written; ok is false when there is
// none. It reads each byte once.
func nextMarked(text string, from int) (begin, end int, ok bool) {
	begin = from
	n := 0 // letters of the word that were seen last
	for i := from; i < len(text); {
		c := ascii[text[i]&(utf8.RuneSelf-1)]
		if text[i] < utf8.RuneSelf {
			i++
		} else {
			var size int
			c, size = at(text[i:])
			i += size
		}
		switch {
		case c == skip || c == rule:
		case c == line:
			begin, n = i, 0
		case c == marked[n]:
			if n++; n == len(marked) {
				return begin, lineEnd(text, i), true
			}
		case c == marked[0]:
			n = 1
		default:
			n = 0
		}
	}
	return 0, 0, false
}

// markedASCII returns nextMarked for one text without other characters, which is
// gone through once. It looks at nothing but what follows the word's first letter,
// which is what makes it cheap.
func markedASCII() func(text string, from int) (begin, end int, ok bool) {
	large, small := -1, -1 // the next of each case
	find := func(text string, letter byte, at int) int {
		if i := strings.IndexByte(text[at:], letter); i >= 0 {
			return at + i
		}
		return len(text)
	}
	return func(text string, from int) (begin, end int, ok bool) {
		for {
			if large < from {
				large = find(text, marked[0], from)
			}
			if small < from {
				small = find(text, marked[0]|0x20, from)
			}
			at := min(large, small)
			if at == len(text) {
				return 0, 0, false
			}
			if i := wordEnd(text, at); i > 0 {
				return strings.LastIndexAny(text[:at], "\n\r\v\f") + 1, lineEnd(text, i), true
			}
			from = at + 1
		}
	}
}

// wordEnd returns the end of the word that ASCII text has from offset i on, 0 when
// it is another one.
func wordEnd(text string, i int) int {
	n := 0
	for ; i < len(text); i++ {
		switch c := ascii[text[i]]; {
		case c == skip || c == rule:
		case c != marked[n]:
			return 0
		default:
			if n++; n == len(marked) {
				return i + 1
			}
		}
	}
	return 0
}

func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] { // which the compiler makes one load of
		if (uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lineEnd returns the end of the line that offset i is in.
func lineEnd(text string, i int) int {
	for i < len(text) {
		c, size := at(text[i:])
		if c == line {
			return i
		}
		i += size
	}
	return i
}

// forges reports whether a line can be taken for one of the envelope's.
func forges(s string) bool {
	letters := make([]byte, 0, 128)
	rules := 0
	for len(s) > 0 {
		c, size := at(s)
		s = s[size:]
		switch c {
		case skip:
		case rule:
			rules++
		default:
			letters = append(letters, c)
		}
	}
	words := string(letters)
	return rules > 1 && (strings.Contains(words, "BEGIN"+marked) || strings.Contains(words, "END"+marked))
}

// disarm writes a line with a zero-width space behind each of its dashes.
func disarm(b *strings.Builder, s string) {
	for len(s) > 0 {
		c, size := at(s)
		b.WriteString(s[:size])
		if c == rule {
			b.WriteString("\u200b")
		}
		s = s[size:]
	}
}
