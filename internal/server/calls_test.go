package server

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gstack/internal/api"
)

// commander runs a function.
type commander struct {
	budget time.Duration
	run    func(ctx context.Context, req *api.Request) (string, *api.Error)
}

func (c commander) Budget(*api.Request) time.Duration { return c.budget }
func (c commander) Run(ctx context.Context, _ bool, req *api.Request) (api.Answer, *api.Error) {
	text, err := c.run(ctx, req)
	return api.Answer{Text: text}, err
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func echo(_ context.Context, r *api.Request) (string, *api.Error) {
	return strings.Join(r.Args, " "), nil
}

func join(t *testing.T, cs *calls, c Commander, req *api.Request) *call {
	t.Helper()
	got, err := cs.join(req, c)
	if err != nil {
		t.Fatalf("join: %v", err)
	}
	return got
}

// ask runs a request to its end and takes its answer.
func ask(t *testing.T, cs *calls, c Commander, req *api.Request) (string, *api.Error) {
	t.Helper()
	got := join(t, cs, c, req)
	<-got.done
	a, err := cs.result(got)
	text := a.Text
	cs.leave(got, true)
	return text, err
}

func TestRetryJoinsAndReplays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cs := newCalls(quiet())
		runs := 0
		c := commander{budget: time.Minute, run: func(ctx context.Context, r *api.Request) (string, *api.Error) {
			runs++
			select {
			case <-time.After(10 * time.Second):
				return "done", nil
			case <-ctx.Done():
				return "", api.Errorf(api.Failed, "", "cancelled")
			}
		}}
		req := &api.Request{Command: "x", RequestID: "1"}
		first := join(t, cs, c, req)
		<-time.After(5 * time.Second) // of the bubble, as all below
		cs.leave(first, false)        // the first connection is lost
		<-time.After(abandonAfter / 2)
		second := join(t, cs, c, req)
		if second != first {
			t.Fatal("a retry in flight did not join")
		}
		<-second.done
		if a, err := cs.result(second); a.Text != "done" || err != nil {
			t.Fatalf("got %q, %v", a.Text, err)
		}
		cs.leave(second, true)
		<-time.After(keepFor - time.Second)
		if text, err := ask(t, cs, c, req); text != "done" || err != nil || runs != 1 {
			t.Fatalf("replay: %q, %v after %d runs", text, err, runs)
		}
		<-time.After(2 * time.Second)
		if _, err := ask(t, cs, c, req); err != nil || runs != 2 {
			t.Fatalf("after its time: %v, %d runs", err, runs)
		}
		if _, err := cs.join(&api.Request{Command: "y", RequestID: "1"}, c); err == nil || err.Code != api.BadRequest {
			t.Fatalf("another command with the same id: %v", err)
		}
		if _, err := cs.join(&api.Request{Command: "y", RequestID: strings.Repeat("x", 129)}, c); err == nil {
			t.Fatal("a long id was accepted")
		}
	})
}

func TestAbandonedCommandIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cs := newCalls(quiet())
		c := commander{budget: time.Hour, run: func(ctx context.Context, r *api.Request) (string, *api.Error) {
			<-ctx.Done()
			return "", api.Errorf(api.Failed, "", "cancelled")
		}}
		for id, want := range map[string]time.Duration{"": 0, "2": abandonAfter} {
			got := join(t, cs, c, &api.Request{Command: "x", RequestID: id})
			began := time.Now()
			cs.leave(got, false)
			<-got.done
			if took := time.Since(began); took != want {
				t.Errorf("id %q: cancelled after %v, want %v", id, took, want)
			}
		}
	})
}

func TestOverdueCommandIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cs := newCalls(quiet())
		release := make(chan struct{})
		c := commander{budget: time.Second, run: func(context.Context, *api.Request) (string, *api.Error) {
			<-release // deaf to its context
			return "late", nil
		}}
		began := time.Now()
		_, err := ask(t, cs, c, &api.Request{Command: "x", RequestID: "1"})
		if err == nil || err.Code != api.Timeout || time.Since(began) != time.Second+overdue {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
		if _, running, _ := cs.activity(); running != 1 {
			t.Errorf("%d running, want 1", running)
		}
		close(release)
		synctest.Wait()
		if _, running, _ := cs.activity(); running != 0 {
			t.Errorf("%d running, want 0", running)
		}
		if _, err := ask(t, cs, c, &api.Request{Command: "x", RequestID: "1"}); err == nil || err.Code != api.Timeout {
			t.Errorf("the replay says %v", err)
		}
	})
}

func TestBudgetDefault(t *testing.T) {
	cs := newCalls(quiet())
	got := join(t, cs, commander{run: echo}, &api.Request{Command: "x"})
	<-got.done
	if got.budget != defaultBudget {
		t.Errorf("budget %v", got.budget)
	}
}

func TestKeptAnswersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cs := newCalls(quiet())
		big := commander{budget: time.Minute, run: func(context.Context, *api.Request) (string, *api.Error) {
			return strings.Repeat("x", 1<<20), nil
		}}
		req := func(i int) *api.Request { return &api.Request{Command: "x", RequestID: fmt.Sprint(i)} }
		// Not delivered, so each is worth keeping.
		for i := range 10 {
			c := join(t, cs, big, req(i))
			<-c.done
			cs.leave(c, false)
		}
		if cs.bytes > keepBytes+1<<20 {
			t.Errorf("%d bytes are kept", cs.bytes)
		}
		if text, err := ask(t, cs, big, req(9)); err != nil || len(text) != 1<<20 {
			t.Errorf("the newest answer: %d bytes, %v", len(text), err)
		}
		if _, err := ask(t, cs, big, req(0)); err == nil || err.Code != api.Failed || !strings.Contains(err.Message, "x ran, but its answer of 1048576 bytes is no longer kept") {
			t.Errorf("the oldest answer: %v", err)
		}
		// Delivered whole: a large one is not kept.
		before := cs.bytes
		if _, err := ask(t, cs, big, req(100)); err != nil {
			t.Fatal(err)
		}
		if cs.bytes > before {
			t.Errorf("a large delivered answer is kept: %d bytes, before %d", cs.bytes, before)
		}
		for i := range keepCalls + 100 {
			if _, err := ask(t, cs, commander{run: echo}, req(1000+i)); err != nil {
				t.Fatal(err)
			}
		}
		if len(cs.kept) > keepCalls || len(cs.byID) > keepCalls {
			t.Errorf("%d calls are kept, %d ids", len(cs.kept), len(cs.byID))
		}
		sum := 0
		for _, c := range cs.kept {
			sum += len(c.text)
		}
		if sum != cs.bytes {
			t.Errorf("%d bytes are counted, there are %d", cs.bytes, sum)
		}
	})
}

func TestPanicIsAnError(t *testing.T) {
	cs := newCalls(quiet())
	c := commander{run: func(context.Context, *api.Request) (string, *api.Error) { panic("boom") }}
	if _, err := ask(t, cs, c, &api.Request{Command: "x"}); err == nil || err.Code != api.Internal || strings.Contains(err.Message, "boom") {
		t.Errorf("got %v", err)
	}
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := commander{budget: time.Hour, run: func(ctx context.Context, r *api.Request) (string, *api.Error) {
			select {
			case <-time.After(time.Duration(len(r.Args)) * time.Millisecond):
				return "done", nil
			case <-ctx.Done():
				return "", api.Errorf(api.Failed, "", "cancelled")
			}
		}}
		s := New(Options{Token: "t", Commander: c, Log: quiet()})
		soon := join(t, s.calls, c, &api.Request{Command: "soon", Args: make([]string, 10)})
		never := join(t, s.calls, c, &api.Request{Command: "never", Args: make([]string, 100000)})
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s.Drain(ctx, 50*time.Millisecond)
		if took := time.Since(began); took != 50*time.Millisecond {
			t.Errorf("drained in %v", took)
		}
		if a, err := s.calls.result(soon); a.Text != "done" || err != nil {
			t.Errorf("the short command: %q, %v", a.Text, err)
		}
		if _, err := s.calls.result(never); err == nil || err.Code != api.DaemonGone {
			t.Errorf("the long command: %v", err)
		}
		if _, err := s.calls.join(&api.Request{Command: "x"}, c); err == nil || err.Code != api.Stopping {
			t.Errorf("a new command: %v", err)
		}
	})
}

func TestRefuseIfUnchanged(t *testing.T) {
	cs := newCalls(quiet())
	seen, _, _ := cs.activity()
	if _, err := ask(t, cs, commander{run: echo}, &api.Request{Command: "x"}); err != nil {
		t.Fatal(err)
	}
	for running := 1; running > 0; {
		var changed <-chan struct{}
		if changed, running, _ = cs.activity(); running > 0 {
			<-changed
		}
	}
	if cs.refuseIfUnchanged(seen) {
		t.Fatal("refused although a command ran since")
	}
	seen, _, _ = cs.activity()
	if !cs.refuseIfUnchanged(seen) || !cs.refusing() {
		t.Fatal("not refused")
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	cs := newCalls(quiet())
	var mu sync.Mutex
	runs := map[string]int{}
	c := commander{budget: time.Minute, run: func(_ context.Context, r *api.Request) (string, *api.Error) {
		mu.Lock()
		defer mu.Unlock()
		runs[r.RequestID]++
		return r.RequestID, nil
	}}
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			id := fmt.Sprint(i % 100)
			got, err := cs.join(&api.Request{Command: "x", RequestID: id}, c)
			if err != nil {
				t.Error(err)
				return
			}
			<-got.done
			if a, err := cs.result(got); a.Text != id || err != nil {
				t.Errorf("id %s: %q, %v", id, a.Text, err)
			}
			cs.leave(got, true)
		}()
	}
	wg.Wait()
	for id, n := range runs {
		if n != 1 {
			t.Errorf("id %s ran %d times", id, n)
		}
	}
}
