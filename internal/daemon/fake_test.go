//go:build unix

package daemon_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gstack/internal/api"
	"gstack/internal/daemon"
)

// fake is an engine without a browser. Its verbs do what a script asks for.
type fake struct {
	control daemon.Control
	cfg     daemon.Config
	state   atomic.Bool
	dead    chan struct{}
	die     sync.Once
}

// newFake fails or hangs when the environment says so.
func newFake(ctx context.Context, c daemon.Control, cfg daemon.Config) (daemon.Engine, error) {
	switch how := os.Getenv("FAKE_START"); how {
	case "":
	case "hang":
		<-ctx.Done() // nobody cancels it: the starter has to kill us
	case "panic":
		panic("the fake engine panics")
	case "slow": // says that it begins, and goes on when it hears something
		tell(os.Getenv("WS")+"/begun", "begun")
		if _, err := os.ReadFile(os.Getenv("WS") + "/go"); err != nil {
			panic(err)
		}
	case "plain":
		return nil, errors.New("the fake engine has a plain error")
	default:
		return nil, &api.Error{Code: api.BrowserMissing, Message: how, Tried: []string{"first place", "second place"}, Hint: "install one"}
	}
	return &fake{control: c, cfg: cfg, dead: make(chan struct{})}, nil
}

func (f *fake) Budget(r *api.Request) time.Duration {
	if r.TimeoutMS > 0 {
		return time.Duration(r.TimeoutMS) * time.Millisecond
	}
	return 20 * time.Second
}

func (f *fake) HasState() bool        { return f.state.Load() }
func (f *fake) Tabs() int             { return 1 }
func (f *fake) Dead() <-chan struct{} { return f.dead }
func (f *fake) DeadExit() int         { return 7 }

func (f *fake) Close(context.Context) error {
	if path := os.Getenv("FAKE_CLOSED"); path != "" {
		return os.WriteFile(path, []byte("closed\n"), 0o600)
	}
	return nil
}

func (f *fake) Run(ctx context.Context, root bool, r *api.Request) (api.Answer, *api.Error) {
	text, err := f.run(ctx, root, r)
	return api.Answer{Text: text}, err
}

func (f *fake) run(ctx context.Context, root bool, r *api.Request) (string, *api.Error) {
	arg := func(i int) string {
		if i < len(r.Args) {
			return r.Args[i]
		}
		return ""
	}
	number := func(i int) int {
		n, err := strconv.Atoi(arg(i))
		if err != nil {
			panic(err)
		}
		return n
	}
	switch r.Command {
	case "url":
		return "about:blank", nil
	case "pid":
		return strconv.Itoa(os.Getpid()), nil
	case "status":
		i := f.control.Info()
		return fmt.Sprintf("Status: healthy\nMode: %s\nProxy: %s\nPID: %d\nRoot: %v", i.Mode, i.Proxy, i.PID, root), nil
	case "stop":
		f.control.Stop()
		return "Server stopped", nil
	case "restart":
		f.control.Restart()
		return "Restarting...", nil
	case "echo":
		return strings.Join(r.Args, "|"), nil
	case "request", "chain", "js":
		c := *r
		c.RequestID, c.Cwd = "", ""
		data, err := json.Marshal(c)
		if err != nil {
			panic(err)
		}
		return string(data), nil
	case "cwd":
		return r.Cwd, nil
	case "env":
		return os.Getenv(arg(0)), nil
	case "big":
		return strings.Repeat("0123456789\n", number(0)/11+1), nil
	case "state":
		f.state.Store(true)
		return "there is something to lose", nil
	case "panic":
		panic("the fake verb panics")
	case "fail":
		return "", &api.Error{Code: api.Code(arg(0)), Message: "it failed\nin two lines", Tried: []string{"this"}, Hint: "try that"}
	case "exit":
		os.Exit(3)
	case "die":
		f.die.Do(func() { close(f.dead) })
		return "the browser is gone", nil
	case "append": // FILE WORD MS: appends, then takes its time
		file, err := os.OpenFile(arg(0), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		defer file.Close()
		if _, err := file.WriteString(arg(1) + "\n"); err != nil {
			panic(err)
		}
		return f.wait(ctx, number(2), "appended")
	case "wait":
		return f.wait(ctx, number(0), "waited")
	case "hold": // BEGAN MS [ENDED]: pipes that tell the script where we are
		tell(arg(0), "began")
		text, aerr := f.wait(ctx, number(1), "waited")
		how := text
		if aerr != nil {
			how = aerr.Message
		}
		tell(arg(2), how)
		return text, aerr
	case "deaf": // MS: does not listen to its context
		<-time.After(time.Duration(number(0)) * time.Millisecond)
		return "done", nil
	}
	return "", api.Errorf(api.UnknownVerb, "browse help", "unknown command %q", r.Command)
}

// tell writes to a named pipe, if there is one; it waits for the reader.
func tell(path, text string) {
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text + "\n"); err != nil {
		panic(err)
	}
}

func (f *fake) wait(ctx context.Context, ms int, then string) (string, *api.Error) {
	t := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return then, nil
	case <-ctx.Done():
		return "", api.Errorf(api.Timeout, "", "cancelled: %v", context.Cause(ctx))
	}
}
