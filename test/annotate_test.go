package test

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// colored is a control of one colour that occurs nowhere else, and nothing in it.
func colored(n int, style string) string {
	c := paint(n)
	return fmt.Sprintf(`<button aria-label="b%d" style="border:0;padding:0;width:200px;height:40px;background:rgb(%d,%d,%d);%s"></button>`, n, c.R, c.G, c.B, style)
}

func paint(n int) color.RGBA {
	return color.RGBA{R: uint8(20 + 17*(n%5)), G: uint8(120 + 23*(n%6)), B: uint8(160 + 11*(n%9)), A: 255}
}

// boxRed is the colour of the boxes that browse draws.
var boxRed = color.RGBA{R: 214, G: 0, B: 28, A: 255}

// TestAnnotated compares pictures with and without boxes: each box must lie on the
// edges of what the picture shows in the colour of the element, to the pixel.
func TestAnnotated(t *testing.T) {
	b := newBox(t)
	inner := "<body style='margin:0;height:2000px'>" + colored(20, "position:absolute;left:30px;top:50px") + colored(21, "position:absolute;left:30px;top:400px")
	// Sites are told apart by their host, so localhost is another one.
	const others = `<script>for (const f of document.querySelectorAll("iframe[class]"))
		f.src = "http://" + (f.className == "other" ? "localhost" : "127.0.0.1") + ":" + location.port + "/" + f.name</script>`
	site := siteFor(t, map[string]string{
		"plain.html": "<!doctype html><body style='margin:0;height:1900px'>" + colored(1, "position:absolute;left:100px;top:60px") +
			colored(2, "position:absolute;left:333.4px;top:700.6px") + colored(3, "position:absolute;left:900px;top:1800px"),
		"fixed.html": "<!doctype html><body style='margin:0;height:1900px'>" + colored(1, "position:fixed;left:100px;top:60px") +
			colored(2, "position:absolute;left:300px;top:700px") + "<div style='height:800px'></div>" + colored(3, "position:sticky;top:200px") + colored(4, "position:fixed;right:0;bottom:0"),
		"zoom.html": "<!doctype html><body style='margin:0;zoom:1.25'>" + colored(1, "margin:100px") + "<div style='zoom:1.5'>" + colored(2, "margin:40px") + "</div>" +
			"<div style='transform:translate(50px,20px) scale(1.4)'>" + colored(3, "margin-left:252px") + "</div>",
		"rtl.html": "<!doctype html><html dir=rtl><body style='margin:0;height:1000px'>" + colored(1, "position:absolute;right:100px;top:60px") +
			colored(2, "position:absolute;right:1500px;top:300px") + colored(3, "position:absolute;right:700px;top:600px"),
		"frames.html": "<!doctype html><body style='margin:0;height:1500px'><iframe srcdoc=\"" + strings.ReplaceAll(inner, `"`, "&quot;") +
			"\" style='position:absolute;left:70px;top:300px;width:400px;height:200px;border:6px solid;padding:11px'></iframe>" + colored(1, "position:absolute;left:700px;top:20px"),
		"cross.html": "<!doctype html><body style='margin:0;height:1500px'><iframe class=other name=middle.html style='position:absolute;left:70px;top:300px;width:500px;height:300px;border:6px solid;padding:11px'></iframe>" + others,
		"middle.html": "<!doctype html><body style='margin:0'>" + colored(1, "position:absolute;left:20px;top:230px") +
			"<iframe class=same name=inner.html style='position:absolute;left:40px;top:10px;width:350px;height:200px;border:3px solid'></iframe>" + others,
		"inner.html":     inner,
		"zoomframe.html": "<!doctype html><body style='margin:0'><iframe class=other name=inner.html style='position:absolute;left:70px;top:100px;width:400px;height:200px;zoom:1.5;border:0'></iframe>" + others,
		"long.html":      "<!doctype html><body style='margin:0;height:6000px'>" + colored(1, "position:absolute;left:300px;top:1000px;width:700px") + colored(2, "position:absolute;left:600px;top:5900px;width:500px"),
		"phone.html":     "<!doctype html><meta name=viewport content='width=device-width,initial-scale=2,minimum-scale=1'><body style='margin:0;height:1200px'>" + colored(1, "position:absolute;left:20px;top:60px;width:120px") + colored(2, "position:absolute;left:100px;top:500px;width:120px"),
		"dark.html":      "<!doctype html><body style='margin:0;background:#000;height:900px'>" + colored(1, "position:absolute;left:100px;top:60px") + "<div style='background:rgb(214,0,28);position:absolute;top:200px;width:100%;height:200px'>" + colored(2, "margin:60px") + "</div>",
		"clipped.html":   "<!doctype html><body style='margin:0'><div style='position:absolute;left:50px;top:50px;width:300px;height:120px;overflow:auto'><div style='height:900px'>" + colored(1, "margin:60px 0 0 20px") + colored(2, "margin:300px 0 0 20px") + "</div></div>",
	})
	for _, c := range []struct {
		name, page string
		before     [][]string
		plain      []string // how the picture without boxes is taken
		boxes      int
		skipped    string
	}{
		{"scrolled", "plain.html", [][]string{{"js", "scrollTo(0,500)"}}, nil, 3, ""},
		{"window", "plain.html", [][]string{{"js", "scrollTo(0,500)"}}, []string{"--viewport"}, 1, "2 skipped: (outside the picture)"},
		{"clip", "plain.html", [][]string{{"js", "scrollTo(0,300)"}}, []string{"--clip", "50,20,800,1000"}, 2, "1 skipped: (outside the picture)"},
		{"element", "plain.html", [][]string{{"js", "scrollTo(0,300)"}}, []string{"[aria-label=b3]"}, 1, ""},
		{"fixed", "fixed.html", [][]string{{"js", "scrollTo(0,650)"}}, nil, 4, ""},
		{"zoom", "zoom.html", nil, nil, 3, ""},
		{"rtl", "rtl.html", [][]string{{"js", "scrollTo(-200,100)"}}, nil, 3, ""},
		{"rtl window", "rtl.html", [][]string{{"js", "scrollTo(-500,100)"}}, []string{"--viewport"}, 2, "1 skipped"},
		{"frame", "frames.html", [][]string{{"js", "scrollTo(0,120); frames[0].scrollTo(0,300)"}}, nil, 3, "1 skipped: (scrolled out)"},
		{"frames of other sites", "cross.html", [][]string{{"js", "scrollTo(0,120)"}}, nil, 4, "1 skipped"},
		{"frame with zoom", "zoomframe.html", nil, nil, 2, "1 skipped"},
		{"density 2", "frames.html", [][]string{{"viewport", "800x600", "--scale", "2"}, {"js", "scrollTo(0,120)"}}, []string{"--viewport"}, 2, "1 skipped: (scrolled out) | 1 skipped: (outside"},
		{"density 3", "zoom.html", [][]string{{"viewport", "900x600", "--scale", "3"}}, []string{"--no-limit"}, 3, ""},
		{"density 3 scaled down", "plain.html", [][]string{{"viewport", "900x600", "--scale", "3"}}, nil, 3, ""},
		{"phone", "phone.html", [][]string{{"viewport", "400x700", "--scale", "2", "--mobile"}, {"js", "scrollTo(0,40)"}}, nil, 2, ""},
		{"phone window", "phone.html", [][]string{{"viewport", "400x700", "--scale", "2", "--mobile"}, {"js", "scrollTo(0,40)"}}, []string{"--viewport"}, 1, "1 skipped"},
		{"long", "long.html", nil, nil, 2, ""},
		{"dark and red", "dark.html", nil, nil, 2, ""},
		{"clipped", "clipped.html", nil, nil, 1, "1 skipped: (scrolled out)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			b.must("reset")
			b.must("goto", site.URL+"/"+c.page)
			for _, argv := range c.before {
				b.must(argv...)
			}
			b.must("wait", "--load")
			b.must("snapshot", "-i")
			plain, marked := filepath.Join(b.dir, "plain.png"), filepath.Join(b.dir, "marked.png")
			b.must(append([]string{"screenshot", plain}, c.plain...)...)
			out := b.must(append([]string{"screenshot", marked, "--annotate"}, c.plain...)...)
			if want := fmt.Sprintf("[annotated: %d with a box", c.boxes); !strings.Contains(out, want) {
				t.Errorf("want %s in\n%s", want, out)
			}
			if got := regexp.MustCompile(`@e\d+,? `).ReplaceAllString(regexp.MustCompile(`\d+ skipped.*`).FindString(out), ""); !strings.HasPrefix(got, c.skipped) || (c.skipped == "") != (got == "") {
				t.Errorf("skipped %q, want %q", got, c.skipped)
			}
			checkBoxes(t, readPicture(t, plain), readPicture(t, marked))
		})
	}
}

