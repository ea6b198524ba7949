// Package verbs implements browse's commands, one file per verb.
//
// To add a verb: write <name>.go here, list it in [All], write
// test/testdata/script/<name>.txtar, and run go generate ./... .
//
// A handler is handed its target in [Env]; nothing here knows an active tab, a
// token or a socket. Handlers return what is true; dispatch wraps and checks.
package verbs

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/browser"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/safe"
	"gstack/internal/session"
	"gstack/internal/shield"
)

// Env is what a verb may touch while it runs.
type Env struct {
	// Tab is the tab that the command is bound to; nil for verbs that need none.
	Tab *session.Tab
	// Tabs owns all tabs of the daemon.
	Tabs *session.Manager
	// Session names the client's session.
	Session string
	// Paths is the file policy of the caller.
	Paths safe.Paths
	// Stdin is what the client read from its standard input, nil for nothing.
	Stdin *string
	// Daemon is the process that runs the command.
	Daemon Daemon
	// Step runs one more command as the same caller, for verbs that compose
	// others; argv begins with the verb.
	Step func(ctx context.Context, argv []string) (string, error)
	// Limit is the deadline of the command. The context that a handler gets ends
	// a little later, so that it can say what it saw; waits are bounded by Limit.
	Limit time.Time
	// Timeout is the deadline that the user asked for, 0 when they did not.
	Timeout time.Duration
	// Raw is set when the local user wants what the page says as it is.
	Raw bool
	// Page is the part that the user asked for of an answer that was cut, 0 when
	// they did not. Dispatch cuts; a verb needs it only if its answer is another
	// one the second time.
	Page int
}

// Bound returns ctx ended at the command's deadline, for handlers that need no
// time beyond it to explain themselves.
func (e *Env) Bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, e.Limit)
}

// Scope returns the frame to which the client has narrowed the tab, nil for the
// whole page. It is where selectors are looked for, scripts run and pages are
// read. A frame that was removed is an error.
func (e *Env) Scope() (*page.Frame, error) { return e.Tabs.Scope(e.Session, e.Tab) }

// Top returns the frame that is meant when no element is: the scope, else the top
// frame.
func (e *Env) Top() (*page.Frame, error) {
	f, err := e.Scope()
	if f == nil && err == nil {
		f = e.Tab.Main()
	}
	return f, err
}

// options are what every action is given.
func (e *Env) options() action.Options { return action.Options{Timeout: e.Timeout, Until: e.Limit} }

// Daemon is what verbs may ask of the process that runs them.
type Daemon interface {
	// Stop begins the shutdown once the running answer has gone out.
	Stop()
	// Status describes the process.
	Status() Status
	// RSS is the resident memory of the process, in bytes; 0 where the system does
	// not say.
	RSS() uint64
	// Doctor examines browser and machine.
	Doctor(ctx context.Context) []browser.Check
}

// Status describes the daemon.
type Status struct {
	PID     int
	Mode    string // launched or headed
	Version string
	Uptime  time.Duration
	State   string // path of the state file
}

// withNote adds a fact to a command's error.
func withNote(err error, note string) error {
	var e *api.Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Tried = append(slices.Clone(c.Tried), note)
	return &c
}

// Result is what a verb answers.
type Result struct {
	// Text is the plain form.
	Text string
	// Data is the "data" member of the generic machine form.
	Data any
	// JSON replaces the generic machine form where a verb has a shape of its own.
	JSON any
	// Simple marks a value that needs no envelope whatever its text: a number, a
	// boolean, null, undefined.
	Simple bool
	// Lines says that a line of Text means something only as a whole, so that it
	// is never cut inside one.
	Lines bool
	// Whole are the flags that show all of Text when it is cut; "" for
	// --max-bytes 0.
	Whole string
	// Source is where Text comes from, for the envelope; "" for the tab's address.
	Source string
	// Shown is page content that an acknowledgement brings along, in an envelope
	// of its own behind Text.
	Shown string
	// Own is a sentence of ours that stands outside the envelope.
	Own string
	// Ours marks a Text that is a sentence of ours, whatever the class of the verb.
	Ours bool
	// Told says that Text reports the dialogs, windows and downloads that the
	// command caused; dispatch adds them to the answer of any other.
	Told bool
	// Follow is the tab in which the client goes on, 0 for the one of the command.
	Follow int
	// Code, when set, fails the command after its output was printed.
	Code api.Code
	// Why is what the error says that Code makes, "" for a pointer at the output.
	Why string
}

// Verb is a [command.Spec] with its implementation.
type Verb struct {
	command.Spec
	// Parse decodes the words after the verb.
	Parse func(argv []string) (in any, g command.Globals, err error)
	// Run executes the verb on what Parse returned.
	Run func(ctx context.Context, env *Env, in any) (Result, error)
}

