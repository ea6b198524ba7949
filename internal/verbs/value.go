package verbs

import (
	"io"
	"os"
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
		if env.Stdin == nil {
			return "", api.Errorf(api.BadUsage, "browse "+verb+" … - < text.txt", "%s: nothing on standard input", verb)
		}
		return withoutBreak(*env.Stdin), nil
	}
	return strings.Join(words, " "), nil
}

func withoutBreak(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }

func fileValue(env *Env, path string) (string, error) {
	real, err := env.Paths.Read(path)
	if err != nil {
		return "", err
	}
	f, err := os.Open(real)
	if err != nil {
		return "", api.Errorf(api.FileError, "check its permissions", "%s cannot be read", path)
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return "", api.Errorf(api.FileError, "name a file", "%s is not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxValue+1))
	switch {
	case err != nil:
		return "", api.Errorf(api.FileError, "check its permissions", "%s cannot be read", path)
	case len(text) > maxValue:
		return "", api.Errorf(api.TooLarge, "name a shorter file", "%s holds more than %d bytes", path, maxValue)
	}
	return withoutBreak(string(text)), nil
}
