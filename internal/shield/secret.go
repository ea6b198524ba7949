package shield

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Redacted is what stands in the place of a secret value.
func Redacted(value string) string {
	return fmt.Sprintf("[REDACTED — %d chars]", utf8.RuneCountInString(value))
}

// secretWords make a name secret where they stand as a whole word of it; the
// list is that of commands.md section 5.7.
var secretWords = []string{"token", "secret", "key", "password", "credential", "auth", "jwt", "session", "csrf", "sid",
	"passwd", "pwd", "passphrase", "credentials", "authorization", "cookie", "signature", "sig", "xsrf", "otp", "pin", "nonce"}

// SecretName reports whether a cookie, storage entry, field, query parameter or
// header of this name holds a secret. Words end at "_", ".", "-", a digit and
// where a capital begins a new one, so that access_token, authToken and
// apikey are secret and "monkey" is not.
func SecretName(name string) bool {
	lower := strings.ToLower(name)
	for _, joined := range []string{"apikey", "accesstoken", "authtoken", "sessionid", "phpsessid", "passwd", "sessid", "xsrf", "csrf"} {
		if strings.Contains(lower, joined) {
			return true
		}
	}
	for _, w := range words(name) {
		for _, s := range secretWords {
			if w == s || w == s+"s" {
				return true
			}
		}
	}
	return false
}

// words splits a name into its words, in lower case.
func words(name string) []string {
	var out []string
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	lower := false // the character before was a small letter
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				end()
			}
			b.WriteRune(r)
		case r >= 'a' && r <= 'z' || r >= utf8.RuneSelf:
			b.WriteRune(r)
		default:
			end()
		}
		lower = r >= 'a' && r <= 'z'
	}
	end()
	return out
}

// SecretHeader reports whether an HTTP header of this name carries credentials.
func SecretHeader(name string) bool {
	switch strings.ToLower(name) {
	case "cookie", "set-cookie", "set-cookie2", "authorization", "proxy-authorization", "www-authenticate", "authentication-info":
		return true
	case "sec-websocket-key", "sec-websocket-accept", "access-control-allow-credentials", "cross-origin-embedder-policy", "idempotency-key":
		return false
	}
	return SecretName(name)
}

// prefix is how a well-known kind of key begins, and what may follow.
type prefix struct {
	text  string
	least int // characters that follow at least
}

var keyPrefixes = []prefix{
	{"eyJ", 16}, {"sk-", 16}, {"sk_live_", 8}, {"sk_test_", 8}, {"rk_live_", 8}, {"rk_test_", 8}, {"pk_live_", 8},
	{"ghp_", 16}, {"gho_", 16}, {"ghu_", 16}, {"ghs_", 16}, {"ghr_", 16}, {"github_pat_", 16}, {"glpat-", 16},
	{"xoxb-", 8}, {"xoxp-", 8}, {"xoxa-", 8}, {"xoxr-", 8}, {"xoxs-", 8}, {"AKIA", 16}, {"ASIA", 16}, {"AIza", 20},
	{"SG.", 16}, {"sbp_", 16}, {"npm_", 20}, {"gsk_", 16},
}

// SecretValue reports whether a value looks like a key, whatever it is called.
func SecretValue(value string) bool {
	if v, ok := strings.CutPrefix(value, "Bearer "); ok && len(v) >= 8 {
		return true
	}
	return keyAt(value) == len(value) && value != ""
}

// keyAt returns the length of the key that s begins with, 0 for none.
func keyAt(s string) int {
	for _, p := range keyPrefixes {
		if !strings.HasPrefix(s, p.text) {
			continue
		}
		n := len(p.text)
		for n < len(s) && keyByte(s[n]) {
			n++
		}
		if n-len(p.text) >= p.least {
			return n
		}
	}
	return 0
}

// keyByte reports whether c may be in a key: base64url, and the dots of a JWT.
func keyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '+' || c == '/' || c == '='
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// MaskText replaces what looks like a secret in text of any kind: well-known
// keys, bearer tokens, passwords in addresses, and the values of query
// parameters, form fields and JSON members with a secret name. It costs one pass
// over the text.
func MaskText(text string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		announces := marks[c]
		if announces == letter && i > 0 && wordByte(text[i-1]) {
			announces = none
		}
		if announces == none {
			i++
			continue
		}
		start, end := secretAt(text, i)
		if end <= start {
			i++
			continue
		}
		b.WriteString(text[from:start])
		b.WriteString("***")
		from, i = end, end
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

// What a character may announce.
const (
	none   = iota
	sign   // a value behind a name, or an address
	letter // a key, at the beginning of a word
)

// marks are the characters by which a secret may be announced.
var marks = func() (m [256]byte) {
	m['='], m[':'] = sign, sign
	m['B'], m['b'] = letter, letter
	for _, p := range keyPrefixes {
		m[p.text[0]] = letter
	}
	return m
}()

// secretAt returns the secret that is announced at text[i]; an empty range for
// none.
func secretAt(text string, i int) (start, end int) {
	if marks[text[i]] == sign {
		return valueAfter(text, i)
	}
	if len(text)-i > 14 && text[i]|0x20 == 'b' && strings.EqualFold(text[i:i+7], "bearer ") {
		n := i + 7
		for n < len(text) && keyByte(text[n]) {
			n++
		}
		if n-i-7 >= 8 {
			return i + 7, n
		}
	}
	if n := keyAt(text[i:]); n > 0 {
		return i, i + n
	}
	return 0, 0
}

// maxNameBytes bounds how far a name is looked for before its value.
const maxNameBytes = 64

// valueAfter returns the value behind the "=" or ":" at i when what stands
// before is a secret name, or the password of an address ("://user:password@").
func valueAfter(text string, i int) (start, end int) {
	if text[i] == ':' && strings.HasPrefix(text[i:], "://") {
		return userinfo(text, i+3)
	}
	stop := i
	quoted := stop > 0 && (text[stop-1] == '"' || text[stop-1] == '\'')
	if quoted {
		stop--
	}
	begin := stop
	for begin > 0 && stop-begin < maxNameBytes && wordByte(text[begin-1]) {
		begin--
	}
	if begin == stop || !SecretName(text[begin:stop]) {
		return 0, 0
	}
	if text[i] == ':' && !quoted && i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '"' {
		return 0, 0 // session:12 of a label, auth:login of an event
	}
	start = i + 1
	for start < len(text) && text[start] == ' ' {
		start++
	}
	if start < len(text) && (text[start] == '"' || text[start] == '\'') {
		q := text[start]
		start++
		end = start
		for end < len(text) && text[end] != q && text[end] != '\n' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		return start, min(end, len(text))
	}
	if text[i] == ':' && !quoted {
		return 0, 0 // prose: "token: expected a number"
	}
	end = start
	for end < len(text) && !strings.ContainsRune("&; \t\r\n\"'<>,)]}#", rune(text[end])) {
		end++
	}
	return start, end
}

// userinfo returns the user name and password of the address whose authority
// begins at i.
func userinfo(text string, i int) (start, end int) {
	for n := i; n < len(text); n++ {
		switch text[n] {
		case '@':
			return i, n
		case '/', '?', '#', ' ', '\t', '\n', '\r', '"', '\'', '<', '>':
			return 0, 0
		}
	}
	return 0, 0
}

// MaskURL returns an address without user name, password and the values of
// secret query parameters.
func MaskURL(url string) string { return MaskText(url) }

// MaskHeader returns a header's value as it may be shown.
func MaskHeader(name, value string) string {
	if SecretHeader(name) {
		return Redacted(value)
	}
	return MaskText(value)
}
