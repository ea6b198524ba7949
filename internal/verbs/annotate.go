package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
	"gstack/internal/picture"
)

// mark is an element that gets a box in a picture.
type mark struct {
	el     *page.Element
	color  color.RGBA
	filled bool
}

// heatColors are the colours of a heatmap, in the order in which they are listed.
var heatColors = []struct {
	name  string
	color color.RGBA
}{
	{"green", color.RGBA{R: 0, G: 140, B: 60, A: 255}},
	{"yellow", color.RGBA{R: 245, G: 200, B: 0, A: 255}},
	{"red", picture.Red},
	{"blue", color.RGBA{R: 0, G: 90, B: 225, A: 255}},
	{"orange", color.RGBA{R: 240, G: 120, B: 0, A: 255}},
	{"gray", color.RGBA{R: 110, G: 110, B: 110, A: 255}},
}

// heat is what --heatmap asks for.
type heat struct {
	ref   string
	color color.RGBA
}

// parseHeat reads a heatmap, refs to colours. The result is in the order of refs.
func parseHeat(text string) ([]heat, error) {
	names := make([]string, len(heatColors))
	for i, c := range heatColors {
		names[i] = c.name
	}
	bad := func(format string, args ...any) error {
		return api.Errorf(api.BadUsage, `browse snapshot -H '{"@e1":"green"}', colours: `+strings.Join(names, " "), "snapshot: --heatmap "+format, args...)
	}
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil || m == nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, bad("is %s, which is no JSON: %s", quote(text), err)
		}
		return nil, bad("is %s, want an object of refs and colours", quote(text))
	}
	var out []heat
	for ref, v := range m {
		name, _ := v.(string)
		i := slices.Index(names, name)
		if i < 0 {
			got, _ := json.Marshal(v)
			return nil, bad("has %s for %s, which is none of its colours", api.Clean(string(got)), quote(ref))
		}
		if !strings.HasPrefix(ref, "@") {
			ref = "@" + ref
		}
		out = append(out, heat{ref, heatColors[i].color})
	}
	number := func(h heat) int {
		n, _ := strconv.Atoi(strings.TrimLeft(h.ref, "@ec"))
		return n
	}
	slices.SortFunc(out, func(a, b heat) int {
		if d := number(a) - number(b); d != 0 {
			return d
		}
		return strings.Compare(a.ref, b.ref)
	})
	return out, nil
}

// skipped is an element that has no box in a picture.
type skipped struct {
	Ref string `json:"ref"`
	Why string `json:"why"`
}

// markedData is the machine form of a picture with boxes.
type markedData struct {
	Path   string  `json:"path,omitempty"`
	Width  int     `json:"width"`  // pixels
	Height int     `json:"height"` // pixels
	Scale  float64 `json:"scale"`  // less than 1 when it was scaled down
	Boxes  int     `json:"boxes"`
	// Skipped have no box, Moving were not in one place while it was taken.
	Skipped []skipped `json:"skipped,omitempty"`
	Moving  []string  `json:"moving,omitempty"`

	page string // what of the page it shows, for the sentence about the scale
}

// takeMarked takes a picture with boxes, encoded as format.
func takeMarked(ctx context.Context, env *Env, shot page.Shot, marks []mark, format string) ([]byte, markedData, error) {
	shot.Format = "png" // to be drawn on
	for _, m := range marks {
		shot.Marks = append(shot.Marks, m.el)
	}
	pic, err := env.Tab.Screenshot(ctx, shot)
	if err != nil {
		return nil, markedData{}, err
	}
	img, err := picture.Decode(pic.Data)
	if err != nil {
		return nil, markedData{}, api.Errorf(api.Internal, "", "%v", err)
	}
	size := img.Bounds().Size()
	d := markedData{Width: size.X, Height: size.Y, Scale: pic.Scale, page: fmt.Sprintf("%dx%d", pic.Width, pic.Height)}
	var boxes []picture.Box
	for i, at := range pic.Marks {
		m := marks[i]
		if at.Parts == nil {
			d.Skipped = append(d.Skipped, skipped{m.el.Label, string(at.Why)})
			continue
		}
		if at.Moving {
			d.Moving = append(d.Moving, m.el.Label)
		}
		b := picture.Box{Label: m.el.Label, Color: m.color, Filled: m.filled}
		for _, r := range at.Parts {
			b.Parts = append(b.Parts, picture.Rect(r))
		}
		boxes = append(boxes, b)
	}
	d.Boxes = len(boxes)
	picture.Draw(img, boxes, pic.Density)
	data, err := picture.Encode(img, format)
	if err != nil {
		return nil, d, api.Errorf(api.Internal, "", "the picture does not encode: %v", err)
	}
	return data, d, nil
}

// maxNamed is how many refs a line about a picture names.
const maxNamed = 8

// listed is a list of refs in a line about a picture.
func listed(list []string) string {
	if len(list) <= maxNamed {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s +%d more", strings.Join(list[:maxNamed], ", "), len(list)-maxNamed)
}

// notes are the lines that say what a picture does not show, and how it is scaled.
func (d markedData) notes(what string) []string {
	var lines []string
	refs := map[string][]string{}
	var whys, groups []string
	for _, s := range d.Skipped {
		if refs[s.Why] == nil {
			whys = append(whys, s.Why)
		}
		refs[s.Why] = append(refs[s.Why], s.Ref)
	}
	for _, why := range whys {
		groups = append(groups, fmt.Sprintf("%d skipped: %s (%s)", len(refs[why]), listed(refs[why]), why))
	}
	if groups != nil {
		lines = append(lines, fmt.Sprintf("[%s: %s]", what, strings.Join(groups, " | ")))
	}
	if len(d.Moving) > 0 {
		lines = append(lines, fmt.Sprintf("[%s: %d moved while the picture was taken, so the box may be off: %s]", what, len(d.Moving), listed(d.Moving)))
	}
	if d.Scale < 1 {
		lines = append(lines, fmt.Sprintf("[scaled to %.0f%%: what it shows is %s CSS pixels; browse screenshot --annotate --no-limit keeps its size]", d.Scale*100, d.page))
	}
	return lines
}

// marksOf makes a mark of each ref.
func marksOf(t *page.Tab, refs []string) ([]mark, error) {
	var out []mark
	for _, ref := range refs {
		el, err := t.Ref(ref)
		if err != nil { // its frame has navigated since it was shown
			return nil, err
		}
		out = append(out, mark{el: el, color: picture.Red})
	}
	return out, nil
}

// drawnFormat is the format of a file that a picture with boxes goes to; "" for
// one that browse cannot write.
func drawnFormat(file string) string {
	if f := format(file); f != "webp" && (file == "" || isPicture(file)) {
		return f
	}
	return ""
}
