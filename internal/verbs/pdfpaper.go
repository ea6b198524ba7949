package verbs

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
)

// papers holds width and height of the paper formats, in inches.
var papers = map[string][2]float64{
	"letter": {8.5, 11}, "legal": {8.5, 14}, "tabloid": {11, 17}, "ledger": {17, 11},
	"a0": {33.1102, 46.811}, "a1": {23.3858, 33.1102}, "a2": {16.5354, 23.3858}, "a3": {11.6929, 16.5354},
	"a4": {8.2677, 11.6929}, "a5": {5.8268, 8.2677}, "a6": {4.1339, 5.8268},
}

// perInch is how many of a unit make an inch (CSS Values 4, section 6.2).
var perInch = map[string]float64{"in": 1, "cm": 2.54, "mm": 25.4, "pt": 72, "px": 96, "": 96}

// defaultMargin is Chromium's own, 1 cm, in inches.
const defaultMargin = 1 / 2.54

// maxPaper bounds a side of the paper, in inches: the limit of the PDF format.
const maxPaper = 200

// pageNumbers is the footer of --page-numbers.
const pageNumbers = `<div style="width:100%;text-align:center;font-size:9px;color:#666"><span class="pageNumber"></span> of <span class="totalPages"></span></div>`

// print checks the options against each other and returns them in inches.
func (in pdfIn) print() (page.Print, error) {
	p := page.Print{
		Width: papers["letter"][0], Height: papers["letter"][1], Landscape: in.Landscape, Background: in.Background, PreferCSSPageSize: in.CSSSize,
		Tagged: in.Tagged, Outline: in.Outline, Scale: in.Scale, Pages: in.Pages, Header: in.Header, Footer: in.Footer,
	}
	if in.Path != "" && !strings.EqualFold(filepath.Ext(in.Path), ".pdf") {
		return p, api.Errorf(api.BadUsage, "browse pdf page.pdf", "pdf: %q does not end in .pdf", in.Path)
	}
	sides := []string{in.Top, in.Right, in.Bottom, in.Left}
	some := slices.ContainsFunc(sides, func(s string) bool { return s != "" })
	for _, pair := range []struct {
		a, b string
		both bool
	}{
		{"--format", "--page-size", in.Format != "" && in.PageSize != ""},
		{"--format", "--width with --height", in.Format+in.PageSize != "" && in.Width+in.Height != ""},
		{"--margins", "--margin-top, --margin-right, --margin-bottom or --margin-left", in.Margins != "" && some},
		{"--page-numbers", "--footer-template", in.PageNumbers && in.Footer != ""},
	} {
		if pair.both {
			return p, api.Errorf(api.BadUsage, "choose one of them", "pdf: %s and %s exclude each other", pair.a, pair.b)
		}
	}
	if (in.Width == "") != (in.Height == "") {
		return p, api.Errorf(api.BadUsage, "browse pdf --width 100mm --height 50mm", "pdf: --width and --height are given together")
	}
	if in.Scale != 0 && (in.Scale < 0.1 || in.Scale > 2) {
		return p, api.Errorf(api.BadUsage, "browse pdf --scale 0.5", "pdf: --scale is %g, want 0.1 to 2", in.Scale)
	}
	if in.PageNumbers {
		p.Footer = pageNumbers
	}
	return p, in.measure(&p, sides)
}

// measure sets the paper and its margins.
func (in pdfIn) measure(p *page.Print, sides []string) error {
	if name := strings.ToLower(in.Format + in.PageSize); name != "" {
		size, ok := papers[name]
		if !ok {
			return api.Errorf(api.BadUsage, "use one of "+strings.Join(slices.Sorted(maps.Keys(papers)), ", "), "pdf: unknown paper format %q", in.Format+in.PageSize)
		}
		p.Width, p.Height = size[0], size[1]
	}
	var err error
	set := func(to *float64, flag, value string, low float64) {
		if value == "" || err != nil {
			return
		}
		var v float64
		if v, err = inches(flag, value); err == nil && (v < low || v > maxPaper) {
			err = api.Errorf(api.BadUsage, "browse help pdf", "pdf: --%s is %s, want up to %d inches", flag, value, maxPaper)
		}
		*to = v
	}
	set(&p.Width, "width", in.Width, 0.1)
	set(&p.Height, "height", in.Height, 0.1)
	for i, to := range []*float64{&p.Top, &p.Right, &p.Bottom, &p.Left} {
		*to = defaultMargin
		set(to, "margins", in.Margins, 0)
		set(to, [4]string{"margin-top", "margin-right", "margin-bottom", "margin-left"}[i], sides[i], 0)
	}
	return err
}

