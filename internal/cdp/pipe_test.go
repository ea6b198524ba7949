package cdp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-json-experiment/json"
)

type closer struct {
	io.Reader
	io.Writer
}

func (closer) Close() error { return nil }

// messages reads until the end and returns copies.
func messages(t *testing.T, tr Transport) ([]string, error) {
	t.Helper()
	var got []string
	for {
		m, err := tr.Read()
		if err != nil {
			return got, err
		}
		got = append(got, string(m))
	}
}

func TestPipeFraming(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var want []string
	var all bytes.Buffer
	for range 300 {
		n := rng.IntN(200)
		if rng.IntN(20) == 0 {
			n = rng.IntN(400_000)
		}
		s := strings.Repeat(string(rune('a'+rng.IntN(26))), n)
		want = append(want, s)
		all.WriteString(s)
		all.WriteByte(0)
	}
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole":    func(r io.Reader) io.Reader { return r },
		"bytes":    iotest.OneByteReader,
		"halves":   iotest.HalfReader,
		"with EOF": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			tr := NewPipe(closer{Reader: wrap(bytes.NewReader(all.Bytes()))}, closer{})
			got, err := messages(t, tr)
			if err != io.EOF {
				t.Error(err)
			}
			if len(got) != len(want) {
				t.Fatalf("%d messages, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("message %d has %d bytes, want %d", i, len(got[i]), len(want[i]))
				}
			}
		})
	}
}

func TestPipeEnds(t *testing.T) {
	for in, want := range map[string]error{"": io.EOF, "a\x00": io.EOF, "a\x00b": io.ErrUnexpectedEOF} {
		_, err := messages(t, NewPipe(closer{Reader: strings.NewReader(in)}, closer{}))
		if err != want {
			t.Errorf("%q: %v, want %v", in, err, want)
		}
	}
	boom := errors.New("boom")
	if _, err := messages(t, NewPipe(closer{Reader: iotest.ErrReader(boom)}, closer{})); err != boom {
		t.Error(err)
	}
}

