package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	"gstack/tools/internal/proc"
)

// What the daemon may weigh after the commands, and by how much the second half
// of them may have made it heavier: nothing that a run of twice the length
// would double.
const (
	maxDaemon = 40 << 20
	maxGrowth = 3 << 20
)

// manyCommands runs n commands of every kind, with a 50,000-node page between
// them now and then, and holds the daemon's memory against its budget.
func manyCommands(ctx context.Context, w *workspace, n int) error {
	server := httptest.NewServer(pages())
	defer server.Close()
	small, huge := server.URL+"/small", server.URL+"/huge"
	if _, err := w.has(ctx, []string{"goto", small}, "(200)"); err != nil {
		return err
	}
	m := &mix{w: w, small: small, huge: huge}
	start, _ := w.memory()
	var half int64
	began := time.Now()
	for w.calls < n {
		if err := m.round(ctx); err != nil {
			return fmt.Errorf("command %d: %w", w.calls, err)
		}
		if half == 0 && w.calls >= n/2 {
			half, _ = w.memory()
		}
	}
	perCommand := time.Since(began) / time.Duration(w.calls)
	end, browser := w.memory()
	fmt.Printf("%.2f ms per command; daemon %s at the start, %s half way, %s at the end; browser %s at the end\n",
		float64(perCommand.Microseconds())/1000, mib(start), mib(half), mib(end), mib(browser))
	if proc.Measures && end > maxDaemon {
		return fmt.Errorf("the daemon weighs %s, want at most %s", mib(end), mib(maxDaemon))
	}
	if proc.Measures && end > half+maxGrowth {
		return fmt.Errorf("the daemon grew from %s half way to %s, want at most %s more", mib(half), mib(end), mib(maxGrowth))
	}
	return nil
}

// mix is the round of commands that repeats.
type mix struct {
	w           *workspace
	small, huge string
	rounds      int
}

var refOf = regexp.MustCompile(`(@e\d+) \[(\w+)\] "([^"]*)"`)

// round opens the small page, acts on it 20 times and checks what the page
// counted; each fiftieth round reads the large page.
func (m *mix) round(ctx context.Context) error {
	m.rounds++
	if m.rounds%50 == 0 {
		if _, err := m.w.has(ctx, []string{"goto", m.huge}, "(200)"); err != nil {
			return err
		}
		if _, err := m.w.has(ctx, []string{"snapshot", "-i"}, "Edit record 2499"); err != nil {
			return err
		}
	}
	if _, err := m.w.has(ctx, []string{"goto", m.small}, "(200)"); err != nil {
		return err
	}
	snap, err := m.w.run(ctx, "snapshot", "-i")
	if err != nil {
		return err
	}
	refs := map[string]string{}
	for _, f := range refOf.FindAllStringSubmatch(snap.Out, -1) {
		refs[f[3]] = f[1]
	}
	if refs["Increment"] == "" || refs["Name"] == "" {
		return fmt.Errorf("the snapshot lacks controls: %.300q", snap.Out)
	}
	for i := range 4 {
		value := fmt.Sprintf("value %d.%d", m.rounds, i)
		for _, step := range []struct {
			args []string
			want string
		}{
			{[]string{"click", refs["Increment"]}, "Clicked"},
			{[]string{"fill", refs["Name"], value}, "Filled"},
			{[]string{"js", "document.title + ' ' + document.getElementById('name').value"}, fmt.Sprintf("Small %d %s", i+1, value)},
			{[]string{"url"}, m.small},
			{[]string{"text"}, "Small page"},
		} {
			if _, err := m.w.has(ctx, step.args, step.want); err != nil {
				return err
			}
		}
	}
	return m.missing(ctx)
}

// missing proves that errors stay errors after thousands of commands.
func (m *mix) missing(ctx context.Context) error {
	r, err := m.w.run(ctx, "click", "@e999999999")
	if err == nil || r.TimedOut || !strings.Contains(r.Err, "error: ") {
		return fmt.Errorf("a ref that nobody showed: exit %d, stderr %q", r.Exit, r.Err)
	}
	return nil
}
