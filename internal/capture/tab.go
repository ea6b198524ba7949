package capture

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// Bounds of what is kept of one tab.
const (
	// MaxEntries bounds each list, see commands.md section 5.8.
	MaxEntries = 50_000
	// maxConsole and maxNetwork bound the lists in bytes.
	maxConsole = 12 << 20
	maxNetwork = 12 << 20
	// maxHeaded is of how many of the latest requests headers and timing are kept.
	maxHeaded = 1000
	// maxRaw is how large an event may be to be kept as it is until it is read.
	maxRaw = 8 << 10
	// maxBodies and MaxBody bound what capturing bodies keeps, in bytes.
	maxBodies = 50 << 20
	MaxBody   = 5 << 20
)

// Tab keeps what one tab says. Its methods may be called from any goroutine.
type Tab struct {
	store *Store

	mu       sync.Mutex
	console  Ring[entry]
	network  Ring[Request]
	open     map[string]int64 // requests that have not ended, by protocol id
	lastID   int
	changed  chan struct{} // closed at the next event of the network, nil when nobody waits
	lost     int64         // events that the browser sent faster than they could be taken
	bodies   Ring[Body]
	filter   *regexp.Regexp
	taking   bool     // bodies are captured
	written  int64    // number of the first message that the log does not have
	ended    []string // lines of requests that have ended, for the log
	skipped  int64    // of ended, because there were too many
	closed   bool
	consumed int // of the store's budget
	// clearedAt are the first numbers after the user cleared console and network.
	clearedAt [2]int64
}

// Body is the captured content of a response.
type Body struct {
	Request   Request
	Text      string
	Base64    bool // Text is base64
	Size      int
	Truncated bool // too large or not to be had: Text is empty
	At        time.Time
}

func newTab(s *Store) *Tab {
	return &Tab{
		store: s, open: map[string]int64{},
		console: NewRing[entry](MaxEntries, maxConsole), network: NewRing[Request](MaxEntries, maxNetwork), bodies: NewRing[Body](MaxEntries, maxBodies),
	}
}

