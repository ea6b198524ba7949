package cookie

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []Cookie
	}{
		"plain": {`[{"name":"a","value":"1"}]`, []Cookie{{Name: "a", Value: "1"}}},
		"extension": {`[{"domain":"shop.test","hostOnly":false,"expirationDate":1893456000.5,"httpOnly":true,"name":"sid","path":"/","sameSite":"no_restriction","secure":true,"session":false,"storeId":"0","value":"x=y"}]`,
			[]Cookie{{Name: "sid", Value: "x=y", Domain: ".shop.test", Path: "/", Expires: 1893456000.5, HTTPOnly: true, Secure: true, SameSite: "None"}}},
		"storage state": {`{"cookies":[{"name":"a","value":"","domain":".shop.test","path":"/x","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"}],"origins":[]}`,
			[]Cookie{{Name: "a", Domain: ".shop.test", Path: "/x", SameSite: "Lax"}}},
		"webdriver":       {`[{"name":"a","value":"1","expiry":1893456000}]`, []Cookie{{Name: "a", Value: "1", Expires: 1893456000}}},
		"milliseconds":    {`[{"name":"a","value":"1","expires":1893456000000}]`, []Cookie{{Name: "a", Value: "1", Expires: 1893456000}}},
		"a date":          {`[{"name":"a","value":"1","expires":"2030-01-01T00:00:00Z"}]`, []Cookie{{Name: "a", Value: "1", Expires: 1893456000}}},
		"session":         {`[{"name":"a","value":"1","expirationDate":1893456000,"session":true}]`, []Cookie{{Name: "a", Value: "1"}}},
		"a number's rule": {`[{"name":"a","value":"1","sameSite":1,"host":"h.test"}]`, []Cookie{{Name: "a", Value: "1", Domain: "h.test"}}},
		"byte order mark": {"\ufeff[]", []Cookie{}},
		"netscape": {"# Netscape HTTP Cookie File\n\n.shop.test\tTRUE\t/\tTRUE\t1893456000\ta\t1\r\n#HttpOnly_h.test\tFALSE\t/p\tFALSE\t0\tb\t\nsub.test\tTRUE\t/\tFALSE\t0\tc\tx y",
			[]Cookie{
				{Name: "a", Value: "1", Domain: ".shop.test", Path: "/", Secure: true, Expires: 1893456000},
				{Name: "b", Domain: "h.test", Path: "/p", HTTPOnly: true},
				{Name: "c", Value: "x y", Domain: ".sub.test", Path: "/"},
			}},
		"header":   {"Cookie: a=1; b=x=y;", []Cookie{{Name: "a", Value: "1"}, {Name: "b", Value: "x=y"}}},
		"curl -H":  {"curl 'https://h.test/' \\\n  -H 'accept: */*' \\\n  -H 'cookie: a=1; b=it'\\''s' --compressed", []Cookie{{Name: "a", Value: "1"}, {Name: "b", Value: "it's"}}},
		"curl -b":  {`curl "https://h.test/" -b "a=\"q\""`, []Cookie{{Name: "a", Value: `"q"`}}},
		"curl $''": {`curl https://h.test -b $'a=\u0021\x41\'z'`, []Cookie{{Name: "a", Value: "!A'z"}}},
		"curl cmd": {"curl ^\"https://h.test/^\" ^\r\n  -b ^\"a=1^\"", []Cookie{{Name: "a", Value: "1"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Read([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"nothing":           {" \n", "it is empty"},
		"not JSON":          {`[{"name":`, "it is not JSON"},
		"no array":          {`{"name":"a"}`, `without "cookies"`},
		"null list":         {`{"cookies":null}`, "does not hold an array"},
		"a number":          {`[1]`, "entry 1 is not a cookie object"},
		"no value":          {`[{"name":"a","value":"1"},{"name":"b"}]`, "entry 2: it has no name or no value"},
		"a wrong type":      {`[{"name":"a","value":1}]`, "entry 1 is not a cookie object"},
		"line break":        {`[{"name":"a","value":"1\r\nSet-Cookie: b=2"}]`, "control character"},
		"semicolon":         {`[{"name":"a","value":"1; domain=x"}]`, "control character or ;"},
		"name":              {`[{"name":"a b","value":"1"}]`, "its name"},
		"domain":            {`[{"name":"a","value":"1","domain":"https://h.test/"}]`, "not a host name"},
		"path":              {`[{"name":"a","value":"1","path":"x"}]`, "begin with /"},
		"rule":              {`[{"name":"a","value":"1","sameSite":"perhaps"}]`, "sameSite"},
		"expiry":            {`[{"name":"a","value":"1","expires":"soon"}]`, "not a time"},
		"too long":          {`[{"name":"a","value":"` + strings.Repeat("x", 5000) + `"}]`, "more than 4096"},
		"fields":            {"h.test\tTRUE\t/", "line 1 has 3 fields"},
		"netscape expiry":   {"h.test\tTRUE\t/\tTRUE\tnever\ta\tb", "expiry is not a number"},
		"only comments":     {"# nothing\n", "no cookies"},
		"prose":             {"hello", "neither JSON"},
		"curl without":      {"curl https://h.test", "neither JSON"},
		"header without =":  {"Cookie: abc", "has no ="},
		"an empty header":   {"Cookie: ;", "no cookies"},
		"endless expiry":    {"h.test\tTRUE\t/\tTRUE\tInf\ta\tb", "not a time"},
		"a negative number": {"h.test\tTRUE\t/\tTRUE\tNaN\ta\tb", "not a time"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Read([]byte(tt.in))
			if err == nil {
				t.Fatalf("read %v", got)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q, want %q", err, tt.want)
			}
		})
	}
}

func TestFits(t *testing.T) {
	tests := []struct {
		domain, host string
		want         bool
	}{
		{"", "a.test", true},
		{"a.test", "a.test", true},
		{".a.test", "a.test", true},
		{".a.test", "b.A.test", true},
		{"a.test", "b.a.test", true},
		{"a.test", "ba.test", false},
		{"b.a.test", "a.test", false},
		{"test", "a.test", false},
		{"0.0.1", "127.0.0.1", false},
		{"127.0.0.1", "127.0.0.1", true},
		{"::1", "[::1]", true},
		{"localhost", "localhost", true},
	}
	for _, tt := range tests {
		if got := (Cookie{Domain: tt.domain}).Fits(tt.host); got != tt.want {
			t.Errorf("domain %q, host %q: %v, want %v", tt.domain, tt.host, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`[{"name":"a","value":"1"}]`, "h.test\tTRUE\t/\tTRUE\t0\ta\tb", "curl x -b $'a=\\u", `curl x -b "a=1`, "Cookie: a=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cs, err := Read([]byte(s))
		if err != nil {
			return
		}
		for _, c := range cs {
			if err := c.Check(); err != nil {
				t.Errorf("%q gives a cookie that is none: %v", s, err)
			}
		}
	})
}
