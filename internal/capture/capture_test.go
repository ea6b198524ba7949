package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRing(t *testing.T) {
	r := NewRing[int](5, 100)
	for i := range 12 {
		if n := r.Add(i, 10); n != int64(i) {
			t.Fatalf("entry %d got number %d", i, n)
		}
	}
	if r.Len() != 5 || r.First() != 7 || r.Next() != 12 || r.Bytes() != 50 {
		t.Fatalf("len %d, first %d, next %d, bytes %d", r.Len(), r.First(), r.Next(), r.Bytes())
	}
	var got []int
	for n, v := range r.From(9) {
		if int64(*v) != n {
			t.Errorf("number %d holds %d", n, *v)
		}
		got = append(got, *v)
	}
	if fmt.Sprint(got) != "[9 10 11]" {
		t.Errorf("from 9: %v", got)
	}
	if r.At(6) != nil || r.At(12) != nil || *r.At(11) != 11 {
		t.Error("At")
	}
	r.Add(99, 95) // fits alone only
	if r.Len() != 1 || *r.At(r.First()) != 99 || r.Bytes() != 95 {
		t.Errorf("a large one: len %d, bytes %d", r.Len(), r.Bytes())
	}
	r.Clear()
	if r.Len() != 0 || r.Bytes() != 0 || r.Add(1, 1) != 13 {
		t.Error("numbers do not go on after a clear")
	}
}

func consoleParams(text string) []byte {
	return fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":%q}],"timestamp":1.7e12}`, text)
}

// TestBounds: the list never holds more than its bounds, and says how many are
// gone.
func TestBounds(t *testing.T) {
	s := NewStore("", nil)
	tab := s.Tab()
	for range MaxEntries + 100 {
		tab.Console(ConsoleEvent, consoleParams("x"))
	}
	list, gone := tab.Messages()
	if len(list)+int(gone) != MaxEntries+100 || len(list) > MaxEntries || len(list) < MaxEntries/2 {
		t.Errorf("%d messages, %d gone", len(list), gone)
	}
	long := consoleParams(strings.Repeat("y", 100_000))
	for range 2000 {
		tab.Console(ConsoleEvent, long)
	}
	if n := tab.console.Bytes(); n > maxConsole {
		t.Errorf("the console takes %d bytes", n)
	}
	list, _ = tab.Messages()
	if last := list[len(list)-1].Text; len(last) > maxText+100 || !strings.HasSuffix(last, "(100000 bytes in all)") {
		t.Errorf("a long text has %d bytes", len(last))
	}
	tab.ClearConsole()
	if list, gone := tab.Messages(); len(list) != 0 || gone != 0 {
		t.Errorf("after a clear: %d, %d gone", len(list), gone)
	}
}

// TestBudget: all tabs together keep to the budget, and who adds pays.
func TestBudget(t *testing.T) {
	s := NewStore("", nil)
	var tabs []*Tab
	long := consoleParams(strings.Repeat("z", maxRaw-200))
	for range maxTotal/maxConsole + 4 {
		tab := s.Tab()
		tabs = append(tabs, tab)
		for range maxConsole / len(long) {
			tab.Console(ConsoleEvent, long)
		}
	}
	if n := s.total.Load(); n > 2*maxTotal {
		t.Errorf("all tabs take %d bytes", n)
	}
	if list, gone := tabs[len(tabs)-1].Messages(); len(list) < 100 || gone == 0 {
		t.Errorf("the last tab: %d messages, %d gone", len(list), gone)
	}
	for _, tab := range tabs {
		tab.Close()
	}
	if n := s.total.Load(); n != 0 {
		t.Errorf("closed tabs take %d bytes", n)
	}
}

func request(id, url string) []byte {
	return fmt.Appendf(nil, `{"requestId":%q,"timestamp":1,"wallTime":1.7e9,"type":"Fetch","request":{"url":%q,"method":"GET","headers":{"Cookie":"a=b","Accept":"*/*"}}}`, id, url)
}

