package page

import (
	"context"

	"gstack/internal/api"
)

// SetContent makes the tab show html in place of what it shows: on a blank page,
// whose origin is opaque, so that a document of unknown source has neither
// cookies nor storage of any site, least of all of the one that was there
// before. It waits for state, which is "DOMContentLoaded", "load", or
// "networkIdle" as [Tab.AwaitIdle] understands it. What a page of the network
// does to the tab is true here, too, except that loading it again shows nothing.
func (t *Tab) SetContent(ctx context.Context, html, state string) (Navigation, error) {
	if n, err := t.Navigate(ctx, "about:blank"); err != nil {
		return n, err
	}
	if err := t.LoadState(ctx, "load"); err != nil { // of the blank page, lest it be taken for that of the content
		return Navigation{}, err
	}
	w := t.Watch()
	defer w.Close()
	f := t.Main()
	t.locked(func() { f.lifecycle = map[string]bool{} })
	// CDP Page.setDocumentContent is document.open, write and close.
	err := t.sess.Call(ctx, "Page.setDocumentContent", m{"frameId": f.ID, "html": html}, nil)
	if err == nil {
		err = t.LoadState(ctx, "DOMContentLoaded")
	}
	if err == nil && state == "networkIdle" {
		_, err = t.AwaitIdle(ctx)
	} else if err == nil {
		err = t.LoadState(ctx, state)
	}
	n := Navigation{URL: t.URL(), Moved: true, Dialogs: w.dialogs()}
	if err != nil && ctx.Err() != nil && t.Gone() == nil {
		return n, api.Errorf(api.Timeout, "browse snapshot -i shows what is there; --wait-until domcontentloaded asks for less",
			"timed out: the document is there, but has not reached %q", state)
	}
	return n, t.Broken(ctx, "the document was not shown", err)
}
