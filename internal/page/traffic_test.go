package page

import (
	"testing"
	"time"

	"gstack/internal/capture"
)

// TestPolls: a request that the server holds is left out, and so is the next round
// of a long poll, but not another request to the address beside it.
func TestPolls(t *testing.T) {
	now := time.Now()
	at := func(url string, age time.Duration) capture.Request {
		return capture.Request{Method: "POST", URL: url, Kind: "fetch", Started: now.Add(-age)}
	}
	p := polls{}
	judge := func(open ...capture.Request) string {
		out := ""
		for _, j := range p.sort(open, now) {
			out += map[bool]string{true: "h", false: "b"}[j.held]
		}
		return out
	}
	beacon := at("/b", 0)
	beacon.Kind = "ping"
	document := at("/d", time.Minute)
	document.Kind = "document"
	for _, c := range []struct {
		open []capture.Request
		want string
	}{
		{[]capture.Request{at("/graphql", 0), beacon}, "b"},
		{[]capture.Request{document}, "b"},
		{[]capture.Request{at("/graphql", 5*time.Second), at("/graphql", 0)}, "hb"},
		{[]capture.Request{at("/graphql?round=2", 0)}, "h"},
		{[]capture.Request{at("/graphql?round=3", 0), at("/graphql?other", 0)}, "hb"},
		{[]capture.Request{at("/other", 0)}, "b"},
	} {
		if got := judge(c.open...); got != c.want {
			t.Errorf("%v: %s, want %s", c.open, got, c.want)
		}
	}
}
