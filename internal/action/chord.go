package action

import (
	"runtime"
	"sort"
	"strings"
	"unicode/utf8"

	"gstack/internal/api"
)

// Modifier is a set of modifier keys, with the bits of CDP Input events.
type Modifier int

// The modifiers.
const (
	Alt     Modifier = 1
	Control Modifier = 2
	Meta    Modifier = 4
	Shift   Modifier = 8
)

// modifierNames maps names in lower case to modifiers. ControlOrMeta is the one
// that shortcuts use on the platform: Meta on macOS, Control elsewhere.
var modifierNames = map[string]Modifier{
	"alt": Alt, "option": Alt, "opt": Alt,
	"control": Control, "ctrl": Control, "ctl": Control,
	"meta": Meta, "command": Meta, "cmd": Meta, "super": Meta, "win": Meta,
	"shift":         Shift,
	"controlormeta": controlOrMeta(runtime.GOOS), "mod": controlOrMeta(runtime.GOOS),
}

func controlOrMeta(goos string) Modifier {
	if goos == "darwin" {
		return Meta
	}
	return Control
}

// modifierKeys are pressed, in this order, around what they modify.
var modifierKeys = []struct {
	mod  Modifier
	name string
}{{Control, "ControlLeft"}, {Alt, "AltLeft"}, {Shift, "ShiftLeft"}, {Meta, "MetaLeft"}}

// ParseModifiers reads a list such as "Control+Shift" or "ctrl,shift".
func ParseModifiers(s string) (Modifier, error) {
	var mods Modifier
	for _, name := range strings.FieldsFunc(s, func(r rune) bool { return r == '+' || r == ',' || r == ' ' }) {
		m, ok := modifierNames[strings.ToLower(name)]
		if !ok {
			return 0, api.Errorf(api.BadUsage, "browse click TARGET --modifiers Control+Shift", "%q is not a modifier, want Alt, Control, Meta, Shift or ControlOrMeta", name)
		}
		mods |= m
	}
	return mods, nil
}

// chord is one key with the modifiers that are held while it is pressed. Text is
// a character that no key of the layout types.
type chord struct {
	mods Modifier
	held Modifier // those of mods that are pressed as keys of their own
	key  key
	text string
}

// parseChord reads "Enter", "a", "Shift+Enter", "Control++".
func parseChord(s string) (chord, error) {
	var c chord
	if strings.TrimSpace(s) == "" && s != " " {
		return c, api.Errorf(api.BadUsage, keyHint, "unknown key, none is named")
	}
	rest := s
	for {
		i := strings.IndexByte(rest, '+')
		if i <= 0 || i == len(rest)-1 {
			break // a lone plus is the key itself
		}
		m, ok := modifierNames[strings.ToLower(rest[:i])]
		if !ok {
			return c, unknownKey(rest[:i], s)
		}
		c.mods |= m
		c.held |= m
		rest = rest[i+1:]
	}
	k, shifted, ok := lookup(rest)
	switch {
	case ok:
		c.key = k
		// "A" is what Shift types; in Control+A it only names the key.
		if shifted && (c.mods == 0 || !isLetter(k)) {
			c.mods |= Shift
		}
	case utf8.RuneCountInString(rest) == 1 && c.mods&^Shift == 0:
		c.text = rest
	default:
		return c, unknownKey(rest, s)
	}
	return c, nil
}

func isLetter(k key) bool { return len(k.key) == 1 && k.key[0] >= 'a' && k.key[0] <= 'z' }

// lookup finds a key by name; shifted tells that the name is what it types with
// Shift. Names of one character are exact, longer ones may be in any case.
func lookup(name string) (k key, shifted, ok bool) {
	if k, ok = keys[name]; ok {
		return k, k.shifted == name, true
	}
	if utf8.RuneCountInString(name) == 1 {
		return key{}, false, false
	}
	low := strings.ToLower(name)
	if full := aliases[low]; full != "" {
		return keys[full], false, true
	}
	if m, isMod := modifierNames[low]; isMod {
		for _, mk := range modifierKeys {
			if mk.mod == m {
				return keys[mk.name], false, true
			}
		}
	}
	for n, k := range keys {
		if len(n) > 1 && strings.ToLower(n) == low {
			return k, false, true
		}
	}
	return key{}, false, false
}

const keyHint = "browse press Enter, Escape, ArrowDown, F5, Shift+Tab, Control+A or a single character; browse type writes a text"

// unknownKey names the keys that look like the one that is not there.
func unknownKey(name, chord string) error {
	where := ""
	if name != chord {
		where = " in " + chord
	}
	msg := "unknown key %q%s"
	if near := nearKeys(name); near != "" {
		msg += ", did you mean " + near
	}
	return api.Errorf(api.BadUsage, keyHint, msg, name, where)
}

func nearKeys(name string) string {
	low := strings.ToLower(name)
	type near struct {
		name string
		d    int
	}
	var all []near
	for n := range keys {
		if len(n) < 2 {
			continue
		}
		d := distance(low, strings.ToLower(n))
		if strings.Contains(strings.ToLower(n), low) && len(low) > 2 {
			d = min(d, 2)
		}
		if d <= 2 || d <= len(low)/3 {
			all = append(all, near{n, d})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].d < all[j].d || all[i].d == all[j].d && all[i].name < all[j].name
	})
	var out []string
	for _, n := range all[:min(3, len(all))] {
		out = append(out, n.name)
	}
	return strings.Join(out, ", ")
}

// distance is the Levenshtein distance.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
