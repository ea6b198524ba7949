package snapshot

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is what has changed between two snapshots.
type Diff struct {
	// Text is a unified diff, "" when nothing has changed.
	Text           string
	Added, Removed int // lines
}

// Compare returns what has changed from one text of [Format] to another. Refs
// are part of the lines, and stable; with otherPage, when the documents are not
// the same and every ref is new, lines that differ in nothing else are equal.
func Compare(before, after string, otherPage bool) Diff {
	d := differ{before: lined(before), after: lined(after)}
	a, b := d.before, d.after
	if otherPage {
		a, b = withoutRefs(a), withoutRefs(b)
	}
	d.write(string(diff.Diff("previous snapshot", []byte(strings.Join(a, "")), "current snapshot", []byte(strings.Join(b, "")))))
	d.Text = strings.TrimSuffix(d.out.String(), "\n")
	return d.Diff
}

// lined splits a text into lines that end, the last one too.
func lined(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(text+"\n", "\n")[:strings.Count(text, "\n")+1]
}

var refAtStart = regexp.MustCompile(`^( *)@[ec][0-9]+ `)

func withoutRefs(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = refAtStart.ReplaceAllString(l, "$1")
	}
	return out
}

// differ rewrites a diff of what was compared as one of the texts themselves.
type differ struct {
	Diff
	before, after []string
	i, j          int // where in them the next line of the diff is from
	gone, came    []string
	out           strings.Builder
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+),(\d+) \+(\d+),(\d+) @@`)

func (d *differ) write(text string) {
	for n, line := range strings.SplitAfter(text, "\n") {
		switch {
		case n == 0 || line == "": // the command line of a diff
		case n < 3: // the two names
			d.out.WriteString(line)
		case line[0] == '-':
			d.gone = append(d.gone, line[1:])
		case line[0] == '+':
			d.came = append(d.came, line[1:])
		case line[0] == ' ':
			d.flush()
			d.same()
		default:
			d.flush()
			d.seek(line)
			d.out.WriteString(line)
		}
	}
	d.flush()
}

// seek goes to where a hunk begins. Lines are counted from 1; of a side without
// lines the one before is named.
func (d *differ) seek(head string) {
	m := hunkHead.FindStringSubmatch(head)
	if m == nil {
		return
	}
	at := func(start, count string) int {
		n, _ := strconv.Atoi(start)
		if count == "0" {
			return n
		}
		return n - 1
	}
	d.i, d.j = at(m[1], m[2]), at(m[3], m[4])
}

// same writes a line that both have, as it is now.
func (d *differ) same() {
	d.line(' ', d.after, d.j)
	d.i++
	d.j++
}

func (d *differ) line(mark byte, from []string, at int) {
	d.out.WriteByte(mark)
	d.out.WriteString(from[at])
}

func (d *differ) remove() {
	d.line('-', d.before, d.i)
	d.i++
	d.Removed++
}

func (d *differ) add() {
	d.line('+', d.after, d.j)
	d.j++
	d.Added++
}

// maxRefine bounds the lines that are compared each with each.
const maxRefine = 1 << 20

// flush writes the lines that went and came at one place. The diff aligns texts
// at lines that occur once; of those that occur more often, the ones that both
// sides have in the same order have not changed either.
func (d *differ) flush() {
	gone, came := d.gone, d.came
	d.gone, d.came = nil, nil
	x, y := 0, 0
	if len(gone)*len(came) <= maxRefine {
		common := lcs(gone, came)
		for x < len(gone) && y < len(came) {
			switch {
			case gone[x] == came[y]:
				d.same()
				x++
				y++
			case common[x+1][y] >= common[x][y+1]:
				d.remove()
				x++
			default:
				d.add()
				y++
			}
		}
	}
	for ; x < len(gone); x++ {
		d.remove()
	}
	for ; y < len(came); y++ {
		d.add()
	}
}

// lcs returns, for each pair of places, how many lines the rests have in common
// in the same order.
func lcs(a, b []string) [][]int32 {
	t := make([][]int32, len(a)+1)
	cells := make([]int32, (len(a)+1)*(len(b)+1))
	for x := range t {
		t[x], cells = cells[:len(b)+1], cells[len(b)+1:]
	}
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			if a[x] == b[y] {
				t[x][y] = t[x+1][y+1] + 1
			} else {
				t[x][y] = max(t[x+1][y], t[x][y+1])
			}
		}
	}
	return t
}
