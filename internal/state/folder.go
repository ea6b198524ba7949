package state

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"gstack/internal/api"
	"gstack/internal/safe"
)

// Folder keeps the states of a workspace. Files have mode 0600, their folder 0700.
type Folder struct {
	dir string // browse-states in the state folder
	key string // passphrase, "" for plain files

	mu   sync.Mutex
	keys map[string][]byte // derived, by salt: deriving takes a tenth of a second
	salt []byte            // of what this process writes
}

// dirName is the folder of the states that have a name, in the state folder of the
// workspace.
const dirName = "browse-states"

// NewFolder returns the folder of a workspace. With a passphrase, what is written
// is encrypted.
func NewFolder(stateDir, passphrase string) *Folder {
	return &Folder{dir: filepath.Join(stateDir, dirName), key: passphrase, keys: map[string][]byte{}}
}

// Encrypts reports whether files are encrypted.
func (f *Folder) Encrypts() bool { return f.key != "" }

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Path returns the file of the state with a name.
func (f *Folder) Path(name string) (string, error) {
	if !nameForm.MatchString(name) {
		return "", api.Errorf(api.BadUsage, "browse state save work", "a state's name is letters, digits, - and _, not %q", name)
	}
	return filepath.Join(f.dir, name+".json"), nil
}

// sealed is the form of an encrypted file: AES-256-GCM, with a key that PBKDF2
// makes of the passphrase (NIST SP 800-132; the rounds are OWASP's).
type sealed struct {
	Version int    `json:"version"`
	Cipher  string `json:"encrypted"`
	Salt    []byte `json:"salt"`
	Nonce   []byte `json:"nonce"`
	Data    []byte `json:"data"`
}

const (
	cipherName = "aes-256-gcm+pbkdf2-sha256-600000"
	keyRounds  = 600_000
	saltBytes  = 16
)

func (f *Folder) aead(salt []byte) (cipher.AEAD, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := f.keys[string(salt)]
	if key == nil {
		var err error
		if key, err = pbkdf2.Key(sha256.New, f.key, salt, keyRounds, 32); err != nil {
			return nil, err
		}
		f.keys[string(salt)] = key
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Encode returns the content of a file.
func (f *Folder) Encode(s State) ([]byte, error) {
	s.Version = Version
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil || f.key == "" {
		return data, err
	}
	f.mu.Lock()
	if f.salt == nil {
		f.salt = make([]byte, saltBytes)
		_, _ = rand.Read(f.salt) // it never fails
	}
	salt := f.salt
	f.mu.Unlock()
	gcm, err := f.aead(salt)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, gcm.NonceSize())
	_, _ = rand.Read(nonce)
	return json.Marshal(sealed{Version, cipherName, salt, nonce, gcm.Seal(nil, nonce, data, []byte(cipherName))})
}

// Decode reads the content of a file, whole or not at all. The error says what is
// wrong with it, as [api.BadUsage].
func (f *Folder) Decode(data []byte, name string) (State, error) {
	bad := func(hint, format string, args ...any) error {
		return api.Errorf(api.BadUsage, hint, "the state %s was not loaded, and nothing was changed: %s", name, fmt.Sprintf(format, args...))
	}
	var kind struct {
		Cipher string `json:"encrypted"`
	}
	if json.Unmarshal(data, &kind) == nil && kind.Cipher != "" {
		var x sealed
		switch err := json.Unmarshal(data, &x); {
		case err != nil:
			return State{}, bad("save it again", "it is damaged")
		case x.Cipher != cipherName || len(x.Salt) != saltBytes:
			return State{}, bad("save it again", "it is encrypted in a way that is not known")
		case f.key == "":
			return State{}, bad("start the daemon with BROWSE_STATE_KEY", "it is encrypted, and there is no key")
		}
		gcm, err := f.aead(x.Salt)
		if err != nil {
			return State{}, err
		}
		if len(x.Nonce) != gcm.NonceSize() {
			return State{}, bad("save it again", "it is damaged")
		}
		if data, err = gcm.Open(nil, x.Nonce, x.Data, []byte(cipherName)); err != nil {
			return State{}, bad("check BROWSE_STATE_KEY", "it was encrypted with another key, or is damaged")
		}
	}
	s, err := decode(data)
	if err != nil {
		return State{}, bad("save it again", "%v", err)
	}
	return s, nil
}

// Save writes the state with a name, in place of one that there was.
func (f *Folder) Save(name string, s State) (path string, err error) {
	if path, err = f.Path(name); err != nil {
		return "", err
	}
	data, err := f.Encode(s)
	if err != nil {
		return "", api.Errorf(api.Internal, "browse status", "the state does not encode: %v", err)
	}
	if err = os.MkdirAll(f.dir, 0o700); err == nil {
		err = safe.WriteFile(path, data)
	}
	if err != nil {
		return "", api.Errorf(api.FileError, "check the folder and the space on its disk", "the state was not written: %v", err)
	}
	return path, nil
}

// Load reads the state with a name.
func (f *Folder) Load(name string) (State, error) {
	path, err := f.Path(name)
	if err != nil {
		return State{}, err
	}
	data, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, f.missing(name)
	}
	if err != nil {
		return State{}, api.Errorf(api.FileError, "browse state list", "the state %s cannot be read: %v", name, err)
	}
	return f.Decode(data, name)
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		err = fmt.Errorf("it has more than %d bytes", MaxFile)
	}
	return data, err
}

