package shield

import (
	"strings"
	"testing"
)

func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{
		"access_token": true, "authToken": true, "apikey": true, "api-key": true, "X-Api-Key": true, "PHPSESSID": true, "sid": true,
		"session": true, "sessionId": true, "csrf-token": true, "user.password": true, "JWT": true, "id_token": true, "secrets": true,
		"monkey": false, "keyboard": false, "author": false, "theme": false, "lang": false, "tokenizer": false, "inside": false, "pine": false, "": false,
	} {
		if got := SecretName(name); got != want {
			t.Errorf("SecretName(%q) = %v", name, got)
		}
	}
}

// TestMaskText: the left side has one secret, which must be gone; what stands
// around it must stay.
func TestMaskText(t *testing.T) {
	for in, want := range map[string]string{
		"GET https://a.test/cb?code=1&access_token=abc123&x=2#f":    "GET https://a.test/cb?code=1&access_token=***&x=2#f",
		"https://ann:hunter2@a.test/":                               "https://***@a.test/",
		`{"password":"hunter2","user":"ann"}`:                       `{"password":"***","user":"ann"}`,
		`{"token": "a\"b", "n": 1}`:                                 `{"token": "***", "n": 1}`,
		`{token: "abc", n: 1}`:                                      `{token: "***", n: 1}`,
		"Authorization: Bearer abcdefgh12345":                       "Authorization: Bearer ***",
		"jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end": "jwt *** end",
		"key AKIAABCDEFGHIJKLMNOP.":                                 "key ***",
		"ghp_abcdefghijklmnop1234 x":                                "*** x",
		"sk-abcdefghijklmnop1234":                                   "***",
		// No secrets.
		"risk-averse-and-long-winded words": "risk-averse-and-long-winded words",
		"token: expected a number":          "token: expected a number",
		"https://a.test/?theme=dark":        "https://a.test/?theme=dark",
		"write to me@a.test: hello":         "write to me@a.test: hello",
		"":                                  "",
		"monkey=banana":                     "monkey=banana",
		"12:30:59 session:3 begins":         "12:30:59 session:3 begins",
		"password=":                         "password=",
	} {
		if got := MaskText(in); got != want {
			t.Errorf("MaskText(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestMaskHeader(t *testing.T) {
	for name, want := range map[string]string{
		"Cookie": "[REDACTED — 5 chars]", "X-Auth-Token": "[REDACTED — 5 chars]", "Accept": "a=b;c", "Sec-WebSocket-Key": "a=b;c",
	} {
		if got := MaskHeader(name, "a=b;c"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func BenchmarkMaskText(b *testing.B) {
	line := strings.Repeat("tick 1234 of the page with some words in it ", 3)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		MaskText(line)
	}
}

// FuzzMaskText: it never panics, and what is masked stays masked.
func FuzzMaskText(f *testing.F) {
	f.Add("token=\"\\")
	f.Add("a://b:c@d")
	f.Fuzz(func(t *testing.T, s string) {
		once := MaskText(s)
		if twice := MaskText(once); len(twice) > len(once)+3 && !strings.Contains(once, "***") {
			t.Errorf("%q → %q → %q", s, once, twice)
		}
	})
}