// Console takes the params of one of the protocol's console events. It copies
// them and decodes nothing: a page may log faster than anything can be decoded.
func (t *Tab) Console(event string, params []byte) {
	e := entry{event: event}
	if len(params) <= maxRaw {
		e.raw = bytes.Clone(params)
	} else {
		m := decode(event, params)
		e.msg = &m
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.console.Add(e, e.cost())
	t.accountLocked()
	t.store.wake()
}

// accountLocked keeps the daemon's whole capture near its budget: a tab that adds
// beyond it, and has more than its share, pays with its own oldest entries. Tabs
// that have their share from a time with fewer tabs keep it until they add, so
// that the budget can be exceeded, in theory to twice its size.
func (t *Tab) accountLocked() {
	for {
		now := t.console.Bytes() + t.network.Bytes() + t.bodies.Bytes()
		total := t.store.account(now - t.consumed)
		t.consumed = now
		if total <= maxTotal || now <= t.store.share() {
			return
		}
		switch max(t.console.Bytes(), t.network.Bytes(), t.bodies.Bytes()) {
		case t.bodies.Bytes():
			t.bodies.DropOldest()
		case t.console.Bytes():
			t.console.DropOldest()
		default:
			t.network.DropOldest()
		}
	}
}

// Lose counts events that were dropped before they came here.
func (t *Tab) Lose(n int64) {
	t.mu.Lock()
	t.lost += n
	t.mu.Unlock()
}

// Messages returns the console, the oldest message first, and how many are no
// longer kept.
func (t *Tab) Messages() (list []Message, gone int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list = make([]Message, 0, t.console.Len())
	for n, e := range t.console.From(0) {
		list = append(list, e.message())
		t.console.Recost(n, e.cost())
	}
	t.accountLocked()
	return list, t.console.First() - t.clearedAt[0] + t.lost
}

// ClearConsole lets go of all messages. What has not been written to the log yet
// is written first.
func (t *Tab) ClearConsole() {
	t.store.flush(t)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.console.Clear()
	t.clearedAt[0], t.lost = t.console.First(), 0
	t.accountLocked()
}

// Network takes the params of one of [NetworkEvents]. Session names where it
// came from, worker whether that is a worker. It returns the request when it has
// just ended and its body is wanted, else nil.
func (t *Tab) Network(method, session string, worker bool, params []byte) *Request {
	var e event
	if json.Unmarshal(params, &e, decodeOptions) != nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	wanted := t.networkLocked(strings.TrimPrefix(method, "Network."), session, worker, &e)
	t.accountLocked()
	t.store.wake()
	t.notifyLocked()
	return wanted
}

func (t *Tab) networkLocked(method, session string, worker bool, e *event) *Request {
	if e.RequestID == "" {
		e.RequestID = e.TransportID
	}
	switch method {
	case "requestWillBeSent":
		if e.Redirect != nil {
			t.redirectedLocked(e)
		}
		t.beginLocked(session, worker, e, Request{Method: word(e.Request.Method), URL: e.Request.URL, Kind: strings.ToLower(e.Type),
			RequestHeaders: e.Request.Headers, HasBody: e.Request.HasBody, Initiator: e.Initiator.Type})
		return nil
	case "webSocketCreated":
		t.beginLocked(session, worker, e, Request{Method: "GET", URL: e.URL, Kind: "websocket", Initiator: e.Initiator.Type})
		return nil
	case "webTransportCreated":
		t.beginLocked(session, worker, e, Request{Method: "CONNECT", URL: e.URL, Kind: "webtransport", Initiator: e.Initiator.Type})
		return nil
	}
	// An id is unique in the browser. A worker's script and the document of a frame
	// begin in one session and end in another, which then has the body.
	key := e.RequestID
	number, ok := t.open[key]
	r := t.network.At(number)
	if !ok || r == nil {
		delete(t.open, key)
		return nil
	}
	var wanted *Request
	switch method {
	case "responseReceived", "webSocketHandshakeResponseReceived":
		if e.Type != "" {
			r.Kind = strings.ToLower(e.Type)
		}
		r.answered(&e.Response)
		r.State, r.Session = Received, session
	case "requestServedFromCache":
		r.From = "memory cache"
	case "webSocketFrameError":
		r.Failure = e.ErrorMessage
	case "loadingFailed", "loadingFinished", "webSocketClosed", "webTransportClosed":
		wanted = t.endLocked(key, r, method == "loadingFailed", e)
	}
	t.network.Recost(number, r.cost())
	return wanted
}

func (t *Tab) beginLocked(session string, worker bool, e *event, r Request) {
	t.lastID++
	r.ID, r.Protocol, r.Session, r.Worker = t.lastID, e.RequestID, session, worker
	r.URL, r.Took, r.Size, r.clock = shortURL(r.URL), -1, -1, e.Time
	r.Started = time.Now()
	if e.WallTime > 0 {
		r.Started = time.UnixMicro(int64(e.WallTime * 1e6))
	}
	if r.Kind == "" {
		r.Kind = "other"
	}
	n := t.network.Add(r, r.cost())
	t.open[e.RequestID] = n
	if old := t.network.At(n - maxHeaded); old != nil {
		old.RequestHeaders, old.ResponseHeaders, old.Timing = nil, nil, nil
		t.network.Recost(n-maxHeaded, old.cost())
	}
	if len(t.open) > MaxEntries {
		for k, n := range t.open {
			if t.network.At(n) == nil {
				delete(t.open, k)
			}
		}
	}
}

// redirectedLocked ends the request that was answered by a redirect.
func (t *Tab) redirectedLocked(e *event) {
	key := e.RequestID
	number := t.open[key]
	if r := t.network.At(number); r != nil && r.Protocol == key {
		r.answered(e.Redirect)
		r.To = shortURL(e.Request.URL)
		e2 := *e
		e2.Size = e.Redirect.Size
		t.endLocked(key, r, false, &e2)
		t.network.Recost(number, r.cost())
	}
}

// endLocked ends a request; it returns a copy when its body is wanted.
func (t *Tab) endLocked(key string, r *Request, bad bool, e *event) *Request {
	delete(t.open, key)
	r.State = Finished
	switch {
	case bad:
		r.State, r.Failure = Failed, failed(e)
		if r.Failure == nameNotResolved {
			if why := t.store.refused(hostOf(r.URL)); why != "" {
				r.Failure = "refused: " + why
			}
		}
	case r.Failure != "": // of a web socket
		r.State = Failed
	default:
		r.Size = int64(e.Size)
	}
	if e.Time > r.clock && r.clock > 0 {
		r.Took = (e.Time - r.clock) * 1000
	}
	if t.store.dir != "" {
		if len(t.ended) < maxLines {
			t.ended = append(t.ended, r.String())
		} else {
			t.skipped++
		}
	}
	if !t.taking || bad || r.To != "" || (t.filter != nil && !t.filter.MatchString(r.URL)) || noBody(r.Status) {
		return nil
	}
	c := *r
	return &c
}

// nameNotResolved is the network error of a host that may not be opened, and of
// one that does not exist.
const nameNotResolved = "ERR_NAME_NOT_RESOLVED"

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Refused returns the host, and why it may not be opened, of the tab's latest
// request for a document, when that is why it failed; "" otherwise.
func (t *Tab) Refused() (host, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n := t.network.Next() - 1; n >= t.network.First(); n-- {
		if r := t.network.At(n); r.Kind == "document" {
			host = hostOf(r.URL)
			return host, t.store.refused(host)
		}
	}
	return "", ""
}

// noBody reports whether a response of that status has no content to capture.
func noBody(status int) bool {
	return status == 0 || status == 204 || status == 301 || status == 302 || status == 304
}

// Requests returns what the tab has requested, the oldest first, and how many
// are no longer kept.
func (t *Tab) Requests() (list []Request, gone int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list = make([]Request, 0, t.network.Len())
	for _, r := range t.network.From(0) {
		list = append(list, *r)
	}
	return list, t.network.First() - t.clearedAt[1]
}

// Request returns the request with an id.
func (t *Tab) Request(id int) (Request, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// Ids and numbers run in step.
	if r := t.network.At(t.network.Next() - 1 - int64(t.lastID-id)); r != nil && r.ID == id {
		return *r, true
	}
	return Request{}, false
}

// ClearNetwork lets go of all requests that have ended; their lines are written
// to the log first.
func (t *Tab) ClearNetwork() {
	t.store.flush(t)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.network.Clear()
	clear(t.open)
	t.clearedAt[1] = t.network.First()
	t.accountLocked()
}

// Capture begins to keep the bodies of responses whose address matches filter,
// nil for all. It reports false when it was already doing so.
func (t *Tab) Capture(filter *regexp.Regexp) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.taking
	if !was {
		t.taking, t.filter = true, filter
	}
	return !was
}

