package cdp

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// faultyConn returns a connection with faults in it to a browser that echoes.
func faultyConn(t *testing.T, f *Faults) (*Conn, *memory) {
	return connect(t, Options{Wrap: f.Wrap}, echo)
}

func TestFaultFail(t *testing.T) {
	var f Faults
	f.Fail("A.b", 2, CodeServerError, "made up")
	f.Fail("A.each", 0, CodeInvalidParams, "always")
	c, _ := faultyConn(t, &f)
	s := c.Session("S")
	ctx := deadline(t)
	for i := 1; i <= 3; i++ {
		var pe *Error
		switch err := s.Call(ctx, "A.b", nil, nil); {
		case i != 2 && err != nil:
			t.Errorf("call %d: %v", i, err)
		case i == 2 && (!errors.As(err, &pe) || *pe != Error{Method: "A.b", Code: CodeServerError, Message: "made up"}):
			t.Errorf("call %d: %v", i, err)
		}
		if err := c.Root().Call(ctx, "A.each", nil, nil); !errors.As(err, &pe) || pe.Code != CodeInvalidParams {
			t.Errorf("call of each, %d: %v", i, err)
		}
	}
	if f.Seen("A.b") != 3 || f.Seen("A.each") != 3 || f.Seen("A.other") != 0 {
		t.Errorf("seen %d, %d, %d", f.Seen("A.b"), f.Seen("A.each"), f.Seen("A.other"))
	}
	f.Clear()
	if err := c.Root().Call(ctx, "A.each", nil, nil); err != nil || f.Seen("A.each") != 1 {
		t.Errorf("after Clear: %v, seen %d", err, f.Seen("A.each"))
	}
}

func TestFaultDropAndLose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Faults
		f.Drop("A.drop", 1)
		f.Lose("A.lose", 1)
		f.Drop("A.event", 2)
		ran := map[string]int{}
		m := newMemory(func(m *memory, cmd command) { ran[cmd.Method]++; echo(m, cmd) })
		c := NewConn(m, Options{Wrap: f.Wrap})
		s := c.Session("S")
		for _, method := range []string{"A.drop", "A.lose"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if err := s.Call(ctx, method, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("first %s: %v", method, err)
			}
			if err := s.Call(t.Context(), method, nil, nil); err != nil {
				t.Errorf("second %s: %v", method, err)
			}
			cancel()
		}
		if ran["A.drop"] != 1 || ran["A.lose"] != 2 {
			t.Errorf("the browser ran %v", ran)
		}
		var got []string
		s.On("A.event", func(p []byte) { got = append(got, string(p)) })
		for _, p := range []string{`{"n":1}`, `{"n":2}`, `{"n":3}`} {
			m.event("S", "A.event", p)
		}
		if err := s.Call(t.Context(), "A.b", nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Flush(t.Context()); err != nil || len(got) != 2 || got[1] != `{"n":3}` {
			t.Errorf("events %q, %v", got, err)
		}
		c.Close()
	})
}

func TestFaultCut(t *testing.T) {
	for name, tt := range map[string]struct {
		method string
		event  bool
		want   error
	}{
		"at a command": {"A.b", false, io.ErrClosedPipe},
		"at an event":  {"A.event", true, io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			var f Faults
			f.Cut(tt.method, 2)
			c, m := faultyConn(t, &f)
			ctx := deadline(t)
			p := c.Root().Start("A.b", nil)
			if err := p.Wait(ctx, nil); err != nil {
				t.Fatal(err)
			}
			if tt.event {
				m.event("", tt.method, `{}`)
				m.event("", tt.method, `{}`)
			} else if err := c.Root().Call(ctx, "A.b", nil, nil); !errors.Is(err, ErrClosed) {
				t.Errorf("the second call: %v", err)
			}
			select {
			case <-c.Done():
			case <-ctx.Done():
				t.Fatal("the connection lives on")
			}
			if c.Err() != tt.want {
				t.Errorf("Err is %v, want %v", c.Err(), tt.want)
			}
		})
	}
}

// TestFaultsPass checks that what no rule names comes through unchanged, even
// what is not of the protocol.
func TestFaultsPass(t *testing.T) {
	var f Faults
	reports := make(chan error, 1)
	c, m := connect(t, Options{Wrap: f.Wrap, Report: func(err error) { reports <- err }}, echo)
	m.in <- []byte("nonsense")
	select {
	case <-reports:
	case <-deadline(t).Done():
		t.Error("nonsense is swallowed")
	}
	var r map[string]int
	if err := c.Root().Call(deadline(t), "A.b", map[string]int{"n": 7}, &r); err != nil || r["n"] != 7 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestFaultsOverRealPipe checks that a wrapped connection can be closed while
// its browser neither reads nor writes.
func TestFaultsOverRealPipe(t *testing.T) {
	var f Faults
	tr, _, _ := osPipes(t)
	c := NewConn(tr, Options{Wrap: f.Wrap})
	p := c.Root().Start("A.b", nil)
	c.Close()
	if err := p.Wait(deadline(t), nil); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if c.Err() != ErrClosed {
		t.Errorf("Err is %v", c.Err())
	}
}
