package capture

import (
	"fmt"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/shield"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// NetworkEvents are the protocol events that [Tab.Network] reads.
var NetworkEvents = []string{
	"Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed",
	"Network.requestServedFromCache", "Network.webSocketCreated", "Network.webSocketHandshakeResponseReceived",
	"Network.webSocketFrameError", "Network.webSocketClosed", "Network.webTransportCreated", "Network.webTransportClosed",
}

// State is how far a request has come.
type State int

// The states.
const (
	Pending  State = iota
	Received       // the response's head has come
	Finished
	Failed
)

// Request is one request of a page, a frame or a worker of it.
type Request struct {
	// ID names it to users; it counts from 1 within a tab and never comes back.
	ID int
	// Protocol and Session name it to the browser.
	Protocol, Session string

	Method, URL string
	// Kind is the protocol's resource type in lower case: document, image, fetch,
	// xhr, ping (a beacon), websocket and so on.
	Kind    string
	Started time.Time
	State   State
	// Status is that of the response, 0 for none.
	Status     int
	StatusText string
	Mime       string
	Proto      string // http/1.1, h2, …
	Remote     string // address of the server
	// Took is the time until it ended, in milliseconds; Size is what came over
	// the wire, in bytes. Both are negative as long as they are unknown.
	Took float64
	Size int64
	// Failure is the network error or why the browser refused it, "" for none.
	Failure string
	// From is "", "memory cache", "disk cache", "service worker" or "prefetch cache".
	From string
	// To is where a redirect leads.
	To string
	// Worker is true for a request that a worker made.
	Worker bool
	// Initiator is script, parser, preload, other …
	Initiator string
	HasBody   bool // the request has one
	Timing    *Timing
	// The headers as the browser tells them; nil when they are no longer kept.
	RequestHeaders, ResponseHeaders jsontext.Value

	clock float64 // monotonic seconds at the start
}

// Timing are the phases of a request, in milliseconds after its start; negative
// is unknown (CDP Network.ResourceTiming).
type Timing struct {
	DNSStart     float64 `json:"dnsStart"`
	DNSEnd       float64 `json:"dnsEnd"`
	ConnectStart float64 `json:"connectStart"`
	ConnectEnd   float64 `json:"connectEnd"`
	SSLStart     float64 `json:"sslStart"`
	SSLEnd       float64 `json:"sslEnd"`
	SendStart    float64 `json:"sendStart"`
	SendEnd      float64 `json:"sendEnd"`
	HeadersStart float64 `json:"receiveHeadersStart"`
	HeadersEnd   float64 `json:"receiveHeadersEnd"`
	RequestTime  float64 `json:"requestTime"`
}

// Bad reports whether the request failed or was answered by a 4xx or 5xx.
func (r *Request) Bad() bool { return r.State == Failed || r.Status >= 400 }

// String is the request's line in command and log, secrets masked.
func (r *Request) String() string {
	status := "pending"
	switch {
	case r.State == Failed:
		status = "failed"
	case r.Status != 0:
		status = fmt.Sprint(r.Status)
	case r.State == Finished:
		status = "done"
	}
	took, size := "?", "?"
	if r.Took >= 0 {
		took = fmt.Sprintf("%.0f", r.Took)
	}
	if r.Size >= 0 {
		size = fmt.Sprint(r.Size)
	}
	notes := []string{r.Kind + " #" + fmt.Sprint(r.ID)}
	for _, n := range []string{r.From, r.Failure} {
		if n != "" {
			notes = append(notes, n)
		}
	}
	if r.Worker {
		notes = append(notes, "from a worker")
	}
	if r.To != "" {
		notes = append(notes, "to "+shield.MaskURL(r.To))
	}
	return api.Clean(fmt.Sprintf("%s %s → %s (%sms, %sB) [%s]", r.Method, shield.MaskURL(r.URL), status, took, size, strings.Join(notes, ", ")))
}

// Header is one header, its value masked where it is secret.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Headers reads headers as the browser tells them, masked. A header that came
// several times has one value per line.
func Headers(raw jsontext.Value) []Header {
	out := []Header{}
	d := jsontext.NewDecoder(strings.NewReader(string(raw)), decodeOptions)
	if d.PeekKind() != '{' {
		return out
	}
	_, _ = d.ReadToken()
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			break
		}
		key := name.String()
		var value string
		if json.UnmarshalDecode(d, &value) != nil {
			break
		}
		for v := range strings.SplitSeq(value, "\n") {
			out = append(out, Header{key, shield.MaskHeader(key, v)})
		}
	}
	return out
}

