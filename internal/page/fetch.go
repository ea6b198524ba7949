package page

import (
	"context"
	"encoding/base64"
	"io"
	"strings"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// Head is what a server says of a file before it sends it.
type Head struct {
	Status int
	Type   string // media type, without parameters
	URL    string // after redirects
}

// attachHeld makes a download of a document that a server sends, whatever it is:
// the browser streams it to its disk then, and shows nothing.
func (t *Tab) attachHeld(s *cdp.Session, e *paused) {
	if e.Status >= 300 && e.Status < 400 {
		s.Start("Fetch.continueResponse", m{"requestId": e.ID})
		return
	}
	h := Head{Status: e.Status, URL: e.Request.URL}
	named := ""
	for _, l := range e.Response {
		switch strings.ToLower(l.Name) {
		case "content-type":
			h.Type, _, _ = strings.Cut(l.Value, ";")
			h.Type = strings.ToLower(strings.TrimSpace(h.Type))
		case "content-disposition":
			_, named, _ = strings.Cut(l.Value, ";")
		}
	}
	t.locked(func() { t.head = &h })
	if e.Status >= 400 || e.Status == 204 || e.Status == 205 {
		s.Start("Fetch.failRequest", m{"requestId": e.ID, "errorReason": "Aborted"})
		return
	}
	how := "attachment"
	if named != "" {
		how += ";" + named
	}
	s.Start("Fetch.continueResponse", m{"requestId": e.ID, "responseCode": e.Status, "responseHeaders": changed(e.Response, []Header{{"Content-Disposition", how}})})
}

// Fetch begins to download an address in a tab whose settings say Attach, with the
// cookies that the browser has for it, through redirects. Errors:
// [api.HTTPError] with the status, [api.NavigationFailed] with the network error.
func (t *Tab) Fetch(ctx context.Context, url, referrer string) (*Download, Head, error) {
	w := t.Watch()
	defer w.Close()
	t.locked(func() { t.head = nil })
	params := m{"url": url}
	if strings.HasPrefix(referrer, "http") {
		params["referrer"] = referrer
	}
	var r struct {
		ErrorText string `json:"errorText"`
	}
	err := t.sess.Call(ctx, "Page.navigate", params, &r)
	shown := Shown(url)
	t.mu.Lock()
	var h Head
	if t.head != nil {
		h = *t.head
	}
	t.mu.Unlock()
	switch {
	case err != nil:
		if ctx.Err() != nil {
			t.stopLoading()
		}
		return nil, h, t.Broken(ctx, "fetching "+shown, err)
	case h.Status >= 400:
		return nil, h, api.Errorf(api.HTTPError, "check the address; browse goto shows the page", "%s answered %d", shown, h.Status)
	case h.Status == 204 || h.Status == 205:
		return nil, h, api.Errorf(api.HTTPError, "check the address", "%s answered %d, without content", shown, h.Status)
	case h.Status == 0 && r.ErrorText != "":
		return nil, h, t.navError(ctx, shown, r.ErrorText)
	}
	d, err := w.AwaitBegin(ctx, beginLimit)
	if err == nil && d == nil {
		err = api.Errorf(api.Failed, "try it again", "the browser did not begin to download %s", shown)
	}
	return d, h, err
}

// SourceOf returns the tag of e and the address of what it shows, plays or links
// to; "" for none.
func (e *Element) SourceOf(ctx context.Context) (tag, url string, err error) {
	var r struct {
		missing
		Tag string `json:"tag"`
		URL string `json:"url"`
	}
	if err := e.Frame.Call(ctx, e.Doc, "sourceOf", &r, e.ID, e.shown()); err != nil {
		return "", "", err
	}
	return r.Tag, r.URL, e.missed(r.missing)
}

// blobPart is how much of a blob is fetched at once, in bytes.
const blobPart = 1 << 20

// Blob writes what is behind a blob: address to w, piece by piece, and returns its
// media type. Only documents of its origin can open it; one that was revoked is
// [api.NotFound], one of more than limit bytes [api.TooLarge].
func (t *Tab) Blob(ctx context.Context, url string, limit int64, w io.Writer) (size int64, mime string, err error) {
	origin := Origin(strings.TrimPrefix(url, "blob:"))
	why := "no frame of the tab is of its origin"
	for _, f := range t.Frames() {
		if Origin(f.URL()) != origin && origin != "" {
			continue
		}
		var b struct {
			ID    int    `json:"id"`
			Size  int64  `json:"size"`
			Type  string `json:"type"`
			Error string `json:"error"`
		}
		doc := f.Doc()
		if err := f.Call(ctx, doc, "blobOpen", &b, url); err != nil {
			return 0, "", err
		}
		if b.Error != "" {
			why = b.Error
			continue
		}
		defer func() { _ = f.Call(context.WithoutCancel(ctx), doc, "blobClose", nil, b.ID) }()
		if b.Size > limit {
			return 0, "", api.Errorf(api.TooLarge, "browse js, to take a part of it", "the blob has %d bytes, more than %d", b.Size, limit)
		}
		for at := int64(0); at < b.Size; at += blobPart {
			var part string
			if err := f.Call(ctx, doc, "blobPart", &part, b.ID, at, at+blobPart); err != nil {
				return size, b.Type, err
			}
			data, err := base64.StdEncoding.DecodeString(part)
			if err != nil {
				return size, b.Type, err
			}
			n, err := w.Write(data)
			if size += int64(n); err != nil {
				return size, b.Type, err
			}
		}
		return size, b.Type, nil
	}
	return 0, "", api.Errorf(api.NotFound, "take its address anew, or click what makes the download", "the blob has expired or is of another page: %s", Quote(why))
}

// Archive writes the page with all that it shows as MHTML (CDP
// Page.captureSnapshot), and returns the number of bytes.
func (t *Tab) Archive(ctx context.Context, w io.Writer) (int, error) {
	var r struct {
		Data string `json:"data"`
	}
	if err := t.sess.Call(ctx, "Page.captureSnapshot", m{"format": "mhtml"}, &r); err != nil {
		return 0, t.Broken(ctx, "the page was not archived", err)
	}
	return io.WriteString(w, r.Data)
}
