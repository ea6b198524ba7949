// Package state is what can be kept of a browser in a file: cookies, the storage
// of origins, open pages. It knows the file, its encryption and its folder, and no
// browser. What it reads was written by anyone, so nothing of it is believed
// before all of it has been checked.
package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"gstack/internal/cookie"
)

// Version is that of the form of the files.
const Version = 1

// State is the content of a file. Beside what the documents name, version,
// savedAt, cookies and pages, it has the storage of origins in the form of
// Playwright's storage state, whose files can be read too.
type State struct {
	Version int             `json:"version"`
	SavedAt time.Time       `json:"savedAt"`
	Cookies []cookie.Cookie `json:"cookies"`
	Origins []Origin        `json:"origins"`
	Pages   []Page          `json:"pages"`
	// Malformed counts cookies that were left out because no browser would take them.
	Malformed int `json:"-"`
}

// Origin is the storage of an origin.
type Origin struct {
	Origin string     `json:"origin"`
	Local  []Entry    `json:"localStorage"`
	DBs    []Database `json:"indexedDB,omitempty"`
}

// Entry is an entry of a storage area.
type Entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Database is one of IndexedDB. Keys and values are in the form of the page code
// that reads and writes them (keep.js).
type Database struct {
	Name    string  `json:"name"`
	Version int64   `json:"version"`
	Stores  []Store `json:"stores"`
}

// Store is an object store. KeyPath is a string, a list of them, or null.
type Store struct {
	Name      string          `json:"name"`
	KeyPath   json.RawMessage `json:"keyPath"`
	Increment bool            `json:"autoIncrement"`
	Indexes   []Index         `json:"indexes"`
	Records   []Record        `json:"records"`
}

// Index is an index of an object store.
type Index struct {
	Name    string          `json:"name"`
	KeyPath json.RawMessage `json:"keyPath"`
	Unique  bool            `json:"unique"`
	Multi   bool            `json:"multiEntry"`
}

// Record is one value with its key.
type Record struct {
	Key   json.RawMessage `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Page is an open page. Session is what its tab keeps for each of its origins.
type Page struct {
	URL     string    `json:"url"`
	Active  bool      `json:"isActive"`
	Session []Session `json:"sessionStorage,omitempty"`
	// Storage is how older files have it: of the page's own origin.
	Storage *struct {
		Local   map[string]string `json:"localStorage"`
		Session map[string]string `json:"sessionStorage"`
	} `json:"storage,omitempty"`
}

// Session is the session storage of an origin in one tab.
type Session struct {
	Origin  string  `json:"origin"`
	Entries []Entry `json:"entries"`
}

// Bounds of what is read.
const (
	MaxFile  = 256 << 20
	maxPages = 200
	maxItems = 100_000
)

// decode reads and checks the plain form.
func decode(data []byte) (State, error) {
	var s State
	var head struct {
		Version *int               `json:"version"`
		Cookies *[]json.RawMessage `json:"cookies"`
		Origins *[]json.RawMessage `json:"origins"`
		Pages   *[]json.RawMessage `json:"pages"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&head); err != nil {
		return s, errors.New("it is no JSON object, or ends too early")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return s, errors.New("something follows the JSON object")
	}
	if head.Version == nil && (head.Cookies == nil || head.Origins == nil) {
		return s, errors.New("it has no version, and is no storage state of Playwright")
	}
	if head.Version != nil && *head.Version != Version {
		return s, fmt.Errorf("its version is %d, and this program reads %d", *head.Version, Version)
	}
	if head.Cookies == nil {
		return s, errors.New("it has no list of cookies")
	}
	var body struct {
		State
		Cookies json.RawMessage `json:"cookies"`
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return s, fmt.Errorf("a part of it has the wrong form: %s", where(err))
	}
	s = body.State
	s.Version = Version
	for _, raw := range *head.Cookies {
		c, err := cookie.One(raw)
		if err != nil {
			s.Malformed++
			continue
		}
		s.Cookies = append(s.Cookies, c)
	}
	return s, s.check()
}

// where names the part that did not decode, and no value.
func where(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) && t.Field != "" {
		return strings.TrimPrefix(t.Field, "State.") + " is " + t.Value
	}
	return "it does not decode"
}

// check looks at what decoding does not.
func (s *State) check() error {
	if len(s.Pages) > maxPages {
		return fmt.Errorf("it holds %d pages, more than %d", len(s.Pages), maxPages)
	}
	items := 0
	for i := range s.Origins {
		o := &s.Origins[i]
		if !isOrigin(o.Origin) {
			return fmt.Errorf("origin %d is not scheme and host of a site", i+1)
		}
		items += len(o.Local)
		for _, db := range o.DBs {
			if db.Version < 1 {
				return fmt.Errorf("a database of origin %d has no version", i+1)
			}
			for _, st := range db.Stores {
				items += len(st.Records)
			}
		}
	}
	for i := range s.Pages {
		p := &s.Pages[i]
		if p.URL == "" {
			return fmt.Errorf("page %d has no address", i+1)
		}
		if p.Storage != nil {
			s.adopt(p)
		}
		for _, x := range p.Session {
			items += len(x.Entries)
			if !isOrigin(x.Origin) {
				return fmt.Errorf("the session storage of page %d has no origin", i+1)
			}
		}
	}
	if items > maxItems {
		return fmt.Errorf("it holds %d entries, more than %d", items, maxItems)
	}
	return nil
}

// adopt takes over storage in the form of older files.
func (s *State) adopt(p *Page) {
	u, err := url.Parse(p.URL)
	old := *p.Storage
	p.Storage = nil
	if err != nil || !isOrigin(u.Scheme+"://"+u.Host) {
		return
	}
	origin := u.Scheme + "://" + u.Host
	if len(old.Session) > 0 && len(p.Session) == 0 {
		p.Session = []Session{{origin, entries(old.Session)}}
	}
	if len(old.Local) == 0 {
		return
	}
	for i := range s.Origins {
		if s.Origins[i].Origin == origin {
			return
		}
	}
	s.Origins = append(s.Origins, Origin{Origin: origin, Local: entries(old.Local)})
}

func entries(from map[string]string) []Entry {
	out := make([]Entry, 0, len(from))
	for k, v := range from {
		out = append(out, Entry{k, v})
	}
	return out
}

func isOrigin(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && s == u.Scheme+"://"+u.Host
}

// Databases returns how many databases the state has.
func (s *State) Databases() int {
	n := 0
	for _, o := range s.Origins {
		n += len(o.DBs)
	}
	return n
}
