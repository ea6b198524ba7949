package action

import "gstack/internal/cdp"

// deadKey is a key of the US-International layout that types nothing by itself
// and puts a mark on the next letter.
type deadKey struct {
	code  string
	shift bool
	plain string // the letters that take the mark
	with  string // the same letters with it
}

var deadKeys = []deadKey{
	{"Quote", false, "aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ"},
	{"Backquote", false, "aeiouAEIOU", "àèìòùÀÈÌÒÙ"},
	{"Digit6", true, "aeiouAEIOU", "âêîôûÂÊÎÔÛ"},
	{"Backquote", true, "anoANO", "ãñõÃÑÕ"},
	{"Quote", true, "aeiouyAEIOU", "äëïöüÿÄËÏÖÜ"},
}

// composed maps a letter with a mark to the dead key and the letter that type it.
var composed = buildComposed()

type composition struct {
	dead   deadKey
	letter string
}

func buildComposed() map[string]composition {
	m := map[string]composition{}
	for _, d := range deadKeys {
		plain := []rune(d.plain)
		for i, r := range []rune(d.with) {
			m[string(r)] = composition{d, string(plain[i])}
		}
	}
	return m
}

// compose types a letter with a mark as a person does: the dead key, whose events
// name it Dead, and then the letter, which already bears the mark.
func (r *run) compose(c composition, text string) []*cdp.Pending {
	dead := keys[c.dead.code]
	dead.key, dead.shifted, dead.text = "Dead", "", ""
	letter, shifted, _ := lookup(c.letter)
	letter.key, letter.shifted, letter.text = text, "", text
	mods := func(shift bool) Modifier {
		if shift {
			return Shift
		}
		return 0
	}
	sent := r.keystroke(dead, mods(c.dead.shift), true)
	return append(sent, r.keystroke(letter, mods(shifted), true)...)
}
