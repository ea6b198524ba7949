package verbs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/capture"
	"gstack/internal/command"
	"gstack/internal/safe"
	"gstack/internal/shield"
)

var networkVerb = define(command.Spec{
	Name: "network", Group: "Inspection", Scope: command.Read, Effect: command.Reads, Nestable: true,
	Summary: "Show what the page requested",
	Doc: `One line per request of the tab, its frames and workers, the oldest first: method, address,
status, time, bytes on the wire, then its kind and number, where the answer came from, and
why it failed. Beacons, web sockets and requests that were blocked are included. The latest
50,000 are kept; secrets in addresses and headers are masked.

  network request N       headers, timing and both bodies of request N
  network --capture       keep the bodies of responses from now on (--filter: of those)
  network --capture stop  end that; network --bodies lists them
  network --export FILE   the captured responses as JSON lines
  network --har FILE      everything in the list as HAR 1.2

The lines are also appended to .gstack/browse-network.log once a second, and stay there.`,
	Examples: []string{"network --failed", "network --filter '/api/'", "network request 12", "network --capture --filter '/api/'", "network --har session.har"},
}, networkRun)

type networkIn struct {
	What    []string `arg:"what" optional:"true" rest:"true" help:"request N, or stop after --capture"`
	Clear   bool     `flag:"clear" help:"forget the requests of the tab"`
	Failed  bool     `flag:"failed" help:"only those that failed or were answered by a 4xx or 5xx"`
	Filter  string   `flag:"filter" value:"REGEX" help:"only addresses that match"`
	Last    int      `flag:"last" value:"N" help:"the latest N only"`
	Capture bool     `flag:"capture" help:"keep the bodies of responses from now on"`
	Bodies  bool     `flag:"bodies" help:"list the captured responses"`
	Export  string   `flag:"export" value:"FILE" help:"write the captured responses as JSON lines"`
	HAR     string   `flag:"har" value:"FILE" help:"write the list as HAR 1.2"`
}

const networkUsage = "usage: browse network [request N] [--failed] [--filter REGEX] [--capture [stop]]"

func networkRun(ctx context.Context, env *Env, in networkIn) (Result, error) {
	match, err := filterOf(in.Filter, "network")
	if err != nil {
		return Result{}, err
	}
	switch {
	case in.Capture && len(in.What) == 0:
		if !env.Tab.Capture().Capture(match) {
			return Result{Text: "Network capture is already active; network --capture stop ends it", Ours: true}, nil
		}
		text := "Network capture started"
		if in.Filter != "" {
			text += " (filter: " + api.Clean(in.Filter) + ")"
		}
		return Result{Text: text + "; network --bodies lists what it has, network --capture stop ends it", Ours: true}, nil
	case in.Capture && slices.Equal(in.What, []string{"stop"}):
		n, size, ok := env.Tab.Capture().StopCapture()
		if !ok {
			return Result{}, api.Errorf(api.Failed, "browse network --capture", "network: nothing is captured in tab %d", env.Tab.ID)
		}
		return Result{Text: fmt.Sprintf("Network capture stopped. %d responses captured (%dKB).", n, size>>10), Data: map[string]int{"responses": n, "bytes": size}, Ours: true}, nil
	case len(in.What) == 2 && in.What[0] == "request":
		id, err := strconv.Atoi(strings.TrimPrefix(in.What[1], "#"))
		if err != nil {
			return Result{}, api.Errorf(api.BadUsage, "browse network lists the numbers", "network: %q is no number of a request", in.What[1])
		}
		return networkRequest(ctx, env, id)
	case len(in.What) > 0:
		return Result{}, api.Errorf(api.BadUsage, networkUsage, "network: unexpected argument %q", in.What[0])
	case in.Bodies:
		return networkBodies(env)
	case in.Export != "":
		return networkExport(env, in.Export)
	}
	list, gone := env.Tab.Requests(ctx)
	if in.Clear {
		env.Tab.Capture().ClearNetwork()
		return Result{Text: fmt.Sprintf("Cleared %d network requests", len(list)), Data: map[string]int{"cleared": len(list)}, Ours: true}, nil
	}
	list = slices.DeleteFunc(list, func(r capture.Request) bool {
		return in.Failed && !r.Bad() || match != nil && !match.MatchString(r.URL)
	})
	own := ""
	if n := len(list); in.Last > 0 && n > in.Last {
		list = list[n-in.Last:]
		own = fmt.Sprintf("[%d before these]", n-in.Last)
	}
	if gone > 0 {
		own = strings.TrimPrefix(own+fmt.Sprintf("\n[%d requests are no longer kept]", gone), "\n")
	}
	if in.HAR != "" {
		return networkHAR(env, list, in.HAR)
	}
	if len(list) == 0 {
		return Result{Text: "(no network requests)", Data: []requestOut{}, Own: own, Ours: true}, nil
	}
	lines := make([]string, 0, len(list))
	data := make([]requestOut, 0, len(list))
	for i := range list {
		lines = append(lines, list[i].String())
		data = append(data, outOf(&list[i]))
	}
	return Result{Text: strings.Join(lines, "\n"), Data: data, Own: own, Lines: true}, nil
}

