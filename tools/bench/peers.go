package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// peers returns the tools installed under dir/node_modules. A tool that is not
// there is left out; one that does not run is an error.
func peers(ctx context.Context, run *runEnv, dir string) ([]*tool, error) {
	var found []*tool
	for _, f := range []func(*runEnv, string) (*tool, error){agentBrowser, playwrightCLI} {
		t, err := f(run, filepath.Join(dir, "node_modules"))
		if err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		r, err := t.run(ctx, "--version")
		if err != nil {
			return nil, err
		}
		t.version = strings.TrimSpace(strings.TrimPrefix(r.Out, "agent-browser"))
		found = append(found, t)
	}
	return found, nil
}

// root tells whether Chromium needs its sandbox off.
func root() bool { return os.Geteuid() == 0 }

func agentBrowser(run *runEnv, modules string) (*tool, error) {
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	pkg := filepath.Join(modules, "agent-browser")
	program := filepath.Join(pkg, "bin", "agent-browser-"+runtime.GOOS+"-"+arch)
	if _, err := os.Stat(program); err != nil {
		return nil, nil //nolint:nilerr // not installed
	}
	// npm that runs no install script leaves the programs without their x bit.
	if err := os.Chmod(program, 0o755); err != nil {
		return nil, err
	}
	extra := []string{"AGENT_BROWSER_EXECUTABLE_PATH=" + run.chromium, "AGENT_BROWSER_SESSION=bench"}
	if root() {
		extra = append(extra, "AGENT_BROWSER_ARGS=--no-sandbox")
	}
	t, err := newTool(run, "agent-browser", "agent-browser", extra...)
	if err != nil {
		return nil, err
	}
	t.prefix, t.hasBatch = []string{program}, true
	t.sizes = []sized{{"native program", []string{program}}, {"npm package, seven platforms", []string{pkg}}}
	t.translate = func(a []string) []string {
		switch {
		case a[0] == "goto":
			return []string{"open", a[1]}
		case a[0] == "url":
			return []string{"get", "url"}
		case a[0] == "text":
			return []string{"get", "text", "body"}
		case a[0] == "js":
			return []string{"eval", a[1]}
		case a[0] == "stop":
			return []string{"close"}
		case a[0] == "chain":
			return []string{"batch"}
		case a[0] == "screenshot" && a[1] == "--viewport":
			return []string{"screenshot", a[2]}
		case a[0] == "screenshot":
			return []string{"screenshot", "--full", a[1]}
		}
		return a
	}
	return t, nil
}

func playwrightCLI(run *runEnv, modules string) (*tool, error) {
	pkg := filepath.Join(modules, "@playwright", "cli")
	script := filepath.Join(pkg, "playwright-cli.js")
	node, nodeErr := exec.LookPath("node")
	if _, err := os.Stat(script); err != nil || nodeErr != nil {
		return nil, nil //nolint:nilerr // not installed
	}
	t, err := newTool(run, "playwright-cli", "playwright-cli", "NO_UPDATE_NOTIFIER=1")
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(map[string]any{"browser": map[string]any{"browserName": "chromium",
		"launchOptions": map[string]any{"executablePath": run.chromium, "chromiumSandbox": !root(), "headless": true}}})
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(t.dir, "work", ".playwright")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "cli.config.json"), config, 0o600); err != nil {
		return nil, err
	}
	t.prefix, t.refPrefix = []string{node, script}, ""
	t.sizes = []sized{{"package", []string{pkg, filepath.Join(modules, "playwright-core")}}, {"node", []string{node}}}
	started := false // its goto needs an open browser, its open starts one
	t.translate = func(a []string) []string {
		switch {
		case a[0] == "goto" && !started:
			started = true
			return []string{"open", a[1]}
		case a[0] == "url":
			return []string{"tab-list"} // it has no url
		case a[0] == "snapshot":
			return a[:1] // it has no -i
		case a[0] == "text":
			return []string{"--raw", "eval", "document.body.innerText"}
		case a[0] == "js":
			return []string{"--raw", "eval", a[1]}
		case a[0] == "stop":
			started = false
			return []string{"close"}
		case a[0] == "screenshot" && a[1] == "--viewport":
			return []string{"screenshot", "--filename=" + a[2]}
		case a[0] == "screenshot":
			return []string{"screenshot", "--full-page", "--filename=" + a[1]}
		}
		return a
	}
	return t, nil
}

// batchWords translates the steps of a chain, word list by word list.
func (t *tool) batchWords(steps [][]string) [][]string {
	out := make([][]string, len(steps))
	for i, s := range steps {
		out[i] = t.translate(s)
	}
	return out
}
