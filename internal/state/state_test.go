package state

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
	"gstack/internal/cookie"

	"github.com/google/go-cmp/cmp"
)

func sample() State {
	return State{
		Version: Version, SavedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Cookies: []cookie.Cookie{
			{Name: "sid", Value: "secret", Domain: "a.test", Path: "/", HTTPOnly: true, SourceScheme: "Secure", SourcePort: 443},
			{Name: "p", Value: "1", Domain: ".b.test", Path: "/", Secure: true, SameSite: "None", Partition: &cookie.Partition{TopLevelSite: "https://a.test", CrossSite: true}},
		},
		Origins: []Origin{{Origin: "https://a.test", Local: []Entry{{"k", "v"}}, DBs: []Database{{Name: "d", Version: 2, Stores: []Store{{
			Name: "s", KeyPath: json.RawMessage(`null`), Increment: true, Indexes: []Index{{Name: "i", KeyPath: json.RawMessage(`["a","b"]`)}},
			Records: []Record{{json.RawMessage(`1`), json.RawMessage(`{"t":"undef"}`)}},
		}}}}}},
		Pages: []Page{{URL: "https://a.test/x", Active: true, Session: []Session{{"https://a.test", []Entry{{"s", "1"}}}}}},
	}
}

// TestRoundTrip: what is written is read again, plain and encrypted, and by no
// other key.
func TestRoundTrip(t *testing.T) {
	for _, key := range []string{"", "correct horse"} {
		dir := t.TempDir()
		f := NewFolder(dir, key)
		path, err := f.Save("work", sample())
		if err != nil {
			t.Fatal(err)
		}
		fi, err := os.Stat(path)
		if err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", fi.Mode(), err)
		}
		data, _ := os.ReadFile(path)
		if strings.Contains(string(data), "secret") != (key == "") {
			t.Errorf("key %q: the file has the value in clear, or not", key)
		}
		got, err := f.Load("work")
		if err != nil {
			t.Fatal(err)
		}
		// Indentation of raw JSON is no difference.
		for i := range got.Origins[0].DBs[0].Stores {
			compactStore(t, &got.Origins[0].DBs[0].Stores[i])
		}
		if d := cmp.Diff(sample(), got); d != "" {
			t.Errorf("key %q: %s", key, d)
		}
		if key == "" {
			continue
		}
		for _, other := range []string{"", "wrong"} {
			if _, err := NewFolder(dir, other).Load("work"); err == nil {
				t.Errorf("it opens with the key %q", other)
			}
		}
		for i := range data {
			if i%37 != 0 {
				continue
			}
			broken := append([]byte(nil), data...)
			broken[i] ^= 1
			if s, err := f.Decode(broken, "x"); err == nil && cmp.Diff(got.Cookies, s.Cookies) != "" {
				t.Errorf("byte %d may be changed", i)
			}
		}
	}
}

func compactStore(t *testing.T, s *Store) {
	compact := func(r *json.RawMessage) {
		var v any
		if err := json.Unmarshal(*r, &v); err != nil {
			t.Fatal(err)
		}
		*r, _ = json.Marshal(v)
	}
	compact(&s.KeyPath)
	for i := range s.Indexes {
		compact(&s.Indexes[i].KeyPath)
	}
	for i := range s.Records {
		compact(&s.Records[i].Key)
		compact(&s.Records[i].Value)
	}
}

// TestCut: no file that ends too early is taken for a whole one.
func TestCut(t *testing.T) {
	f := NewFolder(t.TempDir(), "")
	data, err := f.Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if _, err := f.Decode(data[:n], "x"); err == nil {
			t.Errorf("%d of %d bytes are taken", n, len(data))
		}
	}
}

