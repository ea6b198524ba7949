package inject_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWPT runs the pages of web-platform-tests about roles and names, whose
// folder WPT_DIR names; expectations.json in it lists what each element must
// have. The bar is what Chromium itself meets of it.
func TestWPT(t *testing.T) {
	dir := os.Getenv("WPT_DIR")
	if dir == "" {
		t.Skip("WPT_DIR is not set: the pages of web-platform-tests are not part of the project")
	}
	data, err := os.ReadFile(filepath.Join(dir, "expectations.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected []struct {
		File, Testname              string
		Index                       int
		Expectedrole, Expectedlabel *string
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	b, base := open(t), site(t, dir)
	roles, names, roleGoal, nameGoal, file := 0, 0, 0, 0, ""
	var all []facts
	for _, e := range expected {
		if e.File != file {
			file = e.File
			d := b.load(t, base+"/"+file)
			all = nil
			d.eval(`[...document.querySelectorAll("[data-expectedrole],[data-expectedlabel]")].map((el) => browse.facts(el))`, &all)
		}
		f := all[e.Index]
		if f.Hidden {
			f.Role = ""
		}
		if e.Expectedrole != nil {
			roleGoal++
			if wptRole(f.Role, *e.Expectedrole) {
				roles++
			} else {
				t.Logf("role %s %d %s: %q, want %q", e.File, e.Index, f.Tag, f.Role, *e.Expectedrole)
			}
		}
		if e.Expectedlabel != nil {
			nameGoal++
			if f.Name == *e.Expectedlabel {
				names++
			} else {
				t.Logf("name %s %d %s: %q, want %q", e.File, e.Index, f.Tag, f.Name, *e.Expectedlabel)
			}
		}
	}
	t.Logf("%d of %d roles, %d of %d names", roles, roleGoal, names, nameGoal)
	if roles < 272 || names < 465 {
		t.Errorf("%d roles and %d names, want at least 272 and 465", roles, names)
	}
}

// wptRole compares a role with an expected one, synonyms resolved.
func wptRole(got, want string) bool {
	switch want {
	case "image":
		want = "img"
	case "none", "generic", "presentation":
		want = ""
	}
	return got == want || strings.EqualFold(got, want)
}
