package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// A bare is Chromium driven over its debugging pipe by the least code that can:
// the floor under everything that drives Chromium. It shares nothing with the
// daemon, so a mistake there cannot hide in the floor.
type bare struct {
	cmd     *exec.Cmd
	in      *os.File
	out     *bufio.Reader
	outFile *os.File
	profile string
	session string
	id      int
}

// startBare launches Chromium and opens one blank tab that reports its events.
func startBare(ctx context.Context, run *runEnv) (*bare, error) {
	profile, err := os.MkdirTemp(run.dir, "bare-")
	if err != nil {
		return nil, err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{"--headless", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--no-first-run", "--no-startup-window",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps"}
	if root() {
		args = append(args, "--no-sandbox")
	}
	b := &bare{cmd: exec.CommandContext(ctx, run.chromium, args...), in: in, out: bufio.NewReader(out), outFile: out, profile: profile}
	b.cmd.ExtraFiles = []*os.File{childIn, childOut}
	err = b.cmd.Start()
	childIn.Close()
	childOut.Close()
	if err != nil {
		return nil, err
	}
	var target struct{ TargetID string }
	if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, errors.Join(err, b.close())
	}
	var attached struct{ SessionID string }
	if err := b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return nil, errors.Join(err, b.close())
	}
	b.session = attached.SessionID
	if err := b.call("Page.enable", nil, nil); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

type message struct {
	ID     int
	Method string
	Result json.RawMessage
	Error  *struct{ Message string }
}

func (b *bare) send(method string, params any) error {
	b.id++
	m := map[string]any{"id": b.id, "method": method}
	if params != nil {
		m["params"] = params
	}
	if b.session != "" {
		m["sessionId"] = b.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = b.in.Write(append(text, 0))
	return err
}

// until reads messages up to the first that done accepts.
func (b *bare) until(done func(*message) bool) (*message, error) {
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			return nil, err
		}
		var m message
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			return nil, err
		}
		if m.Error != nil {
			return nil, fmt.Errorf("chromium answers: %s", m.Error.Message)
		}
		if done(&m) {
			return &m, nil
		}
	}
}

func (b *bare) call(method string, params, result any) error {
	if err := b.send(method, params); err != nil {
		return err
	}
	m, err := b.until(func(m *message) bool { return m.ID == b.id })
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(m.Result, result)
}

// navigate opens a page and returns when its load event has fired.
func (b *bare) navigate(url string) error {
	if err := b.send("Page.navigate", map[string]any{"url": url}); err != nil {
		return err
	}
	answered, loaded := false, false
	_, err := b.until(func(m *message) bool {
		answered = answered || m.ID == b.id
		// A load event before the answer belongs to the page that is left.
		loaded = loaded || answered && m.Method == "Page.loadEventFired"
		return answered && loaded
	})
	return err
}

func (b *bare) close() error {
	b.session = ""
	err := b.send("Browser.close", nil)
	kill := time.AfterFunc(10*time.Second, func() { b.cmd.Process.Kill() }) //nolint:errcheck // it may just have exited
	defer kill.Stop()
	if e := b.cmd.Wait(); err == nil {
		err = e
	}
	b.in.Close()
	b.outFile.Close()
	return errors.Join(err, os.RemoveAll(b.profile))
}