func TestRefused(t *testing.T) {
	f := NewFolder(t.TempDir(), "")
	for in, want := range map[string]string{
		``: "no JSON object", `[]`: "no JSON object", `7`: "no JSON object", `null`: "no version", `{}`: "no version",
		`{"version":1}`: "no list of cookies", `{"version":"1","cookies":[]}`: "no JSON object",
		`{"version":2,"cookies":[]}`: "version is 2", `{"version":1,"cookies":[]} x`: "something follows",
		`{"version":1,"cookies":{}}`: "no JSON object", `{"version":1,"cookies":[],"pages":[1]}`: "wrong form",
		`{"version":1,"cookies":[],"pages":[{"url":""}]}`:                                                           "no address",
		`{"version":1,"cookies":[],"origins":[{"origin":"https://u:p@a.test"}]}`:                                    "origin 1",
		`{"version":1,"cookies":[],"origins":[{"origin":"https://a.test/path"}]}`:                                   "origin 1",
		`{"version":1,"cookies":[],"origins":[{"origin":"file://x"}]}`:                                              "origin 1",
		`{"version":1,"cookies":[],"origins":[{"origin":"https://a.test","indexedDB":[{"name":"x"}]}]}`:             "has no version",
		`{"version":1,"cookies":[],"pages":[{"url":"https://a.test","sessionStorage":[{"origin":"a"}]}]}`:           "no origin",
		`{"version":1,"encrypted":"none","salt":"","nonce":"","data":""}`:                                           "not known",
		`{"version":1,"encrypted":"` + cipherName + `","salt":"AAAAAAAAAAAAAAAAAAAAAA==","nonce":"","data":"AAAA"}`: "no key",
		`{"version":1,"encrypted":"` + cipherName + `","salt":7}`:                                                   "damaged",
	} {
		_, err := f.Decode([]byte(in), "x")
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.BadUsage || !strings.Contains(e.Message, want) || !strings.Contains(e.Message, "nothing was changed") {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

// TestOlder: states with the storage in each page, and cookies that no browser
// takes.
func TestOlder(t *testing.T) {
	s, err := NewFolder(t.TempDir(), "").Decode([]byte(`{"version":1,"savedAt":"2026-01-01T00:00:00Z","cookies":[{"name":"a b","value":"1"},{"name":"c","value":"1","domain":"a.test"}],
		"pages":[{"url":"https://a.test/x","isActive":true,"storage":{"localStorage":{"k":"v"},"sessionStorage":{"s":"t"}}},{"url":"about:blank","storage":{"localStorage":{},"sessionStorage":{}}}]}`), "x")
	if err != nil {
		t.Fatal(err)
	}
	if s.Malformed != 1 || len(s.Cookies) != 1 || len(s.Origins) != 1 || s.Origins[0].Local[0] != (Entry{"k", "v"}) || s.Pages[0].Session[0].Entries[0] != (Entry{"s", "t"}) || s.Pages[0].Storage != nil {
		t.Errorf("%+v", s)
	}
}

func TestNames(t *testing.T) {
	f := NewFolder(t.TempDir(), "")
	for _, bad := range []string{"", ".", "..", "../x", "a/b", "a b", "ä", strings.Repeat("x", 101), "x.json"} {
		if _, err := f.Path(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if err := f.Remove("none"); err == nil {
		t.Error("what is not there was removed")
	}
}

// TestSessionPutAside: what cannot be read is kept beside, and the next start has
// nothing.
func TestSessionPutAside(t *testing.T) {
	dir := t.TempDir()
	f := NewFolder(dir, "")
	if s, aside, err := f.LoadSession(); s != nil || aside != "" || err != nil {
		t.Error(s, aside, err)
	}
	if err := f.SaveSession(sample()); err != nil {
		t.Fatal(err)
	}
	if s, _, err := f.LoadSession(); err != nil || s == nil || len(s.Pages) != 1 {
		t.Error(s, err)
	}
	path := filepath.Join(dir, sessionName)
	if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, aside, err := f.LoadSession()
	if err == nil || aside != path+".corrupt" {
		t.Error(aside, err)
	}
	if data, _ := os.ReadFile(aside); string(data) != "{broken" {
		t.Errorf("aside is %q", data)
	}
	if s, _, err := f.LoadSession(); s != nil || err != nil {
		t.Error(s, err)
	}
}
