package page

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gstack/internal/api"
)

// Element is one element of one document, as it was shown or found.
type Element struct {
	// Frame and Doc say where it lives.
	Frame *Frame
	Doc   DocID
	// ID is the element's number within its document's isolated world.
	ID int
	// Role and Name are what the user was shown; for an element found by a
	// selector, what they were when it was found.
	Role, Name string
	// Label is what the user called it: "@e3", or a selector.
	Label string
	// Shown is true for an element named by a ref: its role and name must
	// still be what was shown when it is used.
	Shown bool
}

// Document returns the document of f in place of an element: what is done to it
// is done to all of the frame. It has no id, and stands for whatever document the
// frame shows.
func (f *Frame) Document() *Element { return &Element{Frame: f} }

func (e *Element) String() string {
	if e.Role == "" && e.Name == "" {
		return e.Label
	}
	return e.Label + " " + what(e.Role, e.Name)
}

// Quote returns page text in double quotes, escaped to one line and cut to 80
// characters, for acknowledgements and errors.
func Quote(s string) string {
	r := []rune(s)
	if len(r) > 80 {
		s = string(r[:79]) + "…"
	}
	return `"` + Escape(s) + `"`
}

// Escape escapes page text for a place between double quotes on one line. Each
// character is escaped once: what was a backslash in the page can be told from
// what escapes a control character.
func Escape(s string) string {
	if strings.ContainsAny(s, `"\`) {
		s = escaper.Replace(s)
	}
	return api.Clean(s)
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// maxTombstones bounds how many refs of gone documents are remembered for the
// sake of their error message.
const maxTombstones = 4096

// maxDocRefs bounds the refs of one document, for pages that render their rows
// anew again and again: beyond it the quarter that was shown the longest ago goes.
const maxDocRefs = 64 << 10

// Refs is the daemon's table of refs. One counter serves all tabs, and numbers
// never come back, so a ref of one tab or document is never valid in another.
type Refs struct {
	mu    sync.Mutex
	next  int
	byNum map[int]*ref
	docs  map[DocID]*docRefs
	dead  map[int]string // what a gone ref was
	order []int          // dead, oldest first
	shows int            // counts calls of Assign
}

type ref struct {
	el     Element
	cursor bool
	shown  int // the call of Assign that showed it last
}

type docRefs struct {
	tab  *Tab
	nums map[int]int // element id → ref number
}

// NewRefs returns an empty table.
func NewRefs() *Refs {
	return &Refs{next: 1, byNum: map[int]*ref{}, docs: map[DocID]*docRefs{}, dead: map[int]string{}}
}

// Assign returns the ref number of an element, giving it one if it has none,
// and remembers role and name as what the user has been shown last.
func (r *Refs) Assign(f *Frame, doc DocID, id int, role, name string, cursor bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.docs[doc]
	if d == nil {
		d = &docRefs{tab: f.tab, nums: map[int]int{}}
		r.docs[doc] = d
	}
	r.shows++
	n, ok := d.nums[id]
	if !ok {
		if len(d.nums) >= maxDocRefs {
			r.thinLocked(d)
		}
		n = r.next
		r.next++
		d.nums[id] = n
		r.byNum[n] = &ref{el: Element{Frame: f, Doc: doc, ID: id, Role: strings.Clone(role), Name: strings.Clone(name)}, cursor: cursor, shown: r.shows}
		return n
	}
	e := r.byNum[n]
	e.cursor, e.shown = cursor, r.shows
	if e.el.Role != role {
		e.el.Role = strings.Clone(role)
	}
	if e.el.Name != name {
		e.el.Name = strings.Clone(name)
	}
	return n
}

// Label returns "@e7" or, for an element that is only clickable by its cursor
// or handler, "@c7". Both resolve to the same element.
func Label(n int, cursor bool) string {
	if cursor {
		return "@c" + strconv.Itoa(n)
	}
	return "@e" + strconv.Itoa(n)
}

// IsRef reports whether a target is written as a ref.
func IsRef(target string) bool {
	return len(target) > 1 && target[0] == '@'
}

// Ref returns the element that label named when it was shown. It is an
// [api.UnknownRef] when no snapshot of this tab showed it, an [api.StaleRef]
// when its document is gone.
func (t *Tab) Ref(label string) (*Element, error) {
	num := strings.TrimPrefix(label, "@")
	if len(num) < 2 || num[0] != 'e' && num[0] != 'c' {
		return nil, api.Errorf(api.BadUsage, "browse snapshot -i lists the refs", "%q is not a ref, refs look like @e3 or @c3", label)
	}
	n, err := strconv.Atoi(num[1:])
	if err != nil || n < 1 {
		return nil, api.Errorf(api.BadUsage, "browse snapshot -i lists the refs", "%q is not a ref, refs look like @e3 or @c3", label)
	}
	r := t.refs
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.byNum[n]
	if e == nil {
		if was, ok := r.dead[n]; ok {
			return nil, api.Errorf(api.StaleRef, "browse snapshot -i", "ref %s was %s of a page that is gone", label, was)
		}
		if n < r.next {
			return nil, api.Errorf(api.StaleRef, "browse snapshot -i", "ref %s belongs to a page that is gone, or was shown too long ago", label)
		}
		return nil, api.Errorf(api.UnknownRef, "browse snapshot -i", "ref %s not found, no snapshot has shown it", label)
	}
	if e.el.Frame.tab != t {
		return nil, api.Errorf(api.UnknownRef, fmt.Sprintf("browse --tab-id %d …, or browse snapshot -i for this tab", e.el.Frame.tab.ID),
			"ref %s is %s of tab %d, not of tab %d", label, what(e.el.Role, e.el.Name), e.el.Frame.tab.ID, t.ID)
	}
	el := e.el
	el.Label, el.Shown = label, true
	return &el, nil
}

// Show gives el a ref and returns it. The ref is stable.
func (t *Tab) Show(el *Element) string {
	return Label(t.refs.Assign(el.Frame, el.Doc, el.ID, el.Role, el.Name, false), false)
}

// Count returns how many refs are alive, for tests and memory reports.
func (r *Refs) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.byNum)
}

// Refs returns the table that t takes its refs from.
func (t *Tab) Refs() *Refs { return t.refs }

// what describes an element: its role, and its name if it has one.
func what(role, name string) string {
	if name == "" {
		return "[" + role + "]"
	}
	return "[" + role + "] " + Quote(name)
}

// drop forgets the refs of a document that is gone.
func (r *Refs) drop(doc DocID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropLocked(doc)
}

func (r *Refs) dropLocked(doc DocID) {
	d := r.docs[doc]
	if d == nil {
		return
	}
	delete(r.docs, doc)
	for _, n := range d.nums {
		if len(d.nums) <= maxTombstones {
			e := r.byNum[n]
			r.dead[n] = what(e.el.Role, e.el.Name)
			r.order = append(r.order, n)
		}
		delete(r.byNum, n)
	}
	for len(r.order) > maxTombstones {
		delete(r.dead, r.order[0])
		r.order = r.order[1:]
	}
}

// thinLocked forgets the quarter of a document's refs that was shown the longest
// ago. What a snapshot shows at once stays, up to three quarters of the bound.
func (r *Refs) thinLocked(d *docRefs) {
	shown := make([]int, 0, len(d.nums))
	for _, n := range d.nums {
		shown = append(shown, r.byNum[n].shown)
	}
	slices.Sort(shown)
	oldest := shown[len(shown)/4]
	maps.DeleteFunc(d.nums, func(_, n int) bool {
		if r.byNum[n].shown >= oldest {
			return false
		}
		delete(r.byNum, n)
		return true
	})
}

// dropTab forgets the refs of a tab that is gone.
func (r *Refs) dropTab(t *Tab) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for doc, d := range r.docs {
		if d.tab == t {
			r.dropLocked(doc)
		}
	}
}
