package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gstack/internal/api"
	"gstack/internal/capture"
	"gstack/internal/daemon"
	"gstack/internal/safe"
	"gstack/internal/session"
)

// hits counts what a server was asked for.
type hits struct {
	mu    sync.Mutex
	paths map[string]int
}

func (h *hits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.paths[r.URL.Path]++
	h.mu.Unlock()
	w.Header().Set("Access-Control-Allow-Origin", "*")
}

func (h *hits) list() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for p := range h.paths {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

func serve(t *testing.T, h http.Handler) (base string, port int) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL, s.Listener.Addr().(*net.TCPAddr).Port
}

// browse starts a browser under a policy, with names that resolve as lookup says.
func browse(t *testing.T, policy safe.Network, lookup map[string][]string) (context.Context, *session.Manager) {
	t.Helper()
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("SKIPPED: tests with a browser are off")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	src := newSource(daemon.Config{Log: slog.New(slog.DiscardHandler)})
	src.policy = policy
	var mu sync.Mutex
	src.lookup = func(_ context.Context, network, host string) ([]netip.Addr, error) {
		mu.Lock()
		defer mu.Unlock()
		var out []netip.Addr
		for _, a := range lookup[host] {
			if ip := netip.MustParseAddr(a); ip.Is4() == (network == "ip4") {
				out = append(out, ip)
			}
		}
		if len(out) == 0 {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		return out, nil
	}
	m := session.New(src, capture.NewStore("", src.refused))
	t.Cleanup(func() {
		end, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := m.Close(end); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return ctx, m
}

// ways are the ways in which a page asks for an address. Each is JavaScript that
// uses u(name), the address to ask for.
var ways = map[string]string{
	"fetch":     `fetch(u("fetch"), {mode: "no-cors"}).catch(() => 0)`,
	"xhr":       `{ const x = new XMLHttpRequest(); x.open("GET", u("xhr")); x.send(); }`,
	"image":     `new Image().src = u("image")`,
	"beacon":    `navigator.sendBeacon(u("beacon"), "x")`,
	"frame":     `add("iframe", {src: u("frame")})`,
	"script":    `add("script", {src: u("script")})`,
	"style":     `add("link", {rel: "stylesheet", href: u("style")})`,
	"font":      `new FontFace("f", "url(" + u("font") + ")").load().catch(() => 0)`,
	"video":     `add("video", {src: u("video")})`,
	"object":    `add("object", {data: u("object")})`,
	"stream":    `new EventSource(u("stream"))`,
	"socket":    `new WebSocket(u("socket").replace("http", "ws"))`,
	"worker":    `new Worker(URL.createObjectURL(new Blob(["fetch('" + u("worker") + "', {mode: 'no-cors'}).catch(() => 0)"])))`,
	"form":      `{ const f = add("form", {action: u("form"), target: "hidden"}); f.submit(); }`,
	"redirect":  `fetch("/to?" + u("redirect"), {mode: "no-cors"}).catch(() => 0)`,
	"frameto":   `add("iframe", {src: "/to?" + u("frameto")})`,
	"popup":     `window.open(u("popup"))`,
	"keepalive": `fetch(u("keepalive"), {mode: "no-cors", keepalive: true}).catch(() => 0)`,
}

func attacker() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>attacker</title><iframe name=hidden></iframe>")
	})
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
	})
	return mux
}

// attack runs all ways against a base address from a page, and waits until each
// has ended.
func attack(ctx context.Context, t *testing.T, tab *session.Tab, base string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, `const u = name => %q + "/" + name; const add = (tag, a) => document.body.appendChild(Object.assign(document.createElement(tag), a));`, base)
	for _, w := range ways {
		b.WriteString("try { " + w + " } catch (e) { console.log(e) };\n")
	}
	if _, err := tab.Main().Eval(ctx, "(() => {"+b.String()+"})()"); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until cond holds.
func eventually(ctx context.Context, cond func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// TestOwnPort: no page reaches a port of the daemon, in whatever way it asks and
// whatever the host is called; every one of these ways reaches another port.
func TestOwnPort(t *testing.T) {
	own, other := &hits{paths: map[string]int{}}, &hits{paths: map[string]int{}}
	_, ownPort := serve(t, own)
	_, otherPort := serve(t, other)
	site, _ := serve(t, attacker())
	ctx, m := browse(t, safe.Network{Ports: []int{ownPort}}, map[string][]string{"rebound.test": {"127.0.0.1"}})
	tab, err := m.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "rebound.test", "0.0.0.0"} {
		if _, err := tab.Navigate(ctx, site); err != nil {
			t.Fatal(err)
		}
		attack(ctx, t, tab, fmt.Sprintf("http://%s:%d", host, ownPort))
	}
	if _, err := tab.Navigate(ctx, site); err != nil {
		t.Fatal(err)
	}
	attack(ctx, t, tab, fmt.Sprintf("http://127.0.0.1:%d", otherPort))
	missing := func() []string { // Chromium may ask for an icon besides, on its own
		reached := other.list()
		return slices.DeleteFunc(slices.Sorted(maps.Keys(ways)), func(way string) bool { return slices.Contains(reached, "/"+way) })
	}
	if !eventually(ctx, func() bool { return len(missing()) == 0 }) {
		t.Errorf("these of %d ways lead nowhere, so the test proves little: %v", len(ways), missing())
	}
	if got := own.list(); len(got) > 0 {
		t.Errorf("the daemon's port was asked for %v", got)
	}
}