// maxURL bounds the address of a request that is kept, in bytes.
const maxURL = 2048

// shortURL cuts a long address; the content of a data: address is not kept.
func shortURL(url string) string {
	if strings.HasPrefix(url, "data:") {
		if i := strings.IndexByte(url, ','); i > 0 && i < 100 {
			return fmt.Sprintf("%s,… (%d bytes)", url[:i], len(url))
		}
	}
	if len(url) > maxURL {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(url[:maxURL], ""), len(url))
	}
	return url
}

// maxWord bounds what is meant to be a word, such as a method, in bytes: a page
// may make it a megabyte.
const maxWord = 100

func word(s string) string {
	if len(s) > maxWord {
		return strings.ToValidUTF8(s[:maxWord], "") + "…"
	}
	return s
}

// cost is what the request takes, in bytes.
func (r *Request) cost() int {
	n := 420 + len(r.URL) + len(r.Protocol) + len(r.Mime) + len(r.Failure) + len(r.To) + len(r.RequestHeaders) + len(r.ResponseHeaders) +
		len(r.Method) + len(r.StatusText) + len(r.Proto) + len(r.Initiator)
	if r.Timing != nil {
		n += 96
	}
	return n
}

type response struct {
	URL               string         `json:"url"`
	Status            int            `json:"status"`
	StatusText        string         `json:"statusText"`
	Headers           jsontext.Value `json:"headers"`
	Mime              string         `json:"mimeType"`
	RemoteIP          string         `json:"remoteIPAddress"`
	RemotePort        int            `json:"remotePort"`
	FromDisk          bool           `json:"fromDiskCache"`
	FromServiceWorker bool           `json:"fromServiceWorker"`
	FromPrefetch      bool           `json:"fromPrefetchCache"`
	Size              float64        `json:"encodedDataLength"`
	Timing            *Timing        `json:"timing"`
	Proto             string         `json:"protocol"`
}

// event is the union of what the events of the network domain tell that we read.
type event struct {
	RequestID string  `json:"requestId"`
	Time      float64 `json:"timestamp"`
	WallTime  float64 `json:"wallTime"`
	Type      string  `json:"type"`
	URL       string  `json:"url"` // of a web socket
	Request   struct {
		URL     string         `json:"url"`
		Method  string         `json:"method"`
		Headers jsontext.Value `json:"headers"`
		HasBody bool           `json:"hasPostData"`
	} `json:"request"`
	Initiator struct {
		Type string `json:"type"`
	} `json:"initiator"`
	Redirect     *response `json:"redirectResponse"`
	Response     response  `json:"response"`
	Size         float64   `json:"encodedDataLength"`
	ErrorText    string    `json:"errorText"`
	ErrorMessage string    `json:"errorMessage"`
	Blocked      string    `json:"blockedReason"`
	Canceled     bool      `json:"canceled"`
	CORS         *struct {
		Error string `json:"corsError"`
	} `json:"corsErrorStatus"`
	TransportID string `json:"transportId"`
}

// answered takes over the head of a response.
func (r *Request) answered(p *response) {
	r.Status, r.StatusText, r.Mime, r.Proto = p.Status, word(p.StatusText), word(p.Mime), word(p.Proto)
	r.ResponseHeaders, r.Timing = p.Headers, p.Timing
	if p.RemoteIP != "" {
		r.Remote = fmt.Sprintf("%s:%d", p.RemoteIP, p.RemotePort)
	}
	switch {
	case p.FromServiceWorker:
		r.From = "service worker"
	case p.FromPrefetch:
		r.From = "prefetch cache"
	case p.FromDisk:
		r.From = "disk cache"
	}
}

// failed says why a request came to nothing.
func failed(e *event) string {
	switch {
	case e.CORS != nil && e.CORS.Error != "":
		return "blocked: CORS " + e.CORS.Error
	case e.Blocked != "":
		return "blocked: " + e.Blocked
	case e.Canceled && (e.ErrorText == "" || strings.HasSuffix(e.ErrorText, "ERR_ABORTED")):
		return "canceled"
	}
	return strings.TrimPrefix(e.ErrorText, "net::")
}
