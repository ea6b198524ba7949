// Package cli is the thin client: it finds the workspace's daemon, starts one
// when there is none, posts the command and prints the answer.
//
// Every call of browse pays for what this package links, so it has no net, no
// net/http, no crypto, no encoding/json, nothing of ours that knows a browser
// and nothing third-party; a test reads the import graph. It knows no verb but
// those of the daemon's life (stop, restart, status, disconnect, help,
// completion): what a verb takes is parsed in the daemon from the registry, so
// an old client never misreads a new verb.
//
// # Flags
//
//   - Before the verb every global flag is recognised. "--" ends them; the next
//     word is the verb, whatever it looks like. An unknown flag is an error.
//   - After the verb all words go to the daemon as they are. It knows which of
//     them are flags, and which are text for a page: a value is never eaten.
//   - The flags that only the client can act on (--help, -h, --force-restart,
//     --headed, --proxy) are also taken directly after the verb, as long as no
//     other word came before them: "browse goto --headed URL" but not "browse
//     fill @e1 --headed", which fills in the text.
//
// For the format of an error, and only for that, the client also looks for
// --json after the verb.
//
// # When a request is sent again
//
// Each request has an id, and the daemon runs an id once. A request that could
// not be delivered is sent again, to a new daemon when the old one is dead. One
// that was delivered and lost is sent again only to the same daemon; when that
// has died, the command may or may not have run, and the error says so.
package cli

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"time"

	"gstack/internal/api"
	"gstack/internal/knob"
	"gstack/internal/workspace"
	"gstack/internal/workspace/flat"
)

// Main runs one command line (without the program's name) and returns the exit
// code.
func Main(argv []string) int {
	c := &client{began: time.Now()}
	inv, err := parse(argv, os.Getenv)
	c.inv = inv
	if err != nil {
		return c.fail(err)
	}
	if text, code, ok, err := inv.answer(); err != nil {
		return c.fail(err)
	} else if ok {
		if inv.version {
			return c.say(code, "version", text, "version", version())
		}
		return c.say(code, inv.topic(), text, "", "")
	}
	place, err := workspace.Locate(os.Getenv)
	if err != nil {
		return c.fail(err)
	}
	c.place = place
	switch inv.verb {
	case "stop":
		return c.stop()
	case "restart":
		return c.restart()
	case "status", "disconnect":
		return c.withoutStart()
	}
	return c.command()
}

// client is one call.
type client struct {
	inv   invocation
	place workspace.Place
	began time.Time
	body  []byte // the encoded request

	noStart bool // a missing daemon is not started
	started bool // this call started the daemon
}

// print writes to standard output and ends with a line break. A reader that has
// gone ends the process as it ends any other program, by SIGPIPE; any other
// trouble is an error, for a caller must not take lost text for none. Only a
// standard output that was closed from the start goes unnoticed: the runtime puts
// the null device in its place, opened as by a parent that wants no answer.
func (c *client) print(text string) error {
	if text == "" || text[len(text)-1] != '\n' {
		text += "\n"
	}
	_, err := os.Stdout.WriteString(text)
	return err
}

// unwritten reports that standard output could not be written and returns the
// exit code.
func (c *client) unwritten(err error) int {
	if errors.Is(err, syscall.EPIPE) {
		return exitPipe
	}
	e := api.Errorf(api.FileError, "", "cannot write the answer: %v", reason(err))
	return c.complain(e, e.Exit())
}

// say prints what the client itself answers, and returns the exit code. The
// machine form has the members that every answer has, and one of its own if name
// is not empty.
func (c *client) say(code int, command, text, name, value string) int {
	if c.inv.wantsJSON() {
		var w flat.Writer
		w.Bool("ok", code == api.ExitOK)
		w.String("command", command)
		w.String("text", strings.TrimSuffix(text, "\n"))
		if name != "" {
			w.String(name, value)
		}
		text = string(w.Bytes())
	}
	if err := c.print(text); err != nil {
		return c.unwritten(err)
	}
	return code
}

// note writes one line for the person or agent that called.
func (c *client) note(text string) {
	_, _ = os.Stderr.WriteString("[browse] " + api.Clean(text) + "\n")
}

// fail prints an error and returns its exit code.
func (c *client) fail(e *api.Error) int { return c.failWith(e, e.Exit()) }

func (c *client) failWith(e *api.Error, exit int) int {
	// The machine form of what was printed is in the error itself, if there is one.
	if e.Output != "" && (e.Steps == "" || !c.inv.wantsJSON()) {
		if err := c.print(e.Output); err != nil {
			_ = c.unwritten(err)
		}
	}
	return c.complain(e, exit)
}

// complain writes an error to standard error and returns the exit code.
func (c *client) complain(e *api.Error, exit int) int {
	if c.inv.wantsJSON() {
		_, _ = os.Stderr.Write(encodeError(e))
	} else {
		_, _ = os.Stderr.WriteString(e.Text())
	}
	return exit
}

// find returns the state file of the workspace's daemon and whether it lives:
// the first living one of its places, else the first that there is, else nil.
func (c *client) find() (*workspace.Handle, bool) {
	first, err := workspace.Open(c.place)
	if err == nil && first.Alive() {
		return first, true
	}
	for _, p := range c.place.Backups(os.Getenv) {
		h, err := workspace.Open(p)
		if err != nil {
			continue
		}
		alive := h.Alive()
		if !alive && first != nil {
			h.Close()
			continue
		}
		if first != nil {
			first.Close()
		}
		if first = h; alive {
			return h, true
		}
	}
	return first, false
}

// startLimit is how long a call waits for a new daemon.
func startLimit() time.Duration {
	if !knob.StartTimeout.IsSet() && knob.CI.IsSet() {
		return 30 * time.Second
	}
	return knob.StartTimeout.Get()
}
