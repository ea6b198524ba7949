package page

import "testing"

// TestRestore: a change that was refused is taken back, and what somebody else has
// changed meanwhile stays.
func TestRestore(t *testing.T) {
	before := Settings{Locale: "de_DE", Media: "print"}
	after := before
	after.Locale, after.Timezone = "xx", "Nowhere"
	now := after
	now.Offline, now.Media = true, "screen"
	now.restore(before, after)
	if now.Locale != "de_DE" || now.Timezone != "" {
		t.Errorf("the refused change is still there: %+v", now)
	}
	if !now.Offline || now.Media != "screen" {
		t.Errorf("somebody else's change is lost: %+v", now)
	}
}
