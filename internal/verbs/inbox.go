package verbs

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/shield"
)

var inboxVerb = define(command.Spec{
	Name: "inbox", Group: "Multi-step", Scope: command.Meta, Output: command.Ours, Needs: command.Nothing,
	Summary: "Show the messages that were left for the agent",
	Doc: `Reads .context/sidebar-inbox/*.json in the top folder of the git work tree, the newest first:
when, on which page, and what was said, each in the envelope. --clear removes them once they
have been printed.`,
	Examples: []string{"inbox", "inbox --clear"},
}, inboxRun)

type inboxIn struct {
	Clear bool `flag:"clear" help:"remove the messages after printing them"`
}

const (
	// maxMessage bounds the file of a message, in bytes, and maxMessages how many
	// are read.
	maxMessage  = 1 << 20
	maxMessages = 500
)

type inboxMessage struct {
	file      string
	Timestamp string `json:"timestamp"`
	Page      struct {
		URL string `json:"url"`
	} `json:"page"`
	Message string `json:"userMessage"`
}

func inboxRun(_ context.Context, env *Env, in inboxIn) (Result, error) {
	cwd := env.Paths.Abs(".")
	if !filepath.IsAbs(cwd) {
		return Result{}, api.Errorf(api.BadUsage, "send the working folder with the command", "inbox: the working folder of the caller is not known")
	}
	top := gitTop(cwd)
	if top == "" {
		return Result{}, api.Errorf(api.Failed, "run it inside of a git work tree", "inbox: this folder is in no git repository")
	}
	dir, err := inboxFolder(top)
	if err != nil {
		return Result{}, err
	}
	var list []inboxMessage
	skipped := 0
	if dir != nil {
		defer dir.Close()
		if list, skipped, err = inboxMessages(dir); err != nil {
			return Result{}, err
		}
	}
	own := ""
	if skipped > 0 {
		own = fmt.Sprintf("\n(%d files are no messages and were left alone)", skipped)
	}
	if len(list) == 0 {
		return Result{Text: "Inbox empty." + own, Data: []inboxMessage{}}, nil
	}
	var b strings.Builder
	rule := strings.Repeat("─", 40)
	fmt.Fprintf(&b, "SIDEBAR INBOX (%d messages)\n%s\n", len(list), rule)
	for _, m := range list {
		fmt.Fprintf(&b, "[%s] %s\n%s\n", shield.Break(api.Clean(m.Timestamp)), source(m.Page.URL), shield.Wrap(m.Page.URL, m.Message))
	}
	b.WriteString(rule)
	if in.Clear {
		removed := 0
		for _, m := range list {
			if dir.Remove(m.file) == nil {
				removed++
			}
		}
		fmt.Fprintf(&b, "\nCleared %d messages.", removed)
	}
	return Result{Text: b.String() + own, Data: list}, nil
}

// gitTop returns the top folder of the work tree that dir is in, "" for none.
func gitTop(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// inboxFolder opens the folder of the messages, nil when there is none. No link
// leads out of the work tree.
func inboxFolder(top string) (*os.Root, error) {
	tree, err := os.OpenRoot(top)
	if err != nil {
		return nil, fileUnreadable(top, err)
	}
	defer tree.Close()
	dir, err := tree.OpenRoot(filepath.Join(".context", "sidebar-inbox"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fileUnreadable("the inbox", err)
	}
	return dir, nil
}

func fileUnreadable(what string, err error) error {
	return api.Errorf(api.FileError, "check the folder", "%s cannot be read: %v", what, err)
}

// inboxMessages reads the messages in dir, the newest name first. Links are not
// followed, and what is no message is counted.
func inboxMessages(dir *os.Root) (list []inboxMessage, skipped int, err error) {
	files, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return nil, 0, fileUnreadable("the inbox", err)
	}
	slices.Reverse(files) // ReadDir sorts by name
	for _, f := range files {
		name := f.Name()
		if strings.HasPrefix(name, ".") || filepath.Ext(name) != ".json" {
			continue
		}
		m := inboxMessage{file: name}
		fi, err := f.Info()
		if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxMessage || len(list) == maxMessages {
			skipped++
			continue
		}
		data, err := dir.ReadFile(m.file)
		if err != nil || json.Unmarshal(data, &m) != nil || m.Message == "" {
			skipped++
			continue
		}
		list = append(list, m)
	}
	return list, skipped, nil
}
