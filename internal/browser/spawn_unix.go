//go:build unix

package browser

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// child is the browser's first process and what belongs to it.
type child struct {
	pid         int // also that of its session and process group
	cmd         *exec.Cmd
	toBrowser   *os.File
	fromBrowser *os.File
	exited      chan struct{} // closed when it has exited and was waited for
	stderr      tail
	errPipe     *os.File
	errRead     chan struct{} // closed when stderr is complete
}

// spawn starts the program in a session of its own, so that neither the
// terminal's signals nor its end reach it, with the protocol on the file
// descriptors 3 and 4. Chromium ends by itself when descriptor 3 is closed, also
// if that is because this process was killed.
func spawn(path string, args, environ []string) (*child, error) {
	adoptOrphans()
	var files [6]*os.File
	for i := 0; i < len(files); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(files[:i])
			return nil, err
		}
		files[i], files[i+1] = r, w
	}
	theirs := []*os.File{files[0], files[3], files[5]}
	c := &child{
		toBrowser: files[1], fromBrowser: files[2], errPipe: files[4],
		exited: make(chan struct{}), errRead: make(chan struct{}),
	}
	c.cmd = exec.Command(path, args...)
	c.cmd.Env = environ
	c.cmd.Dir = "/"
	c.cmd.Stderr = theirs[2]
	c.cmd.ExtraFiles = theirs[:2]
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err := c.cmd.Start()
	closeAll(theirs)
	if err != nil {
		closeAll([]*os.File{c.toBrowser, c.fromBrowser, c.errPipe})
		return nil, err
	}
	c.pid = c.cmd.Process.Pid
	go func() {
		defer close(c.errRead)
		_, _ = io.Copy(&c.stderr, c.errPipe) // until the last writer has ended
	}()
	go func() {
		defer close(c.exited)
		_ = c.cmd.Wait() // its error is the process's state
	}()
	return c, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// kill ends the whole process group, of which nothing may be left.
func (c *child) kill() { _ = unix.Kill(-c.pid, unix.SIGKILL) }

// status returns how the process ended.
func (c *child) status() (code int, signal string) {
	select {
	case <-c.exited:
	default:
		return -1, "" // it outlived even the kill
	}
	ws, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok {
		return -1, ""
	}
	if ws.Signaled() {
		return -1, unix.SignalName(ws.Signal())
	}
	return ws.ExitStatus(), ""
}

// endRest waits for the rest of the group, which was killed, and ends the crash
// handlers, which are in sessions of their own.
func (c *child) endRest(ctx context.Context, dir string) {
	endUsers(ctx, dir)
	c.reap(ctx)
	for !errors.Is(unix.Kill(-c.pid, 0), unix.ESRCH) && c.groupRuns() {
		c.kill()
		if !pause(ctx, 2*time.Millisecond) {
			return
		}
		c.reap(ctx)
	}
}

// release waits until stderr is complete. Whoever could write to it has ended;
// the bound is for a process that escaped.
func (c *child) release() {
	within(exitDelay, c.errRead)
	c.errPipe.Close()
	<-c.errRead
}
