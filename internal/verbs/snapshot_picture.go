package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
)

// shooting is the picture that comes with a snapshot.
type shooting struct {
	in   snapshotIn
	heat []heat
	path string // where it goes, "" for a new file
}

// shooting reads the flags of the picture, nil when there is none to take.
func (in snapshotIn) shooting(env *Env) (*shooting, error) {
	if !in.Annotate && in.Heatmap == "" {
		return nil, nil
	}
	s := &shooting{in: in}
	var err error
	if in.Heatmap != "" {
		if s.heat, err = parseHeat(in.Heatmap); err != nil {
			return nil, err
		}
	}
	if drawnFormat(in.Output) == "" {
		return nil, api.Errorf(api.BadUsage, "browse snapshot -a -o page.png", "snapshot: --output is %s, want a name that ends in .png or .jpg", quote(in.Output))
	}
	if in.Output != "" {
		if s.path, err = env.Paths.Write(in.Output); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// idle is the sentence about flags that do nothing without a picture.
func (in snapshotIn) idle() string {
	switch {
	case in.Annotate || in.Heatmap != "":
		return ""
	case in.Output != "":
		return fmt.Sprintf("(--output does nothing without -a or -H; browse screenshot %s takes a picture)", shellWord(in.Output))
	case in.Viewport:
		return "(--viewport does nothing without -a or -H)"
	}
	return ""
}

// shellWord writes a word as it is typed.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:@%,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// take takes the picture of a snapshot that shows refs. lines are what is said
// about it.
func (s *shooting) take(ctx context.Context, env *Env, refs []string) (data markedData, lines []string, err error) {
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if !s.in.Annotate {
		refs = nil
	}
	marks, err := marksOf(env.Tab.Tab, refs)
	if err != nil {
		return data, nil, err
	}
	var unknown []skipped
	for _, h := range s.heat {
		el, err := env.Tab.Ref(h.ref)
		if err != nil {
			unknown = append(unknown, skipped{h.ref, unknownWhy(err)})
			continue
		}
		m := mark{el: el, color: h.color, filled: true}
		if i := slices.IndexFunc(marks, func(o mark) bool { return same(o.el, el) }); i >= 0 {
			marks[i] = m
		} else {
			marks = append(marks, m)
		}
	}
	format := drawnFormat(s.in.Output)
	bytes, data, err := takeMarked(ctx, env, page.Shot{Viewport: s.in.Viewport, MaxSide: maxSide}, marks, format)
	if err != nil {
		return data, nil, err
	}
	what, stem := "annotated", "browse-annotated"
	if !s.in.Annotate {
		what, stem = "heatmap", "browse-heatmap"
	}
	if data.Path, err = save(s.path, stem, format, bytes); err != nil {
		return data, nil, err
	}
	data.Skipped = append(data.Skipped, unknown...)
	if s.in.Annotate {
		lines = append(lines, "[annotated screenshot: "+data.Path+"]")
	}
	if s.heat != nil {
		lines = append(lines, "[heatmap screenshot: "+data.Path+"]")
	}
	return data, append(lines, data.notes(what)...), nil
}

// same reports whether two refs name one element, as @e3 and @c3 do.
func same(a, b *page.Element) bool { return a.Doc == b.Doc && a.ID == b.ID }

// unknownWhy says in two words why a ref names nothing.
func unknownWhy(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		switch e.Code {
		case api.StaleRef:
			return "gone"
		case api.BadUsage:
			return "not a ref"
		}
	}
	return "unknown"
}
