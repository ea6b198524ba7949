package verbs

import (
	"strings"

	"gstack/internal/api"
)

// maxValue bounds what is read from a file for a field, in bytes.
const maxValue = 10 << 20

// textValue is the text that a verb is given: its words joined by one space, what
// is on standard input for "-", or what a file holds. One line break at the end of
// an input or a file belongs to that and not to the text.
func textValue(env *Env, verb string, words []string, file string) (string, error) {
	switch {
	case file != "" && len(words) > 0:
		return "", api.Errorf(api.BadUsage, "browse help "+verb, "%s: --file and a text are two values", verb)
	case file != "":
		return fileValue(env, file)
	case len(words) == 0:
		name := map[string]string{"fill": "value"}[verb]
		if name == "" {
			name = "text"
		}
		return "", api.Errorf(api.BadUsage, "browse help "+verb+"; an empty one is ''", "%s: missing <%s>", verb, name)
	case len(words) == 1 && words[0] == "-":
		text, err := stdin(env, verb)
		return withoutBreak(text), err
	}
	return strings.Join(words, " "), nil
}

func withoutBreak(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }

func fileValue(env *Env, path string) (string, error) {
	text, err := inputFile(env, path, maxValue)
	return withoutBreak(string(text)), err
}
