package page

import "testing"

func TestMatchAddress(t *testing.T) {
	for _, c := range []struct {
		glob, address string
		want          bool
	}{
		{"*", "http://a.test/x", true}, {"**", "http://a.test/x", true}, {"*.png", "http://a.test/x.png", true}, {"*.png", "http://a.test/x.png?v", false},
		{"**/*.png", "http://a.test/d/x.png", true}, {"http://a.test/*", "http://a.test/x", true}, {"http://a.test/*", "http://b.test/?http://a.test/", false},
		{"a.test/*", "https://a.test/x", true}, {"a.test/*", "https://b.test/a.test/x", false}, {"*/a.test/*", "https://b.test/a.test/x", true},
		{"/api/*", "https://b.test/api/x?y", true}, {"/api/*", "https://b.test/v1/api/x", false}, {"/api", "https://b.test/api", true}, {"/api", "https://b.test/api?x", false},
		{"/?a=b", "https://b.test/?a=b", true}, {"/?a=b", "https://b.test/xa=b", false}, {"*x*y*", "http://a/1y2x", false}, {"*x*y*", "http://a/1x2y", true},
		{"ab*ba", "http://aba", false}, {"/x", "http://nopath", false}, {"http://a.test/x", "http://a.test/x", true}, {"http://a.test/x", "http://a.test/xy", false},
	} {
		if got := MatchAddress(c.glob, c.address); got != c.want {
			t.Errorf("MatchAddress(%q, %q) = %v", c.glob, c.address, got)
		}
	}
}

func TestOrigin(t *testing.T) {
	for in, want := range map[string]string{
		"http://A.test:80/x": "http://a.test", "https://a.test:443": "https://a.test", "http://a.test:8080/?x#y": "http://a.test:8080",
		"https://u:p@a.test/": "https://a.test", "about:blank": "", "data:text/html,x": "", "http://[::1]:80/": "http://[::1]", "": "",
	} {
		if got := Origin(in); got != want {
			t.Errorf("Origin(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestHeld: what is held covers every route, and nothing when there is none.
func TestHeld(t *testing.T) {
	if p, auth := (Settings{}).held(false); len(p) != 0 || auth {
		t.Error(p, auth)
	}
	p, auth := Settings{Routes: []*Route{{Pattern: "/a?b*"}, {Pattern: "a.test/*"}}, Credentials: []Credential{{Origin: "http://a.test"}}}.held(true)
	want := []string{"file://*", `*://*/a\?b*`, "*://a.test/*", "http://a.test/*"}
	if len(p) != len(want) || !auth {
		t.Fatal(p, auth)
	}
	for i := range want {
		if p[i]["urlPattern"] != want[i] {
			t.Errorf("%v, want %s", p[i], want[i])
		}
	}
}
