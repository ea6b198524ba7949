package verbs

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/capture"
	"gstack/internal/command"
	"gstack/internal/session"
)

var memoryVerb = define(command.Spec{
	Name: "memory", Group: "Server", Scope: command.RootOnly, Effect: command.Reads, Output: command.Ack, Needs: command.Nothing, Nestable: true,
	Summary: "Show what daemon, tabs and browser take",
	Doc: `The daemon's own memory, the heap of each tab (the ten largest; all with --json), and the
processor time of the browser's processes. A tab that does not answer is left out.`,
}, memoryRun)

// The machine form; its names are those of the tool before.
type (
	memoryOut struct {
		Daemon     memoryDaemon     `json:"bunServer"`
		Tabs       []memoryTab      `json:"tabs"`
		Processes  []memoryProcess  `json:"processes"` // null when the browser does not say
		Structures memoryStructures `json:"structures"`
		CapturedAt string           `json:"capturedAt"`
		Notes      []string         `json:"notes"`
	}
	memoryDaemon struct {
		RSS       uint64 `json:"rss"`
		HeapUsed  uint64 `json:"heapUsed"`
		HeapTotal uint64 `json:"heapTotal"`
		External  uint64 `json:"external"`
	}
	memoryTab struct {
		ID        int    `json:"id"`
		URL       string `json:"url"`
		Title     string `json:"title"`
		Used      int64  `json:"jsHeapUsed"`
		Total     int64  `json:"jsHeapTotal"`
		Documents int64  `json:"documents"`
		Nodes     int64  `json:"nodes"`
		Listeners int64  `json:"listeners"`
	}
	memoryProcess struct {
		ID   int     `json:"id"`
		Type string  `json:"type"`
		CPU  float64 `json:"cpuTime"`
	}
	memoryStructures struct {
		Console int `json:"consoleBufferLen"`
		Network int `json:"networkBufferLen"`
		Capture int `json:"captureBufferBytes"`
	}
)

// tabLimit bounds how long a tab is waited for.
const tabLimit = 3 * time.Second

// maxMemoryTabs is how many tabs the text lists.
const maxMemoryTabs = 10

func memoryRun(ctx context.Context, env *Env, _ noArgs) (Result, error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	o := memoryOut{
		Daemon: memoryDaemon{RSS: env.Daemon.RSS(), HeapUsed: ms.HeapAlloc, HeapTotal: ms.HeapSys - ms.HeapReleased, External: ms.StackSys + ms.MSpanSys + ms.MCacheSys},
		Tabs:   []memoryTab{}, CapturedAt: capture.Stamp(time.Now()),
		Notes: []string{"the memory of the browser's processes is not known to the protocol; heaps are those of JavaScript"},
	}
	o.Structures.Console, o.Structures.Network, o.Structures.Capture = env.Tabs.Capture().Sizes()
	infos, err := env.Tabs.Tabs(ctx, env.Session)
	if err != nil {
		return Result{}, err
	}
	found := make([]*memoryTab, len(infos))
	var wg sync.WaitGroup
	for i, info := range infos {
		wg.Go(func() { found[i] = tabMemory(ctx, env.Tabs, info) })
	}
	wg.Wait()
	for _, t := range found {
		if t != nil {
			o.Tabs = append(o.Tabs, *t)
		}
	}
	if n := len(infos) - len(o.Tabs); n > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("%d tabs did not answer and are left out", n))
	}
	slices.SortStableFunc(o.Tabs, func(a, b memoryTab) int { return int(b.Used - a.Used) })
	for _, p := range env.Tabs.Processes(ctx) {
		o.Processes = append(o.Processes, memoryProcess{p.ID, p.Type, p.CPU})
	}
	return Result{Text: o.text(), JSON: o}, nil
}

func tabMemory(ctx context.Context, tabs *session.Manager, info session.Info) *memoryTab {
	ctx, cancel := context.WithTimeout(ctx, tabLimit)
	defer cancel()
	t := tabs.Lookup(info.ID)
	if t == nil {
		return nil
	}
	m, err := t.Metrics(ctx)
	if err != nil {
		return nil
	}
	return &memoryTab{info.ID, info.URL, info.Title, int64(m["JSHeapUsedSize"]), int64(m["JSHeapTotalSize"]), int64(m["Documents"]), int64(m["Nodes"]), int64(m["JSEventListeners"])}
}

func (o memoryOut) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Daemon: %s resident, heap %s of %s\n", bytesOf(o.Daemon.RSS), bytesOf(o.Daemon.HeapUsed), bytesOf(o.Daemon.HeapTotal))
	fmt.Fprintf(&b, "Tabs: %d\n", len(o.Tabs))
	for i, t := range o.Tabs {
		if i == maxMemoryTabs {
			fmt.Fprintf(&b, "  ...and %d more\n", len(o.Tabs)-i)
			break
		}
		url := source(t.URL)
		if r := []rune(url); len(r) > maxTitle {
			url = string(r[:maxTitle-1]) + "…"
		}
		fmt.Fprintf(&b, "  [%d] heap %s of %s, %d documents, %d nodes, %d listeners — %s\n", t.ID, bytesOf(uint64(t.Used)), bytesOf(uint64(t.Total)), t.Documents, t.Nodes, t.Listeners, url)
	}
	if o.Processes != nil {
		kinds := map[string]int{}
		cpu := 0.0
		for _, p := range o.Processes {
			kinds[p.Type]++
			cpu += p.CPU
		}
		var list []string
		for k, n := range kinds {
			list = append(list, fmt.Sprintf("%d %s", n, api.Clean(k)))
		}
		slices.Sort(list)
		fmt.Fprintf(&b, "Browser: %d processes (%s), %.1f s of processor time\n", len(o.Processes), strings.Join(list, ", "), cpu)
	}
	fmt.Fprintf(&b, "Kept: %d console messages, %d requests, %s of bodies", o.Structures.Console, o.Structures.Network, bytesOf(uint64(o.Structures.Capture)))
	for _, n := range o.Notes {
		b.WriteString("\n(" + n + ")")
	}
	return b.String()
}

// bytesOf writes a size as B, KB, MB with one decimal or GB with two.
func bytesOf(n uint64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%dB", n)
	case n < 1<<20:
		return fmt.Sprintf("%dKB", n>>10)
	case n < 1<<30:
		return fmt.Sprintf("%.1fMB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.2fGB", float64(n)/(1<<30))
}
