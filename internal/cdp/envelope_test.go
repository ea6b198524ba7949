package cdp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// envelopes are messages with what is in them.
var envelopes = []struct {
	name string
	in   string
	fast bool // in Chromium's own order
	want string
}{
	{"result", `{"id":1,"result":{}}`, true, `result 1 @ {}`},
	{"result of a session", `{"id":12,"result":{"a":1},"sessionId":"5E0A"}`, true, `result 12 @5E0A {"a":1}`},
	{"error", `{"id":3,"error":{"code":-32000,"message":"no"}}`, true, `error 3 @ {"code":-32000,"message":"no"}`},
	{"error of a session", `{"id":3,"error":{"code":-32000,"message":"no"},"sessionId":"A-b_9"}`, true, `error 3 @A-b_9 {"code":-32000,"message":"no"}`},
	{"event", `{"method":"Page.loadEventFired","params":{"timestamp":1.5}}`, true, `event Page.loadEventFired @ {"timestamp":1.5}`},
	{"event of a session", `{"method":"A.b","params":{},"sessionId":"X"}`, true, `event A.b @X {}`},
	{"event without params", `{"method":"A.b"}`, true, `event A.b @ `},
	{"event without params of a session", `{"method":"A.b","sessionId":"X"}`, true, `event A.b @X `},
	{"session id inside of the params", `{"method":"Target.attachedToTarget","params":{"sessionId":"X","waiting":true}}`, true, `event Target.attachedToTarget @ {"sessionId":"X","waiting":true}`},
	{"session id last inside of the result", `{"id":4,"result":{"sessionId":"X"}}`, true, `result 4 @ {"sessionId":"X"}`},
	{"session id inside of a string", `{"id":5,"result":{"v":",\"sessionId\":\"X\"}"},"sessionId":"Y"}`, true, `result 5 @Y {"v":",\"sessionId\":\"X\"}"}`},
	{"backslashes before a quote", `{"id":5,"result":{"v":"\\\\"}}`, true, `result 5 @ {"v":"\\\\"}`},
	{"brackets inside of a string", `{"id":5,"result":{"v":"}]\"}{"}}`, true, `result 5 @ {"v":"}]\"}{"}`},
	{"largest id that is read fast", `{"id":999999999999999999,"result":{}}`, true, `result 999999999999999999 @ {}`},
	{"larger id", `{"id":9223372036854775807,"result":{}}`, false, `result 9223372036854775807 @ {}`},
	{"id that is too large", `{"id":9223372036854775808,"result":{}}`, false, ``},
	{"white space", ` { "id" : 1 , "result" : { } } `, false, `result 1 @ { }`},
	{"white space at the end", "{\"id\":1,\"result\":{}}\n", false, `result 1 @ {}`},
	{"session first", `{"sessionId":"X","id":1,"result":{}}`, false, `result 1 @X {}`},
	{"session before result", `{"id":1,"sessionId":"X","result":{}}`, false, `result 1 @X {}`},
	{"params first", `{"params":{"id":7},"method":"A.b"}`, false, `event A.b @ {"id":7}`},
	{"member behind the result", `{"id":1,"result":{},"more":{}}`, false, `result 1 @ {}`},
	{"member behind the session", `{"id":1,"result":{},"sessionId":"X","more":{}}`, false, `result 1 @X {}`},
	{"string member behind the session", `{"id":1,"result":{},"sessionId":"X","more":"y"}`, false, `result 1 @X {}`},
	{"result that is no object", `{"id":1,"result":[1],"sessionId":"X"}`, false, `result 1 @X [1]`},
	{"escape in the method", `{"method":"A.\u0062","params":{}}`, false, `event A.b @ {}`},
	{"escape in the session id", `{"id":1,"result":{},"sessionId":"\u0058"}`, false, `result 1 @X {}`},
	{"unpaired surrogate", `{"id":1,"result":{"v":"\ud800"}}`, true, `result 1 @ {"v":"\ud800"}`},
	{"result and error", `{"id":1,"error":{"code":1},"result":{}}`, false, `error 1 @ {"code":1}`},
	{"negative id", `{"id":-1,"result":{}}`, false, `result -1 @ {}`},
	{"leading zero", `{"id":01,"result":{}}`, false, ``},
	{"fractional id", `{"id":1.5,"result":{}}`, false, ``},
	{"id that is a string", `{"id":"1","result":{}}`, false, ``},
	{"error without an id", `{"error":{"code":-32700,"message":"parse"}}`, false, `nothing`},
	{"empty object", `{}`, false, `nothing`},
	{"empty method", `{"method":"","params":{}}`, false, `nothing`},
	{"method that is no string", `{"method":1,"params":{}}`, false, ``},
	{"array", `[]`, false, ``},
	{"nothing", ``, false, ``},
	{"half", `{"id":1,"result":{`, false, ``},
	{"half with a closing brace", `{"id":1,"result":{"a":{}`, false, ``},
	{"two messages", `{"id":1,"result":{}}{"id":2,"result":{}}`, false, ``},
}

func (e *envelope) text() string {
	switch e.kind {
	case kindResult:
		return fmt.Sprintf("result %d @%s %s", e.id, e.session, e.body)
	case kindError:
		return fmt.Sprintf("error %d @%s %s", e.id, e.session, e.body)
	case kindEvent:
		return fmt.Sprintf("event %s @%s %s", e.method, e.session, e.body)
	}
	return "nothing"
}

