package browser

import (
	"errors"
	"strings"
	"testing"

	"gstack/internal/api"
)

func TestProxyFromEnv(t *testing.T) {
	for name, c := range map[string]struct {
		env            []string
		server, bypass string
		login          string // origin=user:password
		fails          string
	}{
		"none":                 {},
		"both the same":        {env: []string{"http_proxy=http://p:8080", "https_proxy=http://p:8080/"}, server: "http://p:8080"},
		"one":                  {env: []string{"HTTPS_PROXY=p:8080"}, server: "https=http://p:8080"},
		"two":                  {env: []string{"http_proxy=a", "https_proxy=https://b"}, server: "http=http://a:80;https=https://b:443"},
		"small before capital": {env: []string{"http_proxy=a:1", "HTTP_PROXY=b:2"}, server: "http=http://a:1"},
		"all":                  {env: []string{"ALL_PROXY=socks5h://127.0.0.1"}, server: "socks5://127.0.0.1:1080"},
		"IPv6":                 {env: []string{"all_proxy=http://[::1]:3128"}, server: "http://[::1]:3128"},
		"password": {
			env: []string{"all_proxy=http://me:p%40ss@p:8080"}, server: "http://p:8080", login: "http://p:8080=me:p@ss",
		},
		"exceptions": {
			env: []string{"all_proxy=p:1", "no_proxy=.corp, example.com,10.0.0.0/8,::1,192.168.1.1,*.test,h:99,<-loopback>"}, server: "http://p:1",
			bypass: "corp;*.corp;example.com;*.example.com;10.0.0.0/8;[::1];192.168.1.1;test;*.test;h:99;*.h:99",
		},
		"all are exceptions": {env: []string{"all_proxy=p:1", "NO_PROXY=*"}},
		"ours": {
			env:    []string{"BROWSE_PROXY_URL=http://p:8080", "BROWSE_PROXY_USER=u", "BROWSE_PROXY_PASS=w", "http_proxy=x", "no_proxy=y"},
			server: "http://p:8080", login: "http://p:8080=u:w",
		},
		"credentials twice": {env: []string{"BROWSE_PROXY_URL=http://a:secret@p", "BROWSE_PROXY_USER=u"}, fails: "credentials in BROWSE_PROXY_URL and in the environment"},
		"scheme":            {env: []string{"BROWSE_PROXY_URL=ftp://u:secret@p"}, fails: `the scheme "ftp"`},
		"no host":           {env: []string{"http_proxy=http://"}, fails: "http_proxy is not the address of a proxy"},
		"two in one":        {env: []string{"http_proxy=a;https=b:1"}, fails: "http_proxy is not the address of a proxy"},
		"SOCKS password":    {env: []string{"all_proxy=socks5://u:secret@p"}, fails: "all_proxy has a password for a SOCKS proxy"},
		"bad URL":           {env: []string{"HTTP_PROXY=http://u:secret@p:x%zz"}, fails: "HTTP_PROXY is not the address of a proxy"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ProxyFromEnv(environment(c.env...))
			if c.fails != "" {
				e, ok := errors.AsType[*api.Error](err)
				if !ok || e.Code != api.BadUsage || !strings.Contains(e.Message, c.fails) || strings.Contains(e.Text(), "secret") {
					t.Errorf("error %v, want %q without the password", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Server != c.server || p.Bypass != c.bypass {
				t.Errorf("%q except %q, want %q except %q", p.Server, p.Bypass, c.server, c.bypass)
			}
			if p.HasLogin() != (c.login != "") {
				t.Errorf("HasLogin is %v", p.HasLogin())
			}
			if origin, want, ok := strings.Cut(c.login, "="); ok {
				user, pass, ok := p.Login(origin)
				if !ok || user+":"+pass != want {
					t.Errorf("login %q:%q, want %q", user, pass, want)
				}
				if _, _, ok := p.Login("http://other:8080"); ok {
					t.Error("the password goes to another proxy")
				}
			}
		})
	}
}
