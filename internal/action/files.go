package action

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/page"

	cdpage "github.com/chromedp/cdproto/page"
)

// File is a file or folder to give to a page. The caller has decided that it may
// be read.
type File struct {
	Path   string // absolute, without symbolic links
	Name   string
	Type   string // MIME type, "" when not known
	Size   int64  // in bytes; of all files, for a folder
	Folder bool
}

// fileInput is the answer of browse.fileInput and browse.fileFacts.
type fileInput struct {
	reply
	None     bool   `json:"none"`
	ID       int    `json:"id"`
	Accept   string `json:"accept"`
	Multiple bool   `json:"multiple"`
	Folder   bool   `json:"folder"`
}

// filesTaken is the answer of browse.filesTaken.
type filesTaken struct {
	Events int   `json:"events"`
	Files  int   `json:"files"`
	Bytes  int64 `json:"bytes"`
	Held   int   `json:"held"`
}

// chooserLimit bounds the wait for the file chooser that a click may open.
const chooserLimit = 2 * time.Second

// Upload gives files to the file input that el is, is a label of, or contains,
// visible or not; to the input whose chooser a click on el opens; or, when that
// opens none, drops them on el. The page gets the events of a choice by hand.
func Upload(ctx context.Context, t *page.Tab, el *page.Element, files []File, o Options) (Result, error) {
	r := newRun(t, el, "upload", o)
	w := r.watch()
	defer w.Close()
	res := Result{}
	in, err := r.fileInput(ctx)
	if err != nil {
		return res, err
	}
	if !in.None {
		h, err := r.el.Frame.Hold(ctx, r.el.Doc, "fileElement", in.ID)
		if err != nil || h == nil {
			return res, r.lostInput(err)
		}
		defer h.Release()
		if err := r.give(ctx, h, in, files, &res); err != nil {
			return res, err
		}
		res.Element = r.el
		return r.settle(ctx, w, res)
	}
	return r.throughChooser(ctx, w, files)
}

func (r *run) lostInput(err error) error {
	if err != nil {
		return err
	}
	return api.Errorf(api.StaleRef, "browse snapshot -i", "%s is no longer in the page", what(r.el))
}

// fileInput asks which input takes files for the element.
func (r *run) fileInput(ctx context.Context) (fileInput, error) {
	var in fileInput
	err := r.attempt(ctx, func(bounded context.Context, _ int) (miss, error) {
		in = fileInput{}
		err := r.el.Frame.Call(bounded, r.el.Doc, "fileInput", &in, r.el.ID, readyOptions{Shown: r.expect(), Need: "upload"})
		if err != nil {
			return miss{}, err
		}
		return r.missed(&in.reply, r.el.Frame, r.el.Doc), nil
	})
	return in, err
}

// folderLimit bounds the wait for the browser's list of a folder.
const folderLimit = 5 * time.Second

