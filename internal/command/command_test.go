package command

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"gstack/internal/api"
)

type sampleIn struct {
	Target string        `arg:"target" help:"what"`
	Words  []string      `arg:"words" rest:"true" optional:"true" help:"more"`
	Button string        `flag:"button" short:"b" enum:"left,right" default:"left" help:"button"`
	Count  int           `flag:"count" short:"n" default:"1" help:"count"`
	Deep   bool          `flag:"deep" short:"d" help:"deep"`
	Wide   bool          `flag:"wide" short:"w" help:"wide"`
	Wait   time.Duration `flag:"wait" help:"pause"`
	Keys   []string      `flag:"key" help:"keys"`
	Ratio  float64       `flag:"ratio" help:"ratio"`
}

func sample(free bool) Spec {
	return Spec{Name: "sample", FreeText: free, Fields: FieldsOf(reflect.TypeFor[sampleIn]())}
}

func TestParse(t *testing.T) {
	base := func(f func(*sampleIn)) sampleIn {
		in := sampleIn{Target: "x", Button: "left", Count: 1}
		f(&in)
		return in
	}
	for _, c := range []struct {
		args string
		free bool
		want sampleIn
		g    Globals
		err  string
	}{
		{args: "x", want: base(func(*sampleIn) {})},
		{args: "--button right x", want: base(func(i *sampleIn) { i.Button = "right" })},
		{args: "x --button=right", want: base(func(i *sampleIn) { i.Button = "right" })},
		{args: "x -dw", want: base(func(i *sampleIn) { i.Deep, i.Wide = true, true })},
		{args: "x -dn3", want: base(func(i *sampleIn) { i.Deep, i.Count = true, 3 })},
		{args: "x -n 3 --deep=false", want: base(func(i *sampleIn) { i.Count = 3 })},
		{args: "x --wait 250", want: base(func(i *sampleIn) { i.Wait = 250 * time.Millisecond })},
		{args: "x --wait 2s", want: base(func(i *sampleIn) { i.Wait = 2 * time.Second })},
		{args: "x --key a --key b", want: base(func(i *sampleIn) { i.Keys = []string{"a", "b"} })},
		{args: "x -5 -0.5", want: base(func(i *sampleIn) { i.Words = []string{"-5", "-0.5"} })},
		{args: "x --ratio -0.5", want: base(func(i *sampleIn) { i.Ratio = -0.5 })},
		{args: "x -- --deep -w", want: base(func(i *sampleIn) { i.Words = []string{"--deep", "-w"} })},
		{args: "x y --deep", want: base(func(i *sampleIn) { i.Words, i.Deep = []string{"y"}, true })},
		{args: "x y --deep", free: true, want: base(func(i *sampleIn) { i.Words = []string{"y", "--deep"} })},
		{args: "x --deep y --json", free: true, want: base(func(i *sampleIn) { i.Words, i.Deep = []string{"y", "--json"}, true })},
		{args: "x --json --tab-id 3 --timeout 5s", want: base(func(*sampleIn) {}), g: Globals{JSON: true, TabID: 3, Timeout: 5 * time.Second}},
		{args: "x --button --deep", err: `sample: --button is "--deep", want one of left, right`},
		{args: "x --button", err: "sample: --button wants a value: button"},
		{args: "x -n", err: "sample: -n wants a value: count"},
		{args: "x --count 3x", err: `sample: --count is "3x", want a whole number`},
		{args: "x --depp", err: "sample: unknown flag --depp, did you mean --deep"},
		{args: "x -dz", err: "sample: unknown flag -dz"},
		{args: "", err: "sample: missing <target>, what"},
		{args: "x --wait soon", err: `sample: --wait is "soon", want milliseconds or a duration such as 5s`},
	} {
		var in sampleIn
		var g Globals
		err := sample(c.free).Parse(strings.Fields(c.args), &in, &g)
		if c.err != "" {
			var e *api.Error
			if !errors.As(err, &e) || e.Message != c.err || e.Code != api.BadUsage || e.Hint == "" {
				t.Errorf("%q: got %v, want %s with a hint", c.args, err, c.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(in, c.want) || g != c.g {
			t.Errorf("%q: got %+v %+v %v, want %+v %+v", c.args, in, g, err, c.want, c.g)
		}
	}
}

func TestFieldsOfPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"no help": func() {
			FieldsOf(reflect.TypeFor[struct {
				A string `arg:"a"`
			}]())
		},
		"no name": func() {
			FieldsOf(reflect.TypeFor[struct {
				A string `help:"a"`
			}]())
		},
		"no rule": func() {
			FieldsOf(reflect.TypeFor[struct {
				A map[string]int `arg:"a" help:"a"`
			}]())
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestNearest(t *testing.T) {
	for _, c := range [][2]string{{"snapshto", "snapshot"}, {"clik", "click"}, {"frobnicate", ""}, {"taps", "tabs"}, {"xx", ""}} {
		if got := Nearest(c[0], []string{"click", "snapshot", "tabs", "text"}); got != c[1] {
			t.Errorf("Nearest(%s) = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestEmbedded(t *testing.T) {
	type after struct {
		Expect []string `flag:"expect" help:"what must hold"`
		Show   bool     `flag:"show" help:"show it"`
	}
	type in struct {
		Target string `arg:"target" help:"what"`
		after
		Force bool `flag:"force" help:"no checks"`
	}
	s := Spec{Name: "sample", Fields: FieldsOf(reflect.TypeFor[in]())}
	var got in
	var g Globals
	if err := s.Parse([]string{"x", "--expect", "a", "--force", "--expect=b", "--show"}, &got, &g); err != nil {
		t.Fatal(err)
	}
	want := in{Target: "x", after: after{Expect: []string{"a", "b"}, Show: true}, Force: true}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if u := s.Usage(); u != "sample <target> [--expect EXPECT] [--show] [--force]" {
		t.Errorf("usage is %s", u)
	}
}
