package session

import (
	"strings"
	"testing"

	"gstack/internal/cookie"
)

// TestNotKept: what a browser tells back under another spelling is kept, and of
// several values of one cookie the last one counts.
func TestNotKept(t *testing.T) {
	now := []cookie.Cookie{
		{Name: "a", Value: "1", Domain: "[::1]", Path: "/"},
		{Name: "b", Value: "2", Domain: ".Shop.test", Path: "/"},
		{Name: "b", Value: "3", Domain: ".shop.test", Path: "/sub"},
	}
	for _, c := range []struct {
		name string
		set  []cookie.Cookie
		lost string
	}{
		{"an address by its URL", []cookie.Cookie{{Name: "a", Value: "1", URL: "http://[::1]:8765/"}}, ""},
		{"twice, the last value is there", []cookie.Cookie{{Name: "b", Value: "old", Domain: "shop.test"}, {Name: "b", Value: "2", Domain: ".shop.test", Path: "/"}}, ""},
		{"twice, the first value is there", []cookie.Cookie{{Name: "b", Value: "2", Domain: "shop.test"}, {Name: "b", Value: "new", Domain: "shop.test"}}, "b of shop.test"},
		{"another path", []cookie.Cookie{{Name: "b", Value: "3", Domain: "shop.test", Path: "/"}}, "b of shop.test"},
		{"ended", []cookie.Cookie{{Name: "c", Value: "1", Domain: "shop.test", Expires: 1}}, ""},
		{"not there", []cookie.Cookie{{Name: "c", Value: "1", Domain: "shop.test"}}, "c of shop.test"},
	} {
		if got := strings.Join(notKept(c.set, now), ", "); got != c.lost {
			t.Errorf("%s: lost %q, want %q", c.name, got, c.lost)
		}
	}
}
