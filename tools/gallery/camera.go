package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// camera runs browse.
type camera struct {
	program, workspace, out, base string
	// refs are those of the latest snapshot.
	refs []string
}

// hungShot is a picture as the page shows it.
type hungShot struct {
	Name, Title, Look string
	Commands          []string
	Answer, Error     string
	Pictures          []string // names of files
	Document          string   // a PDF, "" for a picture
}

// Files names what was written.
func (h hungShot) Files() []string {
	if h.Document != "" {
		return append([]string{h.Document}, h.Pictures...)
	}
	return h.Pictures
}

// take takes one picture, from a state in which nothing is emulated.
func (c *camera) take(ctx context.Context, s shot) hungShot {
	h := hungShot{Name: s.name, Title: s.title, Look: s.look}
	file := s.name + ".png"
	if s.take[0] == "pdf" {
		file = s.name + ".pdf"
	}
	last := append([]string{}, s.take...)
	if s.take[0] == "snapshot" {
		last = append(last, "-o")
	}
	commands := append([][]string{{"reset"}, {"goto", c.base + s.page}, {"wait", "--load"}}, s.before...)
	for _, args := range append(commands, append(last, file)) {
		for i, a := range args {
			if a == heat {
				args[i] = c.heat()
			}
		}
		if args[0] != "reset" && args[0] != "wait" {
			h.Commands = append(h.Commands, "browse "+strings.ReplaceAll(strings.Join(args, " "), c.base, ""))
		}
		answer, err := c.browse(ctx, args...)
		if err != nil {
			h.Error = err.Error()
			return h
		}
		h.Answer = strings.ReplaceAll(ending(answer), c.workspace+string(filepath.Separator), "")
	}
	// browse writes into its workspace, which goes.
	data, err := os.ReadFile(filepath.Join(c.workspace, file))
	if err == nil {
		err = os.WriteFile(filepath.Join(c.out, file), data, 0o644)
	}
	if err != nil {
		h.Error = err.Error()
		return h
	}
	if s.take[0] != "pdf" {
		h.Pictures = []string{file}
		return h
	}
	h.Document = file
	h.Pictures = pages(ctx, c.out, s.name)
	return h
}

var refPattern = regexp.MustCompile(`(?m)^ *(@e\d+) `)

// browse runs one command and returns its stdout.
func (c *camera) browse(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir = c.workspace
	for _, kv := range os.Environ() {
		// A tab, session or state file of the caller would lead out of the workspace.
		if !strings.HasPrefix(kv, "BROWSE_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("browse %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	if args[0] == "snapshot" {
		c.refs = nil
		for _, m := range refPattern.FindAllStringSubmatch(stdout.String(), -1) {
			c.refs = append(c.refs, m[1])
		}
	}
	return stdout.String(), nil
}

// heat gives the first controls of the latest snapshot a colour each.
func (c *camera) heat() string {
	colors := map[string]string{}
	for i, color := range []string{"green", "yellow", "red", "blue"} {
		if i < len(c.refs) {
			colors[c.refs[i]] = color
		}
	}
	b, err := json.Marshal(colors)
	if err != nil {
		panic(err) // a map of strings
	}
	return string(b)
}

// ending is the end of an answer: what is said of the picture stands there.
func ending(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-10):], "\n")
}

// pages turns a PDF into pictures of its pages, with the program that this machine
// has; nil when it has none.
func pages(ctx context.Context, dir, name string) []string {
	pdf, to := filepath.Join(dir, name+".pdf"), filepath.Join(dir, name+"-page")
	for _, old := range pagePictures(dir, name) {
		_ = os.Remove(filepath.Join(dir, old))
	}
	for _, args := range [][]string{
		{"pdftoppm", "-r", "60", "-png", pdf, to},
		{"mutool", "draw", "-r", "60", "-o", to + "-%d.png", pdf},
		{"gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=png16m", "-r60", "-sOutputFile=" + to + "-%d.png", pdf},
	} {
		if exec.CommandContext(ctx, args[0], args[1:]...).Run() == nil {
			return pagePictures(dir, name)
		}
	}
	return nil
}

// pagePictures names the pictures of a PDF's pages that are in the folder.
func pagePictures(dir, name string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, name+"-page*.png"))
	for i := range found {
		found[i] = filepath.Base(found[i])
	}
	return found
}
