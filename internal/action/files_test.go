package action

import "testing"

func TestAccepts(t *testing.T) {
	pic := File{Name: "a.PNG", Type: "image/png"}
	txt := File{Name: "a.txt", Type: "text/plain; charset=utf-8"}
	odd := File{Name: "a.zzz"}
	for _, c := range []struct {
		accept string
		f      File
		want   bool
	}{
		{"", txt, true}, {" , ", txt, true}, {"image/*", pic, true}, {"image/*", txt, false}, {".png", pic, true}, {".pdf, .txt", txt, true},
		{"text/plain", txt, true}, {"text/html", txt, false}, {"application/pdf", odd, true}, {".pdf", odd, false}, {"*/*", txt, true}, {"IMAGE/PNG", pic, true},
	} {
		if got := accepts(c.accept, c.f); got != c.want {
			t.Errorf("accepts(%q, %s) = %v", c.accept, c.f.Name, got)
		}
	}
}
