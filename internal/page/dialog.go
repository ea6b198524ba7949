package page

import (
	"slices"
	"time"

	"gstack/internal/cdp"

	cdpage "github.com/chromedp/cdproto/page"
)

// Dialog is one alert, confirm, prompt or beforeunload that was answered.
type Dialog struct {
	Type     string    `json:"type"`
	Message  string    `json:"message"` // cut to 4,000 characters
	URL      string    `json:"url"`     // of the document that opened it
	Accepted bool      `json:"accepted"`
	Response string    `json:"response,omitempty"` // what a prompt was answered with
	Armed    bool      `json:"armed,omitempty"`    // a client had said how to answer it
	At       time.Time `json:"time"`
}

// DialogAnswer says how one dialog to come is answered.
type DialogAnswer struct {
	Accept bool
	// Text answers a prompt; nil leaves its default.
	Text *string
	// client is the session that armed it.
	client string
}

// Bounds of what a tab keeps: dialogs, their messages in characters, and answers
// to dialogs to come.
const (
	maxDialogs       = 1000
	maxDialogMessage = 4000
	maxArmed         = 100
)

// dialogs are the dialogs of a tab, guarded by its mutex.
type dialogs struct {
	dismiss bool     // what nobody has said how to answer
	list    []Dialog // the oldest first
	gone    int      // how many more there were
	armed   []DialogAnswer
}

// ArmDialogs says how the next dialogs of the tab are answered, one each. Unless
// then is set they replace what the client has said before. It reports whether
// there was room for all.
func (t *Tab) ArmDialogs(client string, then bool, answers ...DialogAnswer) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := &t.dialogs
	kept := slices.Clone(d.armed)
	if !then {
		kept = slices.DeleteFunc(kept, func(a DialogAnswer) bool { return a.client == client })
	}
	for _, a := range answers {
		a.client = client
		kept = append(kept, a)
	}
	if len(kept) > maxArmed {
		return false
	}
	d.armed = kept
	return true
}

// ArmedDialogs returns how the client wants the next dialogs answered.
func (t *Tab) ArmedDialogs(client string) []DialogAnswer {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []DialogAnswer
	for _, a := range t.dialogs.armed {
		if a.client == client {
			out = append(out, a)
		}
	}
	return out
}

// Dialogs returns the latest dialogs of the tab, the oldest first, and how many
// more there were.
func (t *Tab) Dialogs() (list []Dialog, gone int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.dialogs.list), t.dialogs.gone
}

// ClearDialogs forgets the dialogs of the tab.
func (t *Tab) ClearDialogs() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dialogs.list, t.dialogs.gone = nil, 0
}

// Acting says that a command of the client which may change the page runs until
// done is called. A dialog that opens meanwhile is one of that client.
func (t *Tab) Acting(client string) (done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acting[client]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.acting[client]--; t.acting[client] == 0 {
			delete(t.acting, client)
		}
	}
}

// takeAnswerLocked returns what was said of the dialog that has opened: by a
// client that is acting, or, when none is, by the first who said anything.
func (t *Tab) takeAnswerLocked() (a DialogAnswer, ok bool) {
	d := &t.dialogs
	i := slices.IndexFunc(d.armed, func(a DialogAnswer) bool { return len(t.acting) == 0 || t.acting[a.client] > 0 })
	if i < 0 {
		return DialogAnswer{}, false
	}
	a = d.armed[i]
	d.armed = slices.Delete(slices.Clone(d.armed), i, i+1)
	return a, true
}

// handleDialogs answers every dialog at once, so that none ever blocks a command:
// as a client has said, or else by default. By default they are accepted, in a
// browser that a person sits at dismissed, except the question whether to leave
// a page, which is the answer to a command. A prompt that is accepted gets its
// default text unless another one was given. The command that caused a dialog
// reports it.
func (t *Tab) handleDialogs(s *cdp.Session) {
	cdp.Handle(s, cdpage.JavascriptDialogOpening, func(e *cdpage.EventJavascriptDialogOpening) {
		d := Dialog{Type: string(e.Type), Message: cut(e.Message, maxDialogMessage), URL: Shown(e.URL), At: time.Now()}
		t.mu.Lock()
		armed, ok := t.takeAnswerLocked()
		d.Armed = ok
		d.Accepted = armed.Accept
		if !ok {
			d.Accepted = !t.dialogs.dismiss || d.Type == "beforeunload"
		}
		t.mu.Unlock()
		answer := m{"accept": d.Accepted}
		if d.Type == "prompt" && d.Accepted {
			d.Response = e.DefaultPrompt
			if armed.Text != nil {
				d.Response = *armed.Text
			}
			answer["promptText"] = d.Response
			d.Response = cut(d.Response, maxDialogMessage)
		}
		s.Start("Page.handleJavaScriptDialog", answer)
		t.locked(func() { t.noteDialogLocked(d) })
	})
}

func (t *Tab) noteDialogLocked(d Dialog) {
	k := &t.dialogs
	k.list = append(k.list, d)
	if n := len(k.list) - maxDialogs; n > 0 {
		k.list = slices.Delete(k.list, 0, n)
		k.gone += n
	}
	stayed := d.Type == "beforeunload" && !d.Accepted
	t.eachWatchLocked(func(w *Watch) {
		if len(w.effects.Dialogs) < maxDialogs {
			w.effects.Dialogs = append(w.effects.Dialogs, d)
		}
		w.effects.Stayed = w.effects.Stayed || stayed
	})
	if stayed && t.main != nil {
		t.endLocked(t.main, false) // no event says that the navigation will not be
	}
}

// cut returns the first n characters of s.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