// TestPipeLarge checks that a message of 100 MB costs no more than a few
// copies, and that its memory is not kept.
func TestPipeLarge(t *testing.T) {
	const size = 100 << 20
	p := NewPipe(closer{Reader: io.MultiReader(
		io.LimitReader(filler{}, size), strings.NewReader("\x00small\x00"),
		io.LimitReader(filler{}, size), strings.NewReader("\x00small\x00"),
	)}, closer{}).(*pipe)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := p.Read()
	if err != nil || len(m) != size {
		t.Fatalf("%d bytes, %v", len(m), err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 5*size {
		t.Errorf("reading %d bytes took %d bytes of memory", size, n)
	}
	if m, err = p.Read(); err != nil || string(m) != "small" {
		t.Fatalf("%.20q, %v", m, err)
	}
	if cap(p.buf) > keepRead {
		t.Errorf("%d bytes are kept", cap(p.buf))
	}
	if m, err = p.Read(); err != nil || len(m) != size || !p.yield() {
		t.Fatalf("%d bytes, %v", len(m), err)
	}
	n, err := p.Read()
	if err != nil || string(n) != "small" || cap(p.buf) > keepRead {
		t.Fatalf("%.20q, %v, %d bytes are kept", n, err, cap(p.buf))
	}
	if m[0] != 'x' || m[size-1] != 'x' {
		t.Error("the message that was given away has changed")
	}
}

// TestPipeTooLarge: a message over the bound is not kept; its command fails, and
// what follows is read.
func TestPipeTooLarge(t *testing.T) {
	r, w := io.Pipe()
	c := NewConn(NewPipe(r, closer{Writer: io.Discard}), Options{Report: func(error) {}})
	defer c.Close()
	large, next := c.Root().Start("A.b", nil), c.Root().Start("A.c", nil)
	wrote := make(chan error, 1)
	go func() {
		_, err := io.Copy(w, io.MultiReader(
			strings.NewReader(`{"method":"A.e","params":{"x":"`), io.LimitReader(filler{}, maxMessage), strings.NewReader("\"}}\x00"),
			strings.NewReader(`{"id":1,"result":{"x":"`), io.LimitReader(filler{}, 3*maxMessage/2), strings.NewReader("\"}}\x00"+`{"id":2,"result":{}}`+"\x00"),
		))
		wrote <- err
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := large.Wait(deadline(t), nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("the large answer: %v", err)
	}
	if err := next.Wait(deadline(t), nil); err != nil {
		t.Errorf("the one behind it: %v", err)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+keepRead {
		t.Errorf("%d bytes are kept", after.HeapAlloc-before.HeapAlloc)
	}
}

// filler reads as x without end.
type filler struct{}

func (filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestYield checks that an answer that took the memory of the transport is not
// overwritten by what follows.
func TestYield(t *testing.T) {
	r, w := io.Pipe()
	c := NewConn(NewPipe(r, closer{Writer: io.Discard}), Options{})
	defer c.Close()
	var ps []*Pending
	for range 20 {
		ps = append(ps, c.Root().Start("A.b", nil))
	}
	go func() {
		for i := range ps {
			fmt.Fprintf(w, `{"id":%d,"result":{"v":"%s"}}`+"\x00", i+1, strings.Repeat(string(rune('a'+i)), 100_000*i+10))
			fmt.Fprintf(w, `{"method":"A.b","params":{"v":"%s"}}`+"\x00", strings.Repeat("-", 30_000*i))
		}
	}()
	for i, p := range ps {
		var r struct {
			V string `json:"v"`
		}
		if err := p.Wait(deadline(t), &r); err != nil {
			t.Fatal(err)
		}
		if r.V != strings.Repeat(string(rune('a'+i)), 100_000*i+10) {
			t.Errorf("answer %d is wrong", i)
		}
	}
}

// stutter writes a few bytes at a time, against the rules of io.Writer.
type stutter struct{ bytes.Buffer }

func (s *stutter) Write(p []byte) (int, error) { return s.Buffer.Write(p[:min(3, len(p))]) }

func TestPipeWrite(t *testing.T) {
	var s stutter
	p := NewPipe(closer{Reader: strings.NewReader("")}, closer{Writer: &s})
	for _, m := range []string{"hello, world", "again"} {
		if err := p.Write([]byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if s.String() != "hello, world\x00again\x00" {
		t.Errorf("wrote %q", s.String())
	}
	none := NewPipe(closer{}, closer{Writer: writerFunc(func([]byte) (int, error) { return 0, nil })})
	if err := none.Write([]byte("x")); err != io.ErrNoProgress {
		t.Errorf("a writer that takes nothing: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// osPipes returns a transport over real pipes, and the browser's ends of them.
func osPipes(t testing.TB) (tr Transport, in, out *os.File) {
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	tr = NewPipe(r, w)
	t.Cleanup(func() { tr.Close(); in.Close(); out.Close() })
	return tr, in, out
}

// TestBlockedPipe is about a browser that has stopped reading: the deadline of
// a call holds, a command that was given up is not sent later, and all goes on
// when the browser does.
func TestBlockedPipe(t *testing.T) {
	tr, in, out := osPipes(t)
	c := NewConn(tr, Options{WriteQueueBytes: 1 << 20})
	defer c.Close()
	pad := strings.Repeat("x", 10_000)
	begun := c.Root().Start("Large.call", map[string]string{"pad": strings.Repeat("x", 200_000)}) // more than fits
	given, cancel := context.WithCancel(context.Background())
	waits := make(chan error)
	for i := range 10 {
		go func() {
			waits <- c.Root().Call(given, "Given.up", map[string]string{"pad": pad, "i": fmt.Sprint(i)}, nil)
		}()
	}
	short, cancelShort := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancelShort()
	start := time.Now()
	if err := c.Root().Call(short, "Given.up", nil, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	cancel()
	for range 10 {
		if err := <-waits; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	// The bound of the queue.
	var stuck error
	for range 200 {
		p := c.Root().Start("Queued.call", map[string]string{"pad": pad})
		select {
		case a := <-p.answer:
			stuck = p.finish(a, nil)
		default:
		}
		if stuck != nil {
			break
		}
	}
	if !errors.Is(stuck, ErrStuck) {
		t.Errorf("the queue grows beyond its bound: %v", stuck)
	}

	// The browser wakes up.
	var wg sync.WaitGroup
	browser := NewPipe(in, closer{Writer: io.Discard})
	methods := map[string]int{}
	answered := make(chan struct{})
	wg.Go(func() {
		for {
			m, err := browser.Read()
			if err != nil {
				return
			}
			var cmd command
			if err := json.Unmarshal(m, &cmd); err != nil {
				t.Error(err)
				return
			}
			methods[cmd.Method]++
			fmt.Fprintf(out, "{\"id\":%d,\"result\":{}}\x00", cmd.ID)
			if cmd.Method == "Last.call" {
				close(answered)
			}
		}
	})
	if err := begun.Wait(deadline(t), nil); err != nil {
		t.Error(err)
	}
	if err := c.Root().Call(deadline(t), "Last.call", nil, nil); err != nil {
		t.Error(err)
	}
	<-answered
	c.Close()
	in.Close()
	wg.Wait()
	if methods["Given.up"] != 0 || methods["Large.call"] != 1 || methods["Queued.call"] < 50 {
		t.Errorf("the browser saw %v", methods)
	}
}

// TestCloseOfBlockedPipe checks that Close does not wait for a browser that
// neither reads nor writes.
func TestCloseOfBlockedPipe(t *testing.T) {
	tr, _, _ := osPipes(t)
	c := NewConn(tr, Options{})
	var ps []*Pending
	for range 5 {
		ps = append(ps, c.Root().Start("Large.call", map[string]string{"pad": strings.Repeat("x", 200_000)}))
	}
	c.Close()
	for _, p := range ps {
		if err := p.Wait(deadline(t), nil); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
	if c.Err() != ErrClosed {
		t.Errorf("Err is %v", c.Err())
	}
}

// TestDeadBrowser checks that writing to a pipe without a reader is an error
// and not a signal.
func TestDeadBrowser(t *testing.T) {
	tr, in, _ := osPipes(t)
	c := NewConn(tr, Options{})
	defer c.Close()
	in.Close()
	if err := c.Root().Call(deadline(t), "A.b", nil, nil); !errors.Is(err, ErrClosed) || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("%v", err)
	}
	<-c.Done()
}

func BenchmarkPipe(b *testing.B) {
	for _, size := range []int{100, 10_000, 10_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			tr, _, out := osPipes(b)
			m := append(bytes.Repeat([]byte{'x'}, size), 0)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					if _, err := out.Write(m); err != nil {
						return
					}
				}
			}()
			for b.Loop() {
				if _, err := tr.Read(); err != nil {
					b.Fatal(err)
				}
			}
			tr.Close()
			<-done
		})
	}
}
