package verbs

import (
	"io"
	"os"

	"gstack/internal/api"
)

// stdin returns what the client has read from its standard input for a verb.
func stdin(env *Env, verb string) (string, error) {
	if env.Stdin == nil {
		return "", api.Errorf(api.BadUsage, "browse "+verb+" … - < file", "%s: nothing on standard input", verb)
	}
	return *env.Stdin, nil
}

// inputFile reads a regular file of the caller, of at most limit bytes, by the
// caller's file policy. Errors: [api.FileError], [api.PathDenied], [api.TooLarge].
func inputFile(env *Env, name string, limit int64) ([]byte, error) {
	path, err := env.Paths.Read(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, api.Errorf(api.FileError, "check its permissions", "%s cannot be read", name)
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return nil, api.Errorf(api.FileError, "name a file", "%s is not a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, api.Errorf(api.FileError, "check its permissions", "%s cannot be read", name)
	case int64(len(data)) > limit:
		return nil, api.Errorf(api.TooLarge, "name a smaller file", "%s holds more than %d bytes", name, limit)
	}
	return data, nil
}