// inches reads a length such as 20mm, 1in or 96.
func inches(flag, s string) (float64, error) {
	number := strings.TrimRight(strings.ToLower(strings.TrimSpace(s)), "abcdefghijklmnopqrstuvwxyz")
	unit := strings.ToLower(strings.TrimSpace(s))[len(number):]
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	per, ok := perInch[unit]
	if err != nil || !ok || v < 0 || v > 1e6 {
		return 0, api.Errorf(api.BadUsage, "write it as 1in, 2.5cm, 20mm, 72pt or 96px", "pdf: --%s is %q, which is not a length", flag, s)
	}
	return v / per, nil
}

// maxPayload bounds the file of --from-file, in bytes.
const maxPayload = 16 << 20

// pdfPayload is the JSON object of --from-file.
type pdfPayload struct {
	Output            string  `json:"output"`
	Format            string  `json:"format"`
	PageSize          string  `json:"pageSize"`
	Width             length  `json:"width"`
	Height            length  `json:"height"`
	Margins           length  `json:"margins"`
	MarginTop         length  `json:"marginTop"`
	MarginRight       length  `json:"marginRight"`
	MarginBottom      length  `json:"marginBottom"`
	MarginLeft        length  `json:"marginLeft"`
	HeaderTemplate    string  `json:"headerTemplate"`
	FooterTemplate    string  `json:"footerTemplate"`
	PageNumbers       bool    `json:"pageNumbers"`
	Tagged            bool    `json:"tagged"`
	Outline           bool    `json:"outline"`
	PrintBackground   bool    `json:"printBackground"`
	PreferCSSPageSize bool    `json:"preferCSSPageSize"`
	Landscape         bool    `json:"landscape"`
	Scale             float64 `json:"scale"`
	PageRanges        string  `json:"pageRanges"`
	TOC               bool    `json:"toc"`
}

// length is a JSON string or number; a number is pixels.
type length string

// UnmarshalJSON implements json.Unmarshaler.
func (l *length) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*l = length(s)
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return errors.New("a length is a string or a number")
	}
	*l = length(n)
	return nil
}

// pdfFile reads the options from a file of the caller.
func pdfFile(env *Env, name string) (pdfIn, error) {
	var in pdfIn
	b, err := inputFile(env, name, maxPayload)
	if err != nil {
		return in, err
	}
	bad := func(format string, args ...any) (pdfIn, error) {
		return in, api.Errorf(api.BadUsage, "browse help pdf lists its keys", "pdf: %s "+format, append([]any{name}, args...)...)
	}
	switch {
	case !json.Valid(b):
		return bad("is not JSON")
	case bytes.TrimSpace(b)[0] != '{':
		return bad("does not hold a JSON object")
	}
	var v pdfPayload
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return bad("is not understood: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return pdfIn{
		Path: v.Output, Format: v.Format, PageSize: v.PageSize, Width: string(v.Width), Height: string(v.Height),
		Margins: string(v.Margins), Top: string(v.MarginTop), Right: string(v.MarginRight), Bottom: string(v.MarginBottom), Left: string(v.MarginLeft),
		Header: v.HeaderTemplate, Footer: v.FooterTemplate, PageNumbers: v.PageNumbers, Tagged: v.Tagged, Outline: v.Outline,
		Background: v.PrintBackground, CSSSize: v.PreferCSSPageSize, Landscape: v.Landscape, Scale: v.Scale, Pages: v.PageRanges, TOC: v.TOC,
	}, nil
}
