package cdp_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"

	"gstack/internal/cdp"
)

func TestSmoke(t *testing.T) {
	r3, w3, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r4, w4, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/usr/bin/chromium", "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{r3, w4}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r3.Close()
	w4.Close()
	c := cdp.NewConn(cdp.NewPipe(r4, w3), cdp.Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	v, err := cdproto.Call(ctx, c.Root(), browser.GetVersion, cdproto.Empty{})
	t.Logf("%+v %v", v, err)
	if err := c.Root().Call(ctx, "Browser.close", nil, nil); err != nil {
		t.Error(err)
	}
	<-c.Done()
	t.Log(c.Err())
	cmd.Wait()
}
