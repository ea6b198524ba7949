package proc

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	r, err := NewRunner()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got := r.Run(t.Context(), Command{Argv: []string{"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}})
	if got.Exit != 3 || got.Out != "out\n" || got.Err != "err\n" || got.TimedOut || got.Took <= 0 || got.Error() == nil {
		t.Errorf("got %+v", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got = r.Run(ctx, Command{Argv: []string{"/bin/sh", "-c", "exec tail -f /dev/null"}})
	if !got.TimedOut || got.Exit != -1 {
		t.Errorf("a process that never ends: got %+v", got)
	}
	if left, _ := os.ReadDir(r.dir); len(left) != 0 {
		t.Errorf("output files left: %v", left)
	}
}

func TestTree(t *testing.T) {
	if !Measures {
		t.Log("this system cannot list processes; nothing to check")
		return
	}
	r, err := NewRunner()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	// A child that drops the mark still belongs to its parent.
	ready := t.TempDir() + "/ready"
	p, err := r.Start(Command{
		Argv: []string{"/bin/sh", "-c", "env -u PROC_MARK tail -f /dev/null & : >" + ready + "; wait"},
		Env:  []string{"PROC_MARK=one", "PATH=/usr/bin:/bin"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var pids []int
	for len(pids) < 2 {
		select {
		case <-ctx.Done():
			t.Fatalf("found %v, want two processes", pids)
		case <-tick.C:
			pids = Tree("PROC_MARK=one")
		}
	}
	if slices.Contains(pids, os.Getpid()) {
		t.Errorf("the tree %v holds this process", pids)
	}
	if PSS(pids) < 50<<10 {
		t.Errorf("two processes weigh %d bytes", PSS(pids))
	}
	v := Watch(pids)
	Kill(pids)
	if err := v.Gone(ctx); err != nil {
		t.Error(err)
	}
	p.Wait(ctx)
	if left := Tree("PROC_MARK=one"); len(left) != 0 {
		t.Errorf("left after kill: %v", left)
	}
}