// define binds a spec to a typed handler. In is a struct with arg and flag tags.
func define[In any](s command.Spec, run func(context.Context, *Env, In) (Result, error)) Verb {
	s.Fields = command.FieldsOf(reflect.TypeFor[In]())
	return Verb{
		Spec: s,
		Parse: func(argv []string) (any, command.Globals, error) {
			var in In
			g := command.Globals{MaxBytes: -1}
			err := s.Parse(argv, &in, &g)
			if v, ok := any(in).(interface{ valid() error }); ok && err == nil {
				err = v.valid()
			}
			return in, g, err
		},
		Run: func(ctx context.Context, env *Env, in any) (Result, error) { return run(ctx, env, in.(In)) },
	}
}

// All lists every verb in the order help shows them.
var All = []Verb{
	gotoVerb,
	backVerb,
	forwardVerb,
	reloadVerb,
	urlVerb,
	loadHTMLVerb,
	snapshotVerb,
	refsVerb,
	findVerb,
	accessibilityVerb,
	textVerb,
	htmlVerb,
	linksVerb,
	formsVerb,
	mediaVerb,
	dataVerb,
	clickVerb,
	dblclickVerb,
	scrollVerb,
	dragVerb,
	dropVerb,
	uploadVerb,
	pasteVerb,
	tapVerb,
	wheelVerb,
	mouseVerb,
	keydownVerb,
	keyupVerb,
	fillVerb,
	typeVerb,
	pressVerb,
	selectVerb,
	checkVerb,
	uncheckVerb,
	hoverVerb,
	focusVerb,
	waitVerb,
	expectVerb,
	dialogVerb,
	dialogAcceptVerb,
	dialogDismissVerb,
	jsVerb,
	evalVerb,
	consoleVerb,
	networkVerb,
	storageVerb,
	cookiesVerb,
	cdpVerb,
	isVerb,
	attrsVerb,
	cssVerb,
	inspectVerb,
	perfVerb,
	uxAuditVerb,
	styleVerb,
	cleanupVerb,
	screenshotVerb,
	prettyVerb,
	responsiveVerb,
	diffVerb,
	pdfVerb,
	downloadVerb,
	scrapeVerb,
	archiveVerb,
	viewportVerb,
	deviceVerb,
	useragentVerb,
	headerVerb,
	offlineVerb,
	throttleVerb,
	routeVerb,
	credentialsVerb,
	geolocationVerb,
	timezoneVerb,
	localeVerb,
	emulateVerb,
	permissionsVerb,
	resetVerb,
	cookieVerb,
	cookieImportVerb,
	stateVerb,
	tabsVerb,
	tabVerb,
	newtabVerb,
	closetabVerb,
	frameVerb,
	chainVerb,
	tabEachVerb,
	inboxVerb,
	statusVerb,
	memoryVerb,
	stopVerb,
	restartVerb,
	doctorVerb,
	helpVerb,
}

// Specs returns the data half of [All], for those who cannot run verbs.
func Specs() []command.Spec {
	ss := make([]command.Spec, 0, len(All))
	for _, v := range All {
		ss = append(ss, v.Spec)
	}
	return ss
}

// Lookup returns the verb with a name or alias.
func Lookup(name string) (Verb, bool) {
	for _, v := range All {
		if v.Name == name {
			return v, true
		}
		for _, a := range v.Aliases {
			if a == name {
				return v, true
			}
		}
	}
	return Verb{}, false
}

// noArgs is the input of verbs without arguments.
type noArgs struct{}

// parsedLimit bounds how long a reading verb waits for a page that is still
// being parsed. Half of a shorter deadline is the bound then.
const parsedLimit = 5 * time.Second

// read prepares the tab for a reading verb: half a page is not read when the
// rest is on its way. The sentence it returns says so when it is.
func read(ctx context.Context, env *Env) string {
	limit := min(parsedLimit, time.Until(env.Limit)/2) // the other half is for the reading
	if f, err := env.Scope(); err == nil && f != nil {
		if env.Tab.SettleFrame(ctx, f, limit) {
			return ""
		}
		return "(the frame is still loading)"
	}
	if env.Tab.SettleDocument(ctx, limit) {
		return ""
	}
	return "(the page is still loading)"
}

// quote is how acknowledgements quote page text.
func quote(s string) string { return page.Quote(s) }

// source cleans an address for an acknowledgement.
func source(url string) string { return shield.Break(api.Clean(url)) }

// address is [source] for a place that a long one would flood.
func address(url string) string { return source(shortened(url, maxURL)) }

// open opens an address that the file policy of the caller has accepted. A page
// that comes from a file may load what the caller may read, and nothing else.
func open(ctx context.Context, env *Env, t *session.Tab, url string) (page.Navigation, error) {
	if strings.HasPrefix(url, "file:") {
		paths := env.Paths
		err := t.GuardFiles(ctx, func(u string) bool {
			_, err := paths.URL(u)
			return err == nil
		})
		if err != nil {
			return page.Navigation{}, err
		}
	}
	w := t.Watch()
	defer w.Close()
	n, err := t.Navigate(ctx, url)
	return n, downloaded(ctx, env, t, w, err)
}