func (f *Folder) missing(name string) error {
	have := "there are none"
	if list := f.List(); len(list) > 0 {
		var names []string
		for _, i := range list {
			names = append(names, i.Name)
		}
		have = "there are " + strings.Join(names[:min(len(names), 20)], ", ")
	}
	return api.Errorf(api.NotFound, "browse state list", "there is no state %q, %s", name, have)
}

// Info is a state in its folder.
type Info struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Bytes int64     `json:"bytes"`
	Saved time.Time `json:"saved"`
}

// List returns the states that there are, by name.
func (f *Folder) List() []Info {
	out := []Info{}
	entries, _ := os.ReadDir(f.dir)
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if fi, err := e.Info(); err == nil && ok && fi.Mode().IsRegular() && nameForm.MatchString(name) {
			out = append(out, Info{name, filepath.Join(f.dir, e.Name()), fi.Size(), fi.ModTime()})
		}
	}
	slices.SortFunc(out, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Remove deletes the state with a name.
func (f *Folder) Remove(name string) error {
	path, err := f.Path(name)
	if err != nil {
		return err
	}
	err = os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f.missing(name)
	}
	if err != nil {
		return api.Errorf(api.FileError, "check its permissions", "the state %s was not removed: %v", name, err)
	}
	return nil
}

// sessionName is the file of what is kept over restarts, beside the folder.
const sessionName = "session-state.json"

// SaveSession keeps what the next daemon shall begin with.
func (f *Folder) SaveSession(s State) error {
	data, err := f.Encode(s)
	if err != nil {
		return err
	}
	return safe.WriteFile(filepath.Join(filepath.Dir(f.dir), sessionName), data)
}

// LoadSession reads what the daemon before has kept; nil for nothing. What cannot
// be read is put aside under the name that it returns, and the reason is an error.
func (f *Folder) LoadSession() (s *State, aside string, err error) {
	path := filepath.Join(filepath.Dir(f.dir), sessionName)
	data, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	var got State
	if err == nil {
		got, err = f.Decode(data, "of the last session")
	}
	if err != nil {
		aside = path + ".corrupt"
		if rerr := os.Rename(path, aside); rerr != nil {
			return nil, "", errors.Join(err, rerr)
		}
		return nil, aside, err
	}
	return &got, "", nil
}
