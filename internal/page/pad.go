package page

// Pad is what pointer and keyboard of a tab hold between commands: a key that
// was put down stays down until it is let up, as on a real one. It may be used
// only between [Tab.LockInput] and its release.
type Pad struct {
	// Modifiers are the modifier keys that are down, with the bits of CDP Input events.
	Modifiers int
	// Keys are the codes of all keys that are down.
	Keys map[string]bool
	// Buttons are the mouse buttons that are down, with the bits of MouseEvent.buttons.
	Buttons int
	// X and Y are where the pointer was put last, in CSS pixels of the top viewport.
	X, Y float64
}

// Pad returns the state of the tab's pointer and keyboard.
func (t *Tab) Pad() *Pad { return &t.pad }
