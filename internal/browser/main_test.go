package browser

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// helperVariable makes the test binary a daemon that has a browser and waits to
// be killed; see TestOwnerKilled.
const helperVariable = "BROWSER_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		os.Exit(helper())
	}
	goleak.VerifyTestMain(m)
}

func helper() int {
	p, err := Launch(context.Background(), Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := openPage(context.Background(), p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Printf("%d %s\n", p.Pid(), p.profile.dir)
	<-p.Done()
	return 0
}

// testEnviron is the environment without proxies.
func testEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasSuffix(strings.ToLower(name), "_proxy")
	})
}

// openPage makes a page, so that the browser has renderers.
func openPage(ctx context.Context, p *Process) error {
	return p.Conn().Root().Call(ctx, "Target.createTarget", map[string]any{"url": "data:text/html,<p>x", "newWindow": true}, nil)
}

// limit is the context of a test: no test waits for ever.
func limit(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// installed skips the test, and says so, when there is no browser.
func installed(t *testing.T) Binary {
	t.Helper()
	if os.Getenv("BROWSE_TEST_CHROMIUM") == "off" {
		t.Skip("tests with a browser are off")
	}
	bin, _, err := Find(os.Getenv)
	if err != nil {
		t.Skipf("NO BROWSER: %v", err)
	}
	return bin
}