// give sets the files of an input and finds out whether the page has seen them.
func (r *run) give(ctx context.Context, h *page.Handle, in fileInput, files []File, res *Result) error {
	if err := r.fits(in, files); err != nil {
		return err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	if err := h.Call(ctx, "watchFiles", nil); err != nil {
		return err
	}
	if err := h.SetFiles(ctx, paths); err != nil {
		return err
	}
	var got filesTaken
	limit := time.Duration(0)
	if in.Folder {
		limit = folderLimit
		if end, ok := ctx.Deadline(); ok {
			limit = min(limit, max(time.Until(end)/2, 0))
		}
	}
	if err := h.Call(ctx, "filesTaken", &got, limit.Milliseconds()); err != nil {
		if isParted(r.t, err) {
			res.Note = "the page navigated when it got the files"
			return nil
		}
		return err
	}
	switch {
	case got.Events == 0 && got.Held == 0:
		return api.Errorf(api.NotVerified, "browse snapshot -i", "%s did not take the files, it holds none", what(r.el))
	case got.Events == 0:
		res.Note = "it held these files already"
	case got.Held == 0:
		res.Note = "the page has taken the files and emptied the input"
	case !in.Folder && got.Held < len(files):
		res.Note = fmt.Sprintf("the page kept %d of %d files", got.Held, len(files))
	}
	res.Count = got.Files
	return nil
}

// fits checks files against what an input says that it takes. The browser checks
// nothing of it for files that are set.
func (r *run) fits(in fileInput, files []File) error {
	upload := "browse upload " + r.el.Label + " "
	if len(files) > 1 && !in.Multiple && !in.Folder {
		return api.Errorf(api.BadUsage, upload+files[0].Name, "%s takes one file, not %d (it has no multiple attribute)", what(r.el), len(files))
	}
	for _, f := range files {
		switch {
		case in.Folder && !f.Folder:
			return api.Errorf(api.BadUsage, upload+path.Dir(f.Path), "%s takes a folder, and %s is a file", what(r.el), f.Path)
		case in.Folder && len(files) > 1:
			return api.Errorf(api.BadUsage, upload+f.Path, "%s takes one folder, not %d", what(r.el), len(files))
		case !in.Folder && f.Folder:
			return api.Errorf(api.BadUsage, upload+f.Path+"/FILE", "%s takes files, and %s is a folder", what(r.el), f.Path)
		case !f.Folder && !r.o.AnyType && !accepts(in.Accept, f):
			return api.Errorf(api.BadUsage, upload+"with a file of that kind; --force leaves out this check", "%s accepts %s, and %s is none of it", what(r.el), page.Quote(in.Accept), f.Name)
		}
	}
	return nil
}

// accepts applies the accept attribute (HTML, "file upload state"): extensions,
// MIME types, and audio/*, video/*, image/*. A file whose type is not known
// passes where a type is asked for.
func accepts(accept string, f File) bool {
	any := false
	for _, token := range strings.Split(accept, ",") {
		token = strings.ToLower(strings.TrimSpace(token))
		if token == "" {
			continue
		}
		any = true
		typ, _, _ := strings.Cut(strings.ToLower(f.Type), ";")
		family, wild := strings.CutSuffix(token, "/*")
		switch {
		case strings.HasPrefix(token, "."):
			if strings.HasSuffix(strings.ToLower(f.Name), token) {
				return true
			}
		case typ == "" || token == "*/*" || token == "*":
			return true
		case wild && strings.HasPrefix(typ, family+"/"), token == typ:
			return true
		}
	}
	return !any
}

// throughChooser clicks the element and fills the file chooser that this opens; without
// one it drops the files there.
func (r *run) throughChooser(ctx context.Context, w *page.Watch, files []File) (Result, error) {
	opened, stop, err := r.intercept(ctx)
	if err != nil {
		return Result{}, err
	}
	defer stop()
	res, err := Click(ctx, r.t, r.el, ClickOptions{Options: r.o})
	if err != nil {
		return Result{}, err
	}
	wait, cancel := context.WithTimeout(ctx, chooserLimit)
	defer cancel()
	select {
	case e := <-opened:
		if e.BackendNodeID == 0 {
			return Result{}, api.Errorf(api.NotEditable, "browse drop "+r.el.Label+" FILE, if it takes drops; or look for a file input with browse snapshot -i",
				"%s opens the file picker of the File System Access API, which cannot be answered", what(r.el))
		}
		return r.answer(ctx, w, e, files)
	case <-wait.Done():
	}
	if res.Effects.Navigated || res.Effects.Closed {
		return Result{}, api.Errorf(api.NotVerified, "browse snapshot -i", "%s was clicked and opened no file chooser, but the page went to %s", what(r.el), res.Effects.URL)
	}
	res, err = Drop(ctx, r.t, r.el, files, r.o)
	if err != nil {
		return Result{}, api.Errorf(api.NotEditable, "browse snapshot -i shows the fields; an input of type file may be elsewhere, and hidden: browse upload 'input[type=file]' FILE",
			"%s is no file input and has none, a click on it opened no file chooser, and it takes no drops", what(r.el))
	}
	res.Note = strings.TrimSuffix("it opened no file chooser, so the files were dropped on it; "+res.Note, "; ")
	return res, nil
}

// intercept makes the browser report file choosers instead of opening them.
func (r *run) intercept(ctx context.Context) (<-chan *cdpage.EventFileChooserOpened, func(), error) {
	s := r.el.Frame.Session()
	ch := make(chan *cdpage.EventFileChooserOpened, 1)
	var once sync.Once
	stop := cdp.Handle(s, cdpage.FileChooserOpened, func(e *cdpage.EventFileChooserOpened) { once.Do(func() { ch <- e }) })
	if err := s.Call(ctx, "Page.setInterceptFileChooserDialog", map[string]bool{"enabled": true}, nil); err != nil {
		stop()
		return nil, nil, r.t.Broken(ctx, "the file chooser cannot be reached", err)
	}
	return ch, func() {
		stop()
		s.Start("Page.setInterceptFileChooserDialog", map[string]bool{"enabled": false})
	}, nil
}

// answer gives files to the input whose chooser has been opened. That input need
// not be in the document.
func (r *run) answer(ctx context.Context, w *page.Watch, e *cdpage.EventFileChooserOpened, files []File) (Result, error) {
	frame := r.el.Frame
	for _, f := range r.t.Frames() {
		if f.ID == string(e.FrameID) {
			frame = f
		}
	}
	h, err := frame.HoldNode(ctx, int64(e.BackendNodeID))
	if err != nil {
		return Result{}, err
	}
	defer h.Release()
	var in fileInput
	if err := h.Call(ctx, "fileFacts", &in); err != nil {
		return Result{}, err
	}
	if in.Why != "" {
		return Result{}, api.Errorf(api.NotEnabled, "browse snapshot -i", "the file input that %s opens is %s %s", what(r.el), in.Why, in.What)
	}
	res := Result{Element: r.el}
	if err := r.give(ctx, h, in, files, &res); err != nil {
		return res, err
	}
	return r.settle(ctx, w, res)
}

// dragFiles is the data of a drag of files (CDP Input.DragData).
type dragFiles struct {
	Items []struct{} `json:"items"`
	Files []string   `json:"files"`
	Mask  int        `json:"dragOperationsMask"`
}

// Drop drops files onto an element, as from a file manager. A page that does not
// take them gets nothing: the browser would open the file instead.
func Drop(ctx context.Context, t *page.Tab, el *page.Element, files []File, o Options) (Result, error) {
	r := newRun(t, el, "drop", o)
	w := r.watch()
	defer w.Close()
	data := dragFiles{Items: []struct{}{}, Mask: 1} // copy
	for _, f := range files {
		data.Files = append(data.Files, f.Path)
	}
	send := func(typ string, at way) error {
		return r.acknowledged(ctx, []*cdp.Pending{t.Session().Start("Input.dispatchDragEvent", map[string]any{
			"type": typ, "x": at.x, "y": at.y, "data": data, "modifiers": r.held,
		})})
	}
	err := r.attempt(ctx, func(bounded context.Context, n int) (miss, error) {
		rep, m, err := r.ready(bounded, readyOptions{Need: "drop", Attempt: n})
		if err != nil || m.why != done {
			return m, err
		}
		at, m, err := r.project(bounded, rep, true, map[*page.Frame]bool{})
		if err != nil || m.why != done {
			return m, err
		}
		for _, typ := range []string{"dragEnter", "dragOver", "dragOver"} {
			if err := send(typ, at); err != nil {
				return miss{}, err
			}
		}
		var state dragState
		if err := r.el.Frame.Call(ctx, r.el.Doc, "dragState", &state, r.seq); err != nil {
			return miss{}, err
		}
		switch {
		case state.Wrong != nil:
			_ = send("dragCancel", at)
			return r.stolen(state.Wrong), nil
		case !state.Accepted:
			if err := send("dragCancel", at); err != nil {
				return miss{}, err
			}
			return miss{}, api.Errorf(api.NotEditable, "browse snapshot -i shows the fields; browse upload TARGET FILE gives a file to an input or a button that asks for one",
				"%s takes no files: the page did not accept them there", what(r.el))
		}
		return miss{}, send("drop", at)
	})
	if err != nil {
		return Result{}, err
	}
	res := Result{Element: r.el, Count: len(files)}
	fin, _, err := r.finish(ctx, way{}, nil)
	switch {
	case err != nil && !isParted(t, err) && t.Gone() == nil:
		return res, err
	case err == nil && !fin.Lost && fin.Seen["drop"] == 0:
		return res, api.Errorf(api.NotVerified, "browse snapshot -i", "the files were dropped, but %s did not receive them", what(r.el))
	}
	return r.settle(ctx, w, res)
}

// pasted is the answer of browse.paste.
type pasted struct {
	Prevented bool   `json:"prevented"`
	Changed   bool   `json:"changed"`
	Kind      string `json:"kind"`
	Editable  bool   `json:"editable"`
}

// Paste gives the focused element a paste event with a text and files. What the
// page does not handle itself is inserted as text, as the browser does. The
// clipboard of the machine has no part in it.
func Paste(ctx context.Context, t *page.Tab, text string, files []File, o Options) (Result, error) {
	w := watch(t, o)
	defer w.Close()
	r, err := keyboardRun(ctx, t, nil, "paste", o)
	if err != nil {
		return Result{}, err
	}
	got, err := r.paste(ctx, text, files)
	if err != nil {
		return Result{}, err
	}
	res := Result{}
	if got.Prevented || got.Changed {
		res.Note = "the page took it over"
		return r.typed(ctx, w, res, typedText{})
	}
	switch {
	case !got.Editable:
		r.disarm()
		return res, api.Errorf(api.NotEditable, "browse click the field first", "nothing took what was pasted, the focus is on %s", what(r.focusedOn()))
	case text == "":
		r.disarm()
		return res, api.Errorf(api.NotVerified, "browse upload TARGET FILE, or browse drop TARGET FILE", "%s took no files that were pasted", what(r.el))
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if err := r.acknowledged(ctx, []*cdp.Pending{t.Session().Start("Input.insertText", map[string]string{"text": text})}); err != nil {
		return res, err
	}
	if len(files) > 0 {
		res.Note = "the text was inserted, the page took no files"
	}
	return r.typed(ctx, w, res, typedText{chars: len([]rune(strings.ReplaceAll(text, "\n", "")))})
}

// focusedOn is the element that has the focus, nil for none.
func (r *run) focusedOn() *page.Element {
	if r.el.ID == 0 {
		return nil
	}
	return r.el
}

func (r *run) paste(ctx context.Context, text string, files []File) (pasted, error) {
	var got pasted
	h, err := r.el.Frame.Hold(ctx, r.el.Doc, "scratchFiles")
	if err != nil || h == nil {
		return got, r.lostInput(err)
	}
	defer h.Release()
	if len(files) > 0 {
		paths := make([]string, len(files))
		for i, f := range files {
			paths[i] = f.Path
		}
		if err := h.SetFiles(ctx, paths); err != nil {
			return got, err
		}
	}
	err = h.Call(ctx, "paste", &got, r.seq, text)
	return got, err
}
