package action

import "strconv"

// key is one key of the US layout: what DOM events say of it (UI Events code and
// key values) and what Windows calls it, which is what CDP and keyCode use.
type key struct {
	code     string
	key      string
	shifted  string // key with Shift, where it differs
	keyCode  int    // windowsVirtualKeyCode
	location int    // 1 left, 2 right, 3 number pad
	text     string // what it types, if not its key
}

// keys by the names that [Press] takes: key values, code values, and single
// characters. Names of several letters are looked up in lower case as well, by
// [lookup].
var keys = buildKeys()

// named are the keys whose name is the key value.
var named = []key{
	{code: "Enter", key: "Enter", keyCode: 13, text: "\r"},
	{code: "Tab", key: "Tab", keyCode: 9},
	{code: "Escape", key: "Escape", keyCode: 27},
	{code: "Backspace", key: "Backspace", keyCode: 8},
	{code: "Delete", key: "Delete", keyCode: 46},
	{code: "Insert", key: "Insert", keyCode: 45},
	{code: "Home", key: "Home", keyCode: 36},
	{code: "End", key: "End", keyCode: 35},
	{code: "PageUp", key: "PageUp", keyCode: 33},
	{code: "PageDown", key: "PageDown", keyCode: 34},
	{code: "ArrowLeft", key: "ArrowLeft", keyCode: 37},
	{code: "ArrowUp", key: "ArrowUp", keyCode: 38},
	{code: "ArrowRight", key: "ArrowRight", keyCode: 39},
	{code: "ArrowDown", key: "ArrowDown", keyCode: 40},
	{code: "CapsLock", key: "CapsLock", keyCode: 20},
	{code: "NumLock", key: "NumLock", keyCode: 144},
	{code: "ScrollLock", key: "ScrollLock", keyCode: 145},
	{code: "Pause", key: "Pause", keyCode: 19},
	{code: "PrintScreen", key: "PrintScreen", keyCode: 44},
	{code: "ContextMenu", key: "ContextMenu", keyCode: 93},
	{code: "ShiftLeft", key: "Shift", keyCode: 16, location: 1},
	{code: "ShiftRight", key: "Shift", keyCode: 16, location: 2},
	{code: "ControlLeft", key: "Control", keyCode: 17, location: 1},
	{code: "ControlRight", key: "Control", keyCode: 17, location: 2},
	{code: "AltLeft", key: "Alt", keyCode: 18, location: 1},
	{code: "AltRight", key: "Alt", keyCode: 18, location: 2},
	{code: "AltGraph", key: "AltGraph", keyCode: 225},
	{code: "MetaLeft", key: "Meta", keyCode: 91, location: 1},
	{code: "MetaRight", key: "Meta", keyCode: 92, location: 2},
	{code: "NumpadEnter", key: "Enter", keyCode: 13, location: 3, text: "\r"},
	{code: "NumpadAdd", key: "+", keyCode: 107, location: 3},
	{code: "NumpadSubtract", key: "-", keyCode: 109, location: 3},
	{code: "NumpadMultiply", key: "*", keyCode: 106, location: 3},
	{code: "NumpadDivide", key: "/", keyCode: 111, location: 3},
	{code: "NumpadDecimal", key: ".", keyCode: 110, location: 3},
	{code: "Space", key: " ", keyCode: 32},
	{code: "AudioVolumeMute", key: "AudioVolumeMute", keyCode: 173},
	{code: "AudioVolumeDown", key: "AudioVolumeDown", keyCode: 174},
	{code: "AudioVolumeUp", key: "AudioVolumeUp", keyCode: 175},
	{code: "MediaTrackNext", key: "MediaTrackNext", keyCode: 176},
	{code: "MediaTrackPrevious", key: "MediaTrackPrevious", keyCode: 177},
	{code: "MediaStop", key: "MediaStop", keyCode: 178},
	{code: "MediaPlayPause", key: "MediaPlayPause", keyCode: 179},
}

// signs are the keys that type punctuation: plain, with Shift, code, keyCode.
var signs = []key{
	{code: "Backquote", key: "`", shifted: "~", keyCode: 192},
	{code: "Minus", key: "-", shifted: "_", keyCode: 189},
	{code: "Equal", key: "=", shifted: "+", keyCode: 187},
	{code: "BracketLeft", key: "[", shifted: "{", keyCode: 219},
	{code: "BracketRight", key: "]", shifted: "}", keyCode: 221},
	{code: "Backslash", key: `\`, shifted: "|", keyCode: 220},
	{code: "Semicolon", key: ";", shifted: ":", keyCode: 186},
	{code: "Quote", key: "'", shifted: `"`, keyCode: 222},
	{code: "Comma", key: ",", shifted: "<", keyCode: 188},
	{code: "Period", key: ".", shifted: ">", keyCode: 190},
	{code: "Slash", key: "/", shifted: "?", keyCode: 191},
}

const shiftedDigits = ")!@#$%^&*("

func buildKeys() map[string]key {
	m := map[string]key{}
	add := func(k key) {
		m[k.code] = k
		if _, known := m[k.key]; !known && k.location != 3 {
			m[k.key] = k
		}
		if k.shifted != "" {
			m[k.shifted] = k
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		upper := string(c - 'a' + 'A')
		add(key{code: "Key" + upper, key: string(c), shifted: upper, keyCode: int(c-'a') + 'A'})
	}
	for d := range 10 {
		s := strconv.Itoa(d)
		add(key{code: "Digit" + s, key: s, shifted: shiftedDigits[d : d+1], keyCode: '0' + d})
		m["Numpad"+s] = key{code: "Numpad" + s, key: s, keyCode: 96 + d, location: 3}
	}
	for _, k := range signs {
		add(k)
	}
	for _, k := range named {
		add(k)
	}
	for n := 1; n <= 24; n++ {
		s := "F" + strconv.Itoa(n)
		add(key{code: s, key: s, keyCode: 111 + n})
	}
	return m
}

// aliases are other names that people give to keys, in lower case.
var aliases = map[string]string{
	"esc": "Escape", "return": "Enter", "del": "Delete", "ins": "Insert", "spacebar": "Space",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"pgup": "PageUp", "pgdn": "PageDown", "pagedn": "PageDown", "plus": "NumpadAdd", "menu": "ContextMenu", "break": "Pause",
}