func readPicture(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// near reports whether two colours are the same but for rounding.
func near(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 3 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

// checkBoxes looks for each colour of paint in the picture without boxes, and for
// the box around it in the other one.
func checkBoxes(t *testing.T, plain, marked image.Image) {
	t.Helper()
	if plain.Bounds() != marked.Bounds() {
		t.Fatalf("the pictures are %v and %v", plain.Bounds(), marked.Bounds())
	}
	at := func(img image.Image, x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	found := map[int]image.Rectangle{}
	for y := plain.Bounds().Min.Y; y < plain.Bounds().Max.Y; y++ {
		for x := plain.Bounds().Min.X; x < plain.Bounds().Max.X; x++ {
			c := at(plain, x, y)
			for n := range 30 {
				if near(c, paint(n)) {
					found[n] = found[n].Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("the picture shows none of the elements")
	}
	for n, r := range found {
		if r.Dx() < 8 || r.Dy() < 8 {
			continue // a frame shows only an edge of it
		}
		for _, side := range []struct {
			name string
			from image.Point // the corner of the colour where the side begins
			out  image.Point // where outside is
			long image.Point // how far the side goes
		}{
			{"left", r.Min, image.Pt(-1, 0), image.Pt(0, r.Dy())}, {"right", image.Pt(r.Max.X-1, r.Min.Y), image.Pt(1, 0), image.Pt(0, r.Dy())},
			{"top", r.Min, image.Pt(0, -1), image.Pt(r.Dx(), 0)}, {"bottom", image.Pt(r.Min.X, r.Max.Y-1), image.Pt(0, 1), image.Pt(r.Dx(), 0)},
		} {
			lines, far := 0, 0
			for quarter := 1; quarter <= 3; quarter++ { // a label may hide one of them
				red := func(steps int) bool {
					p := side.from.Add(side.long.Mul(quarter).Div(4)).Add(side.out.Mul(steps))
					return p.In(marked.Bounds()) && at(marked, p.X, p.Y) == boxRed && at(plain, p.X, p.Y) != boxRed
				}
				if red(-1) || red(0) || red(1) {
					lines++
				}
				if red(4) || red(-9) {
					far++
				}
			}
			if lines < 2 || far > 1 {
				t.Errorf("element %d at %v: a line at %d of 3 places of its %s edge, away from it at %d", n, r, lines, side.name, far)
			}
		}
	}
}
