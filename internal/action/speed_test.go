package action_test

import (
	"slices"
	"testing"
	"time"

	"gstack/internal/action"
)

// TestSpeed logs what a click and a fill cost within the process. It fails only
// when they are far out, because machines differ.
func TestSpeed(t *testing.T) {
	b := open(t, `<!doctype html><button id=b onclick="window.n=(window.n||0)+1">Increment</button><input id=i aria-label=Name>`)
	button, field := b.ref("#b"), b.ref("#i")
	measure := func(name string, f func() error) {
		var d []time.Duration
		for range 60 {
			start := time.Now()
			if err := f(); err != nil {
				t.Fatal(name, text(err))
			}
			d = append(d, time.Since(start))
		}
		slices.Sort(d)
		t.Logf("%s: median %v, p95 %v", name, d[len(d)/2], d[len(d)*95/100])
		if d[len(d)/2] > 100*time.Millisecond {
			t.Errorf("%s takes %v", name, d[len(d)/2])
		}
	}
	measure("click @ref", func() error {
		_, err := action.Click(b.ctx, b.tab, button, action.ClickOptions{})
		return err
	})
	b.want("n", "60")
	measure("fill @ref", func() error {
		_, err := action.Fill(b.ctx, b.tab, field, "some value", action.Options{})
		return err
	})
	measure("find #b", func() error {
		_, err := action.Find(b.ctx, b.tab, "#b", action.FindOptions{})
		return err
	})
	measure("press Enter", func() error {
		_, err := action.Press(b.ctx, b.tab, nil, "Enter", action.Options{})
		return err
	})
	measure("hover", func() error {
		_, err := action.Hover(b.ctx, b.tab, button, action.ClickOptions{})
		return err
	})
}