// resolved reads a message as a connection does when somebody wants it.
func resolved(m []byte) (e envelope, fast bool, err error) {
	e, fast = scanFast(m)
	if !fast {
		e, err = scanAny(m)
		return e, false, err
	}
	if !e.verify() {
		e, err = scanAny(m)
		return e, false, err
	}
	return e, true, nil
}

func TestEnvelope(t *testing.T) {
	for _, tt := range envelopes {
		t.Run(tt.name, func(t *testing.T) {
			e, fast, err := resolved([]byte(tt.in))
			if fast != tt.fast {
				t.Errorf("fast = %v, want %v", fast, tt.fast)
			}
			if (err != nil) != (tt.want == "") {
				t.Fatalf("error %v, want %q", err, tt.want)
			}
			if err == nil && e.text() != tt.want {
				t.Errorf("got  %s\nwant %s", e.text(), tt.want)
			}
			// The slow way must read the same in everything.
			any, err := scanAny([]byte(tt.in))
			if (err != nil) != (tt.want == "") {
				t.Fatalf("scanAny: error %v, want %q", err, tt.want)
			}
			if err == nil && any.text() != tt.want {
				t.Errorf("scanAny: got %s\nwant %s", any.text(), tt.want)
			}
		})
	}
}

// TestEnvelopeAppended checks the promise of scanFast for members that a later
// Chromium might add: whoever wants the message reads it right.
func TestEnvelopeAppended(t *testing.T) {
	for _, head := range []string{`{"id":1,"result":{"a":"}"}`, `{"method":"A.b","params":{"a":"}"}`} {
		for _, extra := range []string{`,"x":1`, `,"x":"y"`, `,"x":{}`, `,"x":[{}]`} {
			for _, in := range []string{
				head + extra + `}`,
				head + extra + `,"sessionId":"S"}`,
				head + `,"sessionId":"S"` + extra + `}`,
			} {
				e, _, err := resolved([]byte(in))
				if err != nil {
					t.Errorf("%s: %v", in, err)
					continue
				}
				session := ""
				if strings.Contains(in, "sessionId") {
					session = "S"
				}
				if string(e.body) != `{"a":"}"}` || string(e.session) != session {
					t.Errorf("%s is read as %s", in, e.text())
				}
			}
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	for _, tt := range envelopes {
		f.Add([]byte(tt.in))
	}
	f.Fuzz(func(t *testing.T, m []byte) {
		before := bytes.Clone(m)
		fast, ok := scanFast(m)
		sure := ok && fast.verify()
		any, err := scanAny(m)
		if !bytes.Equal(before, m) {
			t.Fatal("the message was changed")
		}
		if err != nil || !ok {
			return // of a broken message, the fast way may make what it likes
		}
		fast.sure, any.sure = true, true
		if !sure {
			// Only the body may be wrong, and only by being too long.
			if !bytes.HasPrefix(fast.body, any.body) {
				t.Errorf("%s: body %s, want %s", m, fast.body, any.body)
			}
			fast.body = any.body
		}
		if d := cmp.Diff(any.text(), fast.text()); d != "" {
			t.Errorf("%s: (-any +fast)\n%s", m, d)
		}
	})
}

func benchmarkMessages() map[string][]byte {
	params := `{"requestId":"1000.1","loaderId":"0DEADBEEF","documentURL":"http://127.0.0.1:8000/","request":{"url":"http://127.0.0.1:8000/a.css","method":"GET","headers":{"User-Agent":"Mozilla/5.0 (X11; Linux x86_64)","Referer":"http://127.0.0.1:8000/"},"mixedContentType":"none","initialPriority":"VeryHigh","referrerPolicy":"strict-origin-when-cross-origin","isSameSite":true},"timestamp":1234.5678,"wallTime":1760000000.1,"initiator":{"type":"parser","url":"http://127.0.0.1:8000/","lineNumber":3,"columnNumber":44},"redirectHasExtraInfo":false,"type":"Stylesheet","frameId":"5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A","hasUserGesture":false}`
	tail := `,"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`
	return map[string][]byte{
		"answer": []byte(`{"id":1234,"result":{"result":{"type":"number","value":1,"description":"1"}}` + tail),
		"event":  []byte(`{"method":"Network.requestWillBeSent","params":` + params + tail),
		"1MB":    []byte(`{"id":1234,"result":{"data":"` + strings.Repeat("QUJD", 1<<18) + `"}` + tail),
		"1MBdom": []byte(`{"id":1234,"result":{"nodes":[` + strings.Repeat(params+",", 1<<20/len(params)) + `{}]}` + tail),
	}
}

func BenchmarkEnvelope(b *testing.B) {
	for name, m := range benchmarkMessages() {
		b.Run("ends/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(m)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := scanFast(m); !ok {
					b.Fatal("not fast")
				}
			}
		})
		b.Run("verified/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(m)))
			b.ReportAllocs()
			for b.Loop() {
				if e, ok := scanFast(m); !ok || !e.verify() {
					b.Fatal("not fast")
				}
			}
		})
		b.Run("any/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(m)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scanAny(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