// TestSameAddress: requests for one address at once are told apart.
func TestSameAddress(t *testing.T) {
	tab := NewStore("", nil).Tab()
	for _, id := range []string{"1.1", "1.2", "1.3"} {
		tab.Network("Network.requestWillBeSent", "s", false, request(id, "http://a.test/"))
	}
	tab.Network("Network.responseReceived", "s", false, []byte(`{"requestId":"1.2","type":"Fetch","response":{"status":201,"headers":{}}}`))
	tab.Network("Network.loadingFinished", "s", false, []byte(`{"requestId":"1.2","timestamp":1.5,"encodedDataLength":7}`))
	tab.Network("Network.loadingFailed", "s", false, []byte(`{"requestId":"1.3","timestamp":2,"errorText":"net::ERR_FAILED","canceled":false}`))
	list, _ := tab.Requests()
	var got []string
	for _, r := range list {
		got = append(got, r.String())
	}
	want := []string{
		"GET http://a.test/ → pending (?ms, ?B) [fetch #1]",
		"GET http://a.test/ → 201 (500ms, 7B) [fetch #2]",
		"GET http://a.test/ → failed (1000ms, ?B) [fetch #3, ERR_FAILED]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	r, ok := tab.Request(2)
	if h := Headers(r.RequestHeaders); !ok || len(h) != 2 || h[0].Value != "[REDACTED — 3 chars]" || h[1].Value != "*/*" {
		t.Errorf("headers %v", h)
	}
}

// TestHeadersAreLetGo: ten thousand requests do not keep ten thousand headers.
func TestHeadersAreLetGo(t *testing.T) {
	tab := NewStore("", nil).Tab()
	for i := range 10_000 {
		tab.Network("Network.requestWillBeSent", "s", false, request(fmt.Sprint(i), "http://a.test/"))
	}
	list, _ := tab.Requests()
	kept := 0
	for _, r := range list {
		if r.RequestHeaders != nil {
			kept++
		}
	}
	if kept > maxHeaded || len(list) != 10_000 {
		t.Errorf("%d of %d have headers", kept, len(list))
	}
	if n := tab.network.Bytes(); n > 6<<20 {
		t.Errorf("%d bytes", n)
	}
}

// TestFiles: new entries are appended, secrets masked, by the daemon and by the
// next one; nothing is written twice, and floods are cut.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for round := range 2 {
		s := NewStore(dir, nil)
		tab := s.Tab()
		tab.Console(ConsoleEvent, consoleParams(fmt.Sprintf("round %d token=s3cret", round)))
		tab.Network("Network.requestWillBeSent", "s", false, request("1", "http://a.test/?access_token=s3cret"))
		s.flush(tab)
		tab.Console(ConsoleEvent, consoleParams("second"))
		tab.ClearConsole() // written before it is forgotten
		tab.Close()
		s.Close()
	}
	console, err := os.ReadFile(filepath.Join(dir, "browse-console.log"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(console), "\n"); got != 4 || !strings.Contains(string(console), "round 0 token=***") || strings.Contains(string(console), "s3cret") {
		t.Errorf("console log:\n%s", console)
	}
	network, _ := os.ReadFile(filepath.Join(dir, "browse-network.log"))
	if want := strings.Repeat("GET http://a.test/?access_token=*** → pending (?ms, ?B) [fetch #1]\n", 2); string(network) != want {
		t.Errorf("network log:\n%s", network)
	}
	fi, err := os.Stat(filepath.Join(dir, "browse-console.log"))
	if err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
}

// TestRotation: a file that is full is put aside, and only so many are kept.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	r := newRotated(dir, "x.log")
	defer r.close()
	part := strings.Repeat("0123456789abcde\n", 1<<16) // 1 MB
	for range 60 {
		r.append(part)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != oldFiles+1 {
		t.Errorf("files %v", files)
	}
	for _, f := range files {
		if fi, err := os.Stat(f); err != nil || fi.Size() > maxFile {
			t.Errorf("%s: %v, %v", f, fi.Size(), err)
		}
	}
}

// TestLink: a link in the place of a log file is not written through.
func TestLink(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	if err := os.Symlink(other, filepath.Join(dir, "x.log")); err != nil {
		t.Fatal(err)
	}
	r := newRotated(dir, "x.log")
	r.append("text\n")
	if _, err := os.Stat(other); err == nil {
		t.Error("written through a link")
	}
}

// TestWriter: what was added reaches the file within some seconds without
// anybody asking for it, and a quiet daemon has no writer.
func TestWriter(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(dir, nil)
	defer s.Close()
	tab := s.Tab()
	defer tab.Close()
	tab.Console(ConsoleEvent, consoleParams("hello"))
	deadline := time.Now().Add(10 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for time.Now().Before(deadline) {
		<-tick.C
		if data, _ := os.ReadFile(filepath.Join(dir, "browse-console.log")); strings.Contains(string(data), "hello") {
			return
		}
	}
	t.Error("not written")
}

func BenchmarkConsole(b *testing.B) {
	tab := NewStore("", nil).Tab()
	p := []byte(`{"type":"log","args":[{"type":"string","value":"tick"},{"type":"number","value":12,"description":"12"}],"executionContextId":3,"timestamp":1.7e12,"stackTrace":{"callFrames":[{"functionName":"tick","scriptId":"7","url":"http://127.0.0.1:1234/flood.html","lineNumber":3,"columnNumber":40}]}}`)
	b.ReportAllocs()
	for b.Loop() {
		tab.Console(ConsoleEvent, p)
	}
}

func BenchmarkDecode(b *testing.B) {
	p := []byte(`{"type":"log","args":[{"type":"string","value":"tick"},{"type":"number","value":12,"description":"12"}],"executionContextId":3,"timestamp":1.7e12,"stackTrace":{"callFrames":[{"functionName":"tick","scriptId":"7","url":"http://127.0.0.1:1234/flood.html","lineNumber":3,"columnNumber":40}]}}`)
	for b.Loop() {
		decode(ConsoleEvent, p)
	}
}
