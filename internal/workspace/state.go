package workspace

import (
	"runtime/debug"
	"strings"

	"gstack/internal/workspace/flat"
)

// maxState bounds the files that a client reads, in bytes.
const maxState = 16 << 10

// State is the content of the state file. Members that it does not know are
// ignored, so that an older client can read a newer file.
type State struct {
	PID           int
	PIDStart      uint64 // start time of the process in the unit of [Process]; 0 unknown
	Port          int    // on 127.0.0.1
	Token         string // root token
	StartedAt     string // RFC 3339
	ServerPath    string // the daemon's program
	BinaryVersion string // build id, "" unknown
	Mode          string // "launched" or "headed"
	Proxy         string // scheme://host:port without credentials, "" none
	ConfigHash    string // 16 hex digits of SHA-256 over proxy and mode
	Workspace     string // absolute path of the state file when it was written
}

// Headed reports whether the daemon was started for a browser with a window.
func (s State) Headed() bool { return s.Mode == "headed" }

func (s State) encode() []byte {
	var w flat.Writer
	w.Int("pid", int64(s.PID))
	w.Int("pidStart", int64(s.PIDStart))
	w.Int("port", int64(s.Port))
	w.String("token", s.Token)
	w.String("startedAt", s.StartedAt)
	w.String("serverPath", s.ServerPath)
	if s.BinaryVersion != "" {
		w.String("binaryVersion", s.BinaryVersion)
	}
	w.String("mode", s.Mode)
	if s.Proxy != "" {
		w.String("proxy", s.Proxy)
	}
	w.String("configHash", s.ConfigHash)
	w.String("workspace", s.Workspace)
	return append(w.Bytes(), '\n')
}

// decodeState reads a state file. It reports false for one that no client could
// use: not JSON, no port, no pid or no token.
func decodeState(data []byte) (State, bool) {
	o, err := flat.Parse(data)
	if err != nil {
		return State{}, false
	}
	s := State{
		PID: int(o.Int("pid")), PIDStart: uint64(o.Int("pidStart")), Port: int(o.Int("port")), Token: o.String("token"),
		StartedAt: o.String("startedAt"), ServerPath: o.String("serverPath"), BinaryVersion: o.String("binaryVersion"),
		Mode: o.String("mode"), Proxy: o.String("proxy"), ConfigHash: o.String("configHash"), Workspace: o.String("workspace"),
	}
	token := s.Token != ""
	for i := range len(s.Token) { // it goes into a header
		token = token && s.Token[i] > 0x20 && s.Token[i] < 0x7f
	}
	return s, token && s.PID > 1 && s.Port > 0 && s.Port < 65536
}

// buildID is set by the linker: -X gstack/internal/workspace.buildID=…
var buildID string

// TestOnlyBuild makes this process pass for another build.
func TestOnlyBuild(id string) { buildID = id }

// Build returns what tells two builds apart: the id that the linker was given,
// else the revision that Go recorded, marked when the tree was modified, else
// "". Client and daemon of one build have the same one.
func Build() string {
	if buildID != "" {
		return buildID
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var rev, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = strings.ToLower(s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+modified"
		}
	}
	if rev == "" {
		return ""
	}
	return rev + dirty
}
