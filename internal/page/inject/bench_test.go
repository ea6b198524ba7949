package inject_test

import (
	"fmt"
	"strings"
	"testing"
)

// table is a page of n rows with 21 elements each, two of them controls.
func table(n int, style string) string {
	var b strings.Builder
	b.WriteString("<style>" + style + "</style><table><tbody>")
	for i := range n {
		b.WriteString("<tr>")
		for j := range 7 {
			fmt.Fprintf(&b, "<td><span>c%d-%d</span></td>", i, j)
		}
		fmt.Fprintf(&b, "<td><a href='#r%d'>Open %d</a></td><td><button>Edit %d</button></td><td><i>x%d</i></td></tr>", i, i, i, i)
	}
	return b.String()
}

// milliseconds returns the best time of a call in the page over some runs.
func (d *document) milliseconds(call string, runs int) float64 {
	var ms float64
	d.eval(fmt.Sprintf(`(() => { let best = Infinity; for (let i = 0; i < %d; i++) { const s = performance.now(); %s; best = Math.min(best, performance.now() - s) } return best })()`, runs, call), &ms)
	return ms
}

var calls = []string{`browse.snapshot({interactive: true})`, `browse.snapshot({})`, `browse.text()`}

// TestTimeIsLinear: five times the page must not take more than three times its
// share, even on a busy machine.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const style = "a { cursor: pointer } b::before { content: 'x' }"
	for _, call := range calls {
		small := page(t, table(400, style)).milliseconds(call, 6)
		large := page(t, table(2000, style)).milliseconds(call, 4)
		t.Logf("%s: %.1f ms for 8,400 elements, %.1f ms for 42,000", call, small, large)
		if large > 15*small {
			t.Errorf("%s: %.1f ms for 8,400 elements, %.1f ms for 42,000", call, small, large)
		}
	}
}

func BenchmarkWalks(b *testing.B) {
	for _, rows := range []int{114, 476, 2500} {
		for _, call := range calls {
			b.Run(fmt.Sprintf("%d/%s", rows*21, call), func(b *testing.B) {
				d := page(b, table(rows, "a { cursor: pointer }"))
				var total float64
				for b.Loop() {
					total += d.milliseconds(call, 1)
				}
				b.ReportMetric(total/float64(b.N), "page-ms/op")
			})
		}
	}
}
