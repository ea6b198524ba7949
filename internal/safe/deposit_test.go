package safe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"report.csv": "report.csv", "": "download", "..": "download", "../../etc/passwd": "_.._etc_passwd", `a\b:c`: "a_b_c",
		".bashrc": "bashrc", "a\x00b\nc.txt": "abc.txt", "gpj\u202eexe.txt": "gpjexe.txt", "con": "_con", "NUL.txt": "_NUL.txt", "lpt1": "_lpt1",
		"  spaced out. ": "spaced out", "naïve – 日本.pdf": "naïve – 日本.pdf", "a\u00a0b": "a b", "\xff\xfe": "download",
	} {
		if got := FileName(in); got != want {
			t.Errorf("FileName(%q) = %q, want %q", in, got, want)
		}
	}
	long := FileName(strings.Repeat("日", 200) + ".tar")
	if len(long) > maxName || !strings.HasSuffix(long, ".tar") || !utf8.ValidString(long) {
		t.Errorf("a long name became %q", long)
	}
}

func TestDeposit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	from := filepath.Join(t.TempDir(), "id")
	if err := os.WriteFile(from, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	to, err := Deposit(from, "stem", "../name.txt")
	if err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(to)
	if err != nil || fi.Mode().Perm() != 0o600 || filepath.Base(to) != "_name.txt" || filepath.Dir(filepath.Dir(to)) != os.Getenv("TMPDIR") {
		t.Errorf("%s: %v %v", to, fi, err)
	}
	if _, err := Deposit(from, "stem", "name"); !os.IsNotExist(err) {
		t.Errorf("what is not there: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
