package verbs

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"gstack/internal/capture"
	"gstack/internal/shield"
)

// The HAR 1.2 format, http://www.softwareishard.com/blog/har-12-spec/. Times are
// in milliseconds; what is unknown is -1.
type (
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harRequest struct {
		Method      string           `json:"method"`
		URL         string           `json:"url"`
		HTTPVersion string           `json:"httpVersion"`
		Cookies     []harPair        `json:"cookies"`
		Headers     []capture.Header `json:"headers"`
		Query       []harPair        `json:"queryString"`
		HeadersSize int              `json:"headersSize"`
		BodySize    int              `json:"bodySize"`
	}
	harContent struct {
		Size     int    `json:"size"`
		Mime     string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
	}
	harResponse struct {
		Status      int              `json:"status"`
		StatusText  string           `json:"statusText"`
		HTTPVersion string           `json:"httpVersion"`
		Cookies     []harPair        `json:"cookies"`
		Headers     []capture.Header `json:"headers"`
		Content     harContent       `json:"content"`
		RedirectURL string           `json:"redirectURL"`
		HeadersSize int              `json:"headersSize"`
		BodySize    int64            `json:"bodySize"`
		Error       string           `json:"_error,omitempty"`
	}
	harTimings struct {
		Blocked float64 `json:"blocked"`
		DNS     float64 `json:"dns"`
		Connect float64 `json:"connect"`
		SSL     float64 `json:"ssl"`
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Server   string      `json:"serverIPAddress,omitempty"`
		Kind     string      `json:"_resourceType"`
		ID       int         `json:"_requestId"`
	}
)

// networkHAR writes requests as HAR. Bodies are there as far as they have been
// captured.
func networkHAR(env *Env, list []capture.Request, path string) (Result, error) {
	file, err := env.Paths.Write(path)
	if err != nil {
		return Result{}, err
	}
	bodies := map[int]capture.Body{}
	for _, b := range env.Tab.Capture().Bodies() {
		bodies[b.Request.ID] = b
	}
	entries := make([]harEntry, 0, len(list))
	for i := range list {
		entries = append(entries, harOf(&list[i], bodies[list[i].ID]))
	}
	type creator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	var log struct {
		Log struct {
			Version string     `json:"version"`
			Creator creator    `json:"creator"`
			Entries []harEntry `json:"entries"`
		} `json:"log"`
	}
	log.Log.Version, log.Log.Creator, log.Log.Entries = "1.2", creator{"browse", env.Daemon.Status().Version}, entries
	out, err := json.MarshalIndent(log, "", " ")
	if err != nil {
		return Result{}, err
	}
	return wrote(file, string(out)+"\n", "Exported %d requests: %s", len(entries))
}

func harOf(r *capture.Request, b capture.Body) harEntry {
	e := harEntry{Started: capture.Stamp(r.Started), Time: max(r.Took, 0), Kind: r.Kind, ID: r.ID}
	if i := strings.LastIndexByte(r.Remote, ':'); i > 0 {
		e.Server = strings.Trim(r.Remote[:i], "[]")
	}
	e.Request = harRequest{
		Method: r.Method, URL: shield.MaskURL(r.URL), HTTPVersion: r.Proto, Cookies: []harPair{}, Headers: capture.Headers(r.RequestHeaders),
		Query: []harPair{}, HeadersSize: -1, BodySize: -1,
	}
	if u, err := url.Parse(r.URL); err == nil {
		query := u.Query()
		for _, name := range slices.Sorted(maps.Keys(query)) {
			for _, v := range query[name] {
				if shield.SecretName(name) || shield.SecretValue(v) {
					v = shield.Redacted(v)
				}
				e.Request.Query = append(e.Request.Query, harPair{name, v})
			}
		}
	}
	e.Response = harResponse{
		Status: r.Status, StatusText: r.StatusText, HTTPVersion: r.Proto, Cookies: []harPair{}, Headers: capture.Headers(r.ResponseHeaders),
		Content: harContent{Size: b.Size, Mime: r.Mime, Text: b.Text}, RedirectURL: shield.MaskURL(r.To), HeadersSize: -1, BodySize: r.Size, Error: r.Failure,
	}
	if b.Base64 {
		e.Response.Content.Encoding = "base64"
	}
	p := phases(r)
	get := func(name string, missing float64) float64 {
		if v, ok := p[name]; ok {
			return v
		}
		return missing
	}
	e.Timings = harTimings{-1, get("dns", -1), get("connect", -1), get("ssl", -1), get("send", 0), get("wait", 0), get("receive", 0)}
	return e
}