// requestOut is the machine form of a request.
type requestOut struct {
	ID        int      `json:"id"`
	Method    string   `json:"method"`
	URL       string   `json:"url"`
	Type      string   `json:"type"`
	State     string   `json:"state"`
	Status    int      `json:"status,omitempty"`
	Started   string   `json:"started"`
	MS        *float64 `json:"ms"`
	Bytes     *int64   `json:"bytes"`
	Mime      string   `json:"mimeType,omitempty"`
	Protocol  string   `json:"protocol,omitempty"`
	Remote    string   `json:"remote,omitempty"`
	Failure   string   `json:"failure,omitempty"`
	From      string   `json:"from,omitempty"`
	Redirect  string   `json:"redirectTo,omitempty"`
	Worker    bool     `json:"worker,omitempty"`
	Initiator string   `json:"initiator,omitempty"`
}

func outOf(r *capture.Request) requestOut {
	o := requestOut{
		ID: r.ID, Method: r.Method, URL: shield.MaskURL(r.URL), Type: r.Kind, Status: r.Status, Started: capture.Stamp(r.Started),
		State: [...]string{"pending", "received", "finished", "failed"}[r.State], Mime: r.Mime, Protocol: r.Proto, Remote: r.Remote,
		Failure: r.Failure, From: r.From, Redirect: shield.MaskURL(r.To), Worker: r.Worker, Initiator: r.Initiator,
	}
	if r.Took >= 0 {
		o.MS = &r.Took
	}
	if r.Size >= 0 {
		o.Bytes = &r.Size
	}
	return o
}

// networkRequest shows one request with its headers and bodies.
func networkRequest(ctx context.Context, env *Env, id int) (Result, error) {
	r, ok := env.Tab.Capture().Request(id)
	if !ok {
		return Result{}, api.Errorf(api.NotFound, "browse network lists what there is", "tab %d has no request %d, or it is no longer kept", env.Tab.ID, id)
	}
	type detail struct {
		requestOut
		RequestHeaders  []capture.Header   `json:"requestHeaders"`
		ResponseHeaders []capture.Header   `json:"responseHeaders"`
		Timing          map[string]float64 `json:"timing,omitempty"`
		RequestBody     string             `json:"requestBody,omitempty"`
		Body            *string            `json:"body"`
		Base64          bool               `json:"base64,omitempty"`
		Note            string             `json:"note,omitempty"`
	}
	d := detail{requestOut: outOf(&r), RequestHeaders: capture.Headers(r.RequestHeaders), ResponseHeaders: capture.Headers(r.ResponseHeaders), Timing: phases(&r)}
	d.RequestBody = shield.MaskText(env.Tab.SentBody(ctx, r))
	got, encoded, err := bodyOf(ctx, env, r)
	switch {
	case err != nil:
		d.Note = err.Error()
	default:
		d.Body, d.Base64 = &got, encoded
	}
	var b strings.Builder
	b.WriteString(r.String() + "\n")
	fmt.Fprintf(&b, "started: %s\n", d.Started)
	for _, f := range [][2]string{{"type", r.Mime}, {"protocol", r.Proto}, {"server", r.Remote}, {"initiator", r.Initiator}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", f[0], api.Clean(f[1]))
		}
	}
	if len(d.Timing) > 0 {
		b.WriteString("timing:")
		for _, name := range phaseNames {
			if v, ok := d.Timing[name]; ok {
				fmt.Fprintf(&b, " %s %.1fms", name, v)
			}
		}
		b.WriteByte('\n')
	}
	section := func(title string, hs []capture.Header) {
		if len(hs) > 0 {
			b.WriteString("\n" + title + ":\n")
		}
		for _, h := range hs {
			b.WriteString("  " + api.Clean(h.Name+": "+h.Value) + "\n")
		}
	}
	section("request headers", d.RequestHeaders)
	if d.RequestBody != "" {
		b.WriteString("\nrequest body:\n" + d.RequestBody + "\n")
	}
	section("response headers", d.ResponseHeaders)
	switch {
	case d.Note != "":
		b.WriteString("\n(no response body: " + api.Clean(d.Note) + ")")
	case encoded:
		fmt.Fprintf(&b, "\nresponse body (binary, base64):\n%s", got)
	default:
		b.WriteString("\nresponse body:\n" + got)
	}
	return Result{Text: strings.TrimRight(b.String(), "\n"), Data: d}, nil
}

