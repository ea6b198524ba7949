package cdp

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func dump(t *testing.T, tr *Transcript) string {
	t.Helper()
	var b strings.Builder
	if err := tr.Dump(&b); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^ *\d+\.\d{3} `).ReplaceAllString(b.String(), "")
}

func TestTranscript(t *testing.T) {
	tr := NewTranscript(0)
	c, _ := connect(t, Options{Transcript: tr}, func(m *memory, cmd command) {
		switch cmd.Method {
		case "DOM.focus":
			m.event("5E0A99", "Page.frameNavigated", "{\"frame\":\n{\"id\":\"F\"}}")
			m.fail(cmd, -32000, "not focusable")
			return
		case "A.b":
			m.in <- []byte(`{"id":99,"result":{}}`)
		}
		echo(m, cmd)
	})
	s := c.Session("5E0A99")
	ctx := deadline(t)
	c.Root().Call(ctx, "Browser.getVersion", nil, nil)
	s.Call(ctx, "Page.navigate", map[string]string{"url": "http://127.0.0.1/"}, nil)
	s.Call(ctx, "DOM.focus", map[string]int{"nodeId": 1}, nil)
	s.Call(ctx, "A.b", map[string]string{"long": strings.Repeat("é", 5000)}, nil)
	got := dump(t, tr)
	want := `=> #1 Browser.getVersion
<= #1 Browser.getVersion {}
=> #2 @5e0a Page.navigate {"url":"http://127.0.0.1/"}
<= #2 @5e0a Page.navigate {"url":"http://127.0.0.1/"}
=> #3 @5e0a DOM.focus {"nodeId":1}
<- @5e0a Page.frameNavigated {"frame": {"id":"F"}}
<= #3 @5e0a DOM.focus error {"code":-32000,"message":"not focusable"}
`
	long := `#4 @5e0a A.b {"long":"` + strings.Repeat("é", (payloadBytes-len(`{"long":"`))/2) + "…\n"
	if d := cmp.Diff(want+"=> "+long+"<= #99 {}\n<= "+long, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestTranscriptRing(t *testing.T) {
	tr := NewTranscript(3)
	for i := range 5 {
		tr.command(int64(i), "", fmt.Sprintf("A.m%d", i), nil)
	}
	if got, want := dump(t, tr), "(2 earlier messages)\n=> #2 A.m2\n=> #3 A.m3\n=> #4 A.m4\n"; got != want {
		t.Errorf("got %s", got)
	}
	for i := range 100 {
		tr.command(int64(i), "", "A.unanswered", nil)
	}
	if n := len(tr.methods); n > 4*3+1 {
		t.Errorf("%d commands without an answer are remembered", n)
	}
	var none *Transcript
	if err := none.Dump(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}

// TestSecrets holds messages of the kinds in which the protocol carries
// credentials; each contains the word "secret" where it does.
func TestSecrets(t *testing.T) {
	for name, tt := range map[string]struct{ method, in, want string }{
		"set cookie":        {"Network.setCookie", `{"name":"sid","value":"secret","domain":"a.b"}`, `{"name":"sid","value":"(hidden)","domain":"a.b"}`},
		"set cookies":       {"Storage.setCookies", `{"cookies":[{"name":"sid","value":"secret"},{"value":"secret","name":"x"}]}`, `{"cookies":[{"name":"sid","value":"(hidden)"},{"value":"(hidden)","name":"x"}]}`},
		"get cookies":       {"Network.getCookies", `{"cookies":[{"name":"sid","value":"secret","size":9,"secure":true}]}`, `{"cookies":[{"name":"sid","value":"(hidden)","size":9,"secure":true}]}`},
		"request":           {"Network.requestWillBeSent", `{"request":{"url":"/","headers":{"Accept":"*/*","Authorization":"Bearer secret","cookie":"sid=secret"}}}`, `{"request":{"url":"/","headers":{"Accept":"*/*","Authorization":"(hidden)","cookie":"(hidden)"}}}`},
		"associated":        {"Network.requestWillBeSentExtraInfo", `{"associatedCookies":[{"blockedReasons":["SameSiteLax"],"cookie":{"name":"sid","value":"secret"}}],"headers":{"Cookie":"secret"}}`, `{"associatedCookies":[{"blockedReasons":["SameSiteLax"],"cookie":{"name":"sid","value":"(hidden)"}}],"headers":{"Cookie":"(hidden)"}}`},
		"blocked":           {"Network.responseReceivedExtraInfo", `{"blockedCookies":[{"cookieLine":"sid=secret","blockedReasons":[]}],"headersText":"Set-Cookie: secret","headers":{"set-cookie":"sid=secret\nb=secret"}}`, `{"blockedCookies":[{"cookieLine":"(hidden)","blockedReasons":[]}],"headersText":"(hidden)","headers":{"set-cookie":"(hidden)"}}`},
		"header entries":    {"Fetch.continueRequest", `{"requestId":"1","headers":[{"name":"Accept","value":"*/*"},{"name":"AUTHORIZATION","value":"secret"},{"value":"secret","name":"Accept"}]}`, `{"requestId":"1","headers":[{"name":"Accept","value":"*/*"},{"name":"AUTHORIZATION","value":"(hidden)"},{"value":"(hidden)","name":"Accept"}]}`},
		"response entries":  {"Fetch.requestPaused", `{"responseHeaders":[{"name":"set-cookie","value":"secret"}]}`, `{"responseHeaders":[{"name":"set-cookie","value":"(hidden)"}]}`},
		"extra headers":     {"Network.setExtraHTTPHeaders", `{"headers":{"Proxy-Authorization":"secret","X-Api-Key":"secret","X-Other":"open"}}`, `{"headers":{"Proxy-Authorization":"(hidden)","X-Api-Key":"(hidden)","X-Other":"open"}}`},
		"proxy password":    {"Fetch.continueWithAuth", `{"authChallengeResponse":{"response":"ProvideCredentials","username":"u","password":"secret"}}`, `{"authChallengeResponse":{"response":"ProvideCredentials","username":"u","password":"(hidden)"}}`},
		"list of secrets":   {"A.b", `{"password":["secret",{"a":"secret"}]}`, `{"password":["(hidden)",{"a":"(hidden)"}]}`},
		"quote in a secret": {"A.b", `{"cookie":"a\"secret\\","v":1}`, `{"cookie":"(hidden)","v":1}`},
		"no secret":         {"Runtime.evaluate", `{"result":{"type":"string","value":"open"},"list":[1,-2.5e3,true,null,"x"],"o":{}}`, `{"result":{"type":"string","value":"open"},"list":[1,-2.5e3,true,null,"x"],"o":{}}`},
		"white space":       {"Network.setCookie", "{ \"value\" :\n\"secret\" , \"a\": [ 1 , 2 ] }", "{ \"value\" :\n\"(hidden)\" , \"a\": [ 1 , 2 ] }"},
		"cut in a secret":   {"A.b", `{"cookie":"secret`, `{"cookie":"(hidden)"…`},
		"cut in a name":     {"A.b", `{"cook`, `{"cook…`},
		"cut behind a name": {"A.b", `{"cookie":`, `{"cookie":…`},
		"cut in a list":     {"A.b", `{"a":[1,`, `{"a":[1,…`},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(appendPayload([]byte("x"), tt.method, []byte(tt.in), false))
			if got != "x"+tt.want {
				t.Errorf("got  %s\nwant x%s", got, tt.want)
			}
			if got := string(appendPayload(nil, tt.method, []byte(tt.in), true)); got != tt.in {
				t.Errorf("with secrets: %s", got)
			}
		})
	}
}

// FuzzSecrets checks that no text breaks the redactor, that it keeps its limit,
// and that it copies what has no secrets in it.
func FuzzSecrets(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"c"}]}`, `{"cookie":"x"}`, `[}`, `{"a":}`, `"\`, `{"headers":[{"name":"x","value":1}]}`, ` `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		in = bytes.Trim(in, " \t\r\n") // as a connection cuts it out
		got := appendPayload(nil, "A.b", in, false)
		if len(got) > payloadBytes+len(hidden)+len("…") {
			t.Errorf("%d bytes", len(got))
		}
		if jsontext.Value(in).IsValid(decodeOptions) && len(in) < payloadBytes && !bytes.Contains(got, []byte("(hidden)")) && !bytes.Equal(got, in) {
			t.Errorf("%s becomes %s", in, got)
		}
	})
}
