package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/shield"
)

var storageVerb = define(command.Spec{
	Name: "storage", Group: "Inspection", Scope: command.Admin, Nestable: true, FreeText: true,
	Summary: "Read and change localStorage and sessionStorage",
	Doc: `Without arguments: both areas as JSON. Values that look like secrets, by their key or by
themselves, are shown as [REDACTED — N chars]. It is the storage of the document in the
frame that was entered, else of the page.

  storage get KEY           one value, in clear
  storage set KEY [VALUE]   VALUE may have spaces; none means empty
  storage remove KEY        fails when there is none
  storage clear             the area, not both

These act on localStorage; -s before them means sessionStorage.`,
	Examples: []string{"storage", "storage get theme", "storage set theme dark", "storage -s clear"},
}, storageRun)

type storageIn struct {
	Session bool     `flag:"session-storage" short:"s" help:"sessionStorage instead of localStorage"`
	Words   []string `arg:"what" optional:"true" rest:"true" help:"get KEY, set KEY VALUE, remove KEY, or clear"`
}

const storageUsage = "usage: browse storage [-s] [get KEY | set KEY VALUE | remove KEY | clear]"

func storageRun(ctx context.Context, env *Env, in storageIn) (Result, error) {
	f, err := env.Top()
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	what, rest := "", in.Words
	if len(rest) > 0 {
		what, rest = rest[0], rest[1:]
	}
	area := "localStorage"
	if in.Session {
		area = "sessionStorage"
	}
	switch {
	case what == "":
		return storageList(ctx, f)
	case what == "get" && len(rest) == 1:
		v, err := f.StorageGet(ctx, in.Session, rest[0])
		if err == nil && v == nil {
			err = noEntry(area, rest[0])
		}
		if err != nil {
			return Result{}, err
		}
		return Result{Text: *v, Data: *v}, nil
	case what == "set" && len(rest) >= 1:
		if err := f.StorageSet(ctx, in.Session, rest[0], strings.Join(rest[1:], " ")); err != nil {
			return Result{}, err
		}
		return Result{Text: fmt.Sprintf("Set %s[%q]", area, rest[0]), Ours: true}, nil
	case (what == "remove" || what == "delete") && len(rest) == 1:
		had, err := f.StorageRemove(ctx, in.Session, rest[0])
		if err == nil && !had {
			err = noEntry(area, rest[0])
		}
		if err != nil {
			return Result{}, err
		}
		return Result{Text: fmt.Sprintf("Removed %s[%q]", area, rest[0]), Ours: true}, nil
	case what == "clear" && len(rest) == 0:
		n, err := f.StorageClear(ctx, in.Session)
		if err != nil {
			return Result{}, err
		}
		return Result{Text: fmt.Sprintf("Cleared %s, %d entries", area, n), Data: map[string]int{"cleared": n}, Ours: true}, nil
	}
	return Result{}, api.Errorf(api.BadUsage, storageUsage, "storage: %q is none of its forms", strings.Join(in.Words, " "))
}

func noEntry(area, key string) error {
	return api.Errorf(api.NotFound, "browse storage lists the keys", "%s has no entry %s", area, quote(key))
}

func storageList(ctx context.Context, f *page.Frame) (Result, error) {
	s, err := f.Storage(ctx)
	if err != nil {
		return Result{}, err
	}
	out := struct {
		Local   entries `json:"localStorage"`
		Session entries `json:"sessionStorage"`
	}{s.Local, s.Session}
	return jsonResult(out, out)
}

// entries are an object that keeps its order, with secret values redacted.
type entries []page.Entry

// MarshalJSON implements [json.Marshaler].
func (es entries) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, x := range es {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(x[0]); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(redactedValue(x[0], x[1])); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// redactedValue is a value as it may be shown under its name.
func redactedValue(name, value string) string {
	if value != "" && (shield.SecretName(name) || shield.SecretValue(value)) {
		return shield.Redacted(value)
	}
	return shield.MaskText(value) // such as a token in a JSON object
}