// bodyOf takes the body of a response from the capture, or else from the browser.
func bodyOf(ctx context.Context, env *Env, r capture.Request) (got string, encoded bool, err error) {
	if r.State == capture.Failed && r.Status == 0 {
		return "", false, fmt.Errorf("the request failed: %s", r.Failure)
	}
	if r.To != "" {
		return "", false, fmt.Errorf("it was redirected to %s", shield.MaskURL(r.To))
	}
	for _, b := range env.Tab.Capture().Bodies() {
		if b.Request.ID == r.ID && !b.Truncated {
			return b.Text, b.Base64, nil
		}
	}
	return env.Tab.Body(ctx, r)
}

// phaseNames are the phases of a request in their order.
var phaseNames = []string{"queued", "dns", "connect", "ssl", "send", "wait", "receive"}

// phases returns how long each phase of a request took, in milliseconds.
func phases(r *capture.Request) map[string]float64 {
	t := r.Timing
	if t == nil {
		return nil
	}
	out := map[string]float64{}
	add := func(name string, from, to float64) {
		if from >= 0 && to >= from {
			out[name] = to - from
		}
	}
	add("dns", t.DNSStart, t.DNSEnd)
	add("connect", t.ConnectStart, t.ConnectEnd)
	add("ssl", t.SSLStart, t.SSLEnd)
	add("send", t.SendStart, t.SendEnd)
	add("wait", t.SendEnd, t.HeadersEnd)
	if r.Took > t.HeadersEnd && r.Took >= 0 {
		out["receive"] = r.Took - t.HeadersEnd
	}
	return out
}

func networkBodies(env *Env) (Result, error) {
	list := env.Tab.Capture().Bodies()
	var b strings.Builder
	type bodyOut struct {
		ID        int    `json:"id"`
		Status    int    `json:"status"`
		URL       string `json:"url"`
		Bytes     int    `json:"bytes"`
		Truncated bool   `json:"truncated,omitempty"`
	}
	data := []bodyOut{}
	for _, x := range list {
		note := ""
		if x.Truncated {
			note = ", truncated"
		}
		fmt.Fprintf(&b, "[%d] %d %s (%dKB%s)\n", x.Request.ID, x.Request.Status, api.Clean(shield.MaskURL(x.Request.URL)), x.Size>>10, note)
		data = append(data, bodyOut{x.Request.ID, x.Request.Status, shield.MaskURL(x.Request.URL), x.Size, x.Truncated})
	}
	if len(list) == 0 {
		return Result{Text: "(no captured responses; network --capture begins to keep them)", Data: data, Ours: true}, nil
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n"), Data: data}, nil
}

// networkExport writes the captured responses as JSON lines.
func networkExport(env *Env, path string) (Result, error) {
	type line struct {
		URL         string            `json:"url"`
		Status      int               `json:"status"`
		Headers     map[string]string `json:"headers"`
		Body        string            `json:"body"`
		Base64      bool              `json:"base64,omitempty"`
		ContentType string            `json:"contentType"`
		Timestamp   int64             `json:"timestamp"`
		Size        int               `json:"size"`
		Truncated   bool              `json:"bodyTruncated"`
	}
	file, err := env.Paths.Write(path)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	list := env.Tab.Capture().Bodies()
	for _, x := range list {
		hs := map[string]string{}
		for _, h := range capture.Headers(x.Request.ResponseHeaders) {
			hs[strings.ToLower(h.Name)] = h.Value
		}
		err := e.Encode(line{shield.MaskURL(x.Request.URL), x.Request.Status, hs, x.Text, x.Base64, x.Request.Mime, x.At.UnixMilli(), x.Size, x.Truncated})
		if err != nil {
			return Result{}, err
		}
	}
	return wrote(file, b.String(), "Exported %d responses: %s", len(list))
}

// wrote writes a file and says so.
func wrote(file, content, format string, n int) (Result, error) {
	if err := safe.WriteFile(file, []byte(content)); err != nil {
		return Result{}, fileFailed(file, err)
	}
	return Result{Text: fmt.Sprintf(format, n, file), Data: map[string]any{"path": file, "entries": n, "bytes": len(content)}, Ours: true}, nil
}
