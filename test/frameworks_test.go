package test

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// frameworks are what pages of testdata/frameworks load, by the name under which
// they find it: the builds for a <script> that the npm packages bring along.
var frameworks = map[string]string{
	"react": "react@18.3.1", "react-dom": "react-dom@18.3.1", "vue": "vue@3.5.13", "preact": "preact@10.24.3",
	"quill": "quill@2.0.3",
}

// npmPath is where sites serve them: /_npm/react/umd/react.development.js.
const npmPath = "/_npm/"

var npmDirs sync.Map // name → folder

var npmFiles = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, npmPath), "/")
	dir, ok := npmDirs.Load(name)
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.StripPrefix(npmPath+name, http.FileServer(http.Dir(dir.(string)))).ServeHTTP(w, r)
})

// TestFrameworks drives pages that are made with real frameworks and component
// libraries, and looks at the state that these hold. They are fetched once, into
// the user's cache.
func TestFrameworks(t *testing.T) {
	needChromium(t)
	for name, spec := range frameworks {
		npmDirs.Store(name, unpacked(t, spec))
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/frameworks",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup:         func(e *testscript.Env) error { return setup(t, e) },
	})
}