// StopCapture ends it and returns what is kept: how many, and how many bytes.
// ok is false when nothing was captured.
func (t *Tab) StopCapture() (n, size int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.taking
	t.taking = false
	for _, b := range t.bodies.From(0) {
		size += b.Size
	}
	return t.bodies.Len(), size, was
}

// AddBody keeps the body of a response.
func (t *Tab) AddBody(b Body) {
	if b.Size > MaxBody {
		b.Text, b.Truncated = "", true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.bodies.Add(b, len(b.Text)+b.Request.cost()+64)
	t.accountLocked()
}

// Bodies returns the captured bodies, the oldest first.
func (t *Tab) Bodies() []Body {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]Body, 0, t.bodies.Len())
	for _, b := range t.bodies.From(0) {
		list = append(list, *b)
	}
	return list
}

// Sizes returns how many messages and requests are kept, and the bytes of the
// captured bodies.
func (t *Tab) Sizes() (messages, requests, bodies int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.console.Len(), t.network.Len(), t.bodies.Bytes()
}

// Close writes what has not been written and lets go of everything.
func (t *Tab) Close() {
	t.mu.Lock()
	t.closed = true
	for _, r := range t.network.From(0) {
		if r.State < Finished && t.store.dir != "" && len(t.ended) < maxLines {
			t.ended = append(t.ended, r.String()) // it never ended
		}
	}
	t.mu.Unlock()
	t.store.flush(t)
	t.mu.Lock()
	t.console.Clear()
	t.network.Clear()
	t.bodies.Clear()
	clear(t.open)
	t.accountLocked()
	t.mu.Unlock()
	t.store.forget(t)
}