// TestMetadata: every notation of a metadata address, asked for by a page, is
// refused before anything is sent, and the list of requests says so.
func TestMetadata(t *testing.T) {
	site, port := serve(t, attacker())
	ctx, m := browse(t, safe.Network{}, map[string][]string{
		"rebound.test": {"169.254.169.254"}, "six.test": {"fd00:ec2::254"}, "mapped.test": {"::ffff:169.254.169.254"}, "nat64.test": {"64:ff9b::a9fe:a9fe"},
		"good.test": {"169.254.169.254", "127.0.0.1"},
	})
	tab, err := m.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	hosts := []string{
		"169.254.169.254", "2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "169.254.43518", "169.254.169.254.", "169.16689662",
		"[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:a9fe:a9fe]", "[::a9fe:a9fe]", "[64:ff9b::169.254.169.254]", "[2002:a9fe:a9fe::]",
		"169.254.170.2", "[fe80::1]", "[fd00:ec2::254]", "[fc00::1]", "100.100.100.200", "192.0.0.192", "168.63.129.16",
		"metadata.google.internal", "METADATA.google.internal", "metadata.google.internal.", "metadata", "metadata.goog", "instance-data",
		"１６９.254.169.254", "169%2e254.169.254", "rebound.test", "six.test", "mapped.test", "nat64.test",
	}
	if _, err := tab.Navigate(ctx, site); err != nil {
		t.Fatal(err)
	}
	for _, h := range hosts {
		script := fmt.Sprintf("fetch('http://%s/latest/', {mode: 'no-cors'}).then(() => 'reached', () => 'refused')", h)
		v, err := tab.Main().Eval(ctx, script)
		if err != nil || v.Text != "refused" {
			t.Errorf("%s: %q, %v", h, v.Text, err)
		}
	}
	list, _ := tab.Requests(ctx)
	refused := 0
	for _, r := range list {
		if strings.HasSuffix(r.URL, "/latest/") {
			if strings.HasPrefix(r.Failure, "refused: ") {
				refused++
			} else {
				t.Errorf("%s", r.String())
			}
		}
	}
	if refused != len(hosts) {
		t.Errorf("%d of %d are listed as refused", refused, len(hosts))
	}
	// A name that has an address that may be opened is opened there.
	if n, err := tab.Navigate(ctx, "http://good.test:"+strconv.Itoa(port)+"/"); err != nil || n.Status != 200 {
		t.Errorf("a name with a good address: %+v, %v", n, err)
	}
	// The whole tab: typed names and redirects say why.
	for _, u := range []string{"http://rebound.test/", site + "/to?http://169.254.169.254/", site + "/to?http://rebound.test/", site + "/to?http://2852039166/"} {
		_, err := tab.Navigate(ctx, u)
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.URLDenied {
			t.Errorf("%s: %v", u, err)
		}
	}
	if _, err := tab.Navigate(ctx, "http://nowhere.test/"); err == nil || !strings.Contains(err.Error(), "does not resolve") {
		t.Errorf("a name that does not exist: %v", err)
	}
}

// TestSchemes: a page cannot leave the web by a link, a redirect or a frame.
func TestSchemes(t *testing.T) {
	site, _ := serve(t, attacker())
	ctx, m := browse(t, safe.Network{}, nil)
	tab, err := m.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []string{
		"file:///etc/passwd", "chrome://version", "view-source:" + site, "devtools://devtools/bundled/inspector.html", "chrome-untrusted://x", "filesystem:" + site + "/temporary/x",
		"data:text/html,<title>left</title>", "about:version", "chrome://settings", "javascript:void(document.title='left')//",
	} {
		if _, err := tab.Navigate(ctx, site); err != nil {
			t.Fatal(err)
		}
		_, _ = tab.Navigate(ctx, site+"/to?"+url.QueryEscape(u)) // not a redirect that a browser follows
		_, _ = tab.Navigate(ctx, site+"/to?"+u)
		if _, err := tab.Navigate(ctx, site); err != nil {
			t.Fatal(err)
		}
		js := fmt.Sprintf(`(() => { const u = %q; for (const f of [() => open(u, "_self"), () => { const a = document.createElement("a"); a.href = u; document.body.append(a); a.click() }]) try { f() } catch {} })()`, u)
		if !strings.HasPrefix(u, "javascript:") {
			if _, err := tab.Main().Eval(ctx, js); err != nil {
				t.Fatal(err)
			}
			if err := tab.LoadState(ctx, "load"); err != nil {
				t.Fatal(err)
			}
		}
		stays := func() bool {
			v, err := tab.Main().Eval(ctx, "location.origin + ' ' + document.title")
			return err == nil && v.Text == site+" attacker" || strings.HasPrefix(tab.URL(), "about:blank")
		}
		if !eventually(ctx, stays) {
			t.Errorf("%s: the tab shows %s", u, tab.URL())
		}
	}
}

// TestPublicOnly: neither this machine nor private networks are reached, by
// address, by name or by a name that stands for them.
func TestPublicOnly(t *testing.T) {
	h := &hits{paths: map[string]int{}}
	_, port := serve(t, h)
	ctx, m := browse(t, safe.Network{PublicOnly: true}, map[string][]string{"inside.test": {"127.0.0.1"}, "lan.test": {"10.0.0.7"}})
	tab, err := m.Open(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "app.localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "inside.test", "lan.test", "192.168.0.1", "10.1.2.3", "172.20.0.1", "100.64.1.1"} {
		_, err := tab.Navigate(ctx, fmt.Sprintf("http://%s:%d/", host, port))
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.URLDenied {
			t.Errorf("%s: %v", host, err)
		}
	}
	if got := h.list(); len(got) > 0 {
		t.Errorf("this machine was asked for %v", got)
	}
}
