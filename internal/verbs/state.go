package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
	"gstack/internal/safe"
	"gstack/internal/state"
)

var stateVerb = define(command.Spec{
	Name: "state", Group: "State", Scope: command.Control, Output: command.Ours, Needs: command.Browser, Timeout: 60 * time.Second,
	Summary: "Save logins and open pages to a file, and load them again",
	Doc: `A state has all cookies of the browser, the local storage and IndexedDB of the sites that its tabs
have shown, and the session's open pages with their session storage. Documents of load-html and what
was typed into forms are not in it.

  state save NAME     writes it, over one of that name
  state load NAME     closes the session's tabs, puts the sites of the state back to what
                      it says, and opens its pages; other sites keep what they have
  state list          the names that there are
  state show NAME     what is in it, without a value
  state rm NAME       deletes it

The files are <name>.json in the folder browse-states of the workspace's state folder, for the owner
alone (0600). They hold logins in clear, unless BROWSE_STATE_KEY was set when the daemon began:
then they are encrypted (AES-256-GCM). --file names another file; there, storage states of
Playwright are read too. A file that is damaged in any way is refused before anything is changed.
BROWSE_PERSIST_STATE=1 keeps all of this over restarts by itself.`,
	Examples: []string{"state save shop", "state load shop", "state list", "state show shop", "state load --file auth.json"},
}, stateRun)

type stateIn struct {
	Do   string `arg:"what" enum:"save,load,list,show,rm" help:"what to do"`
	Name string `arg:"name" optional:"true" help:"letters, digits, - and _"`
	File string `flag:"file" value:"FILE" help:"this file instead of a name"`
}

func stateRun(ctx context.Context, env *Env, in stateIn) (Result, error) {
	if in.Do == "list" {
		if in.Name != "" || in.File != "" {
			return Result{}, api.Errorf(api.BadUsage, "browse state list", "state list takes no name")
		}
		return stateList(env.Tabs.States.List()), nil
	}
	if (in.Name == "") == (in.File == "") || in.File != "" && in.Do == "rm" {
		return Result{}, api.Errorf(api.BadUsage, "usage: browse state "+in.Do+" <name>", "state %s: want a name, or --file", in.Do)
	}
	if in.Name != "" {
		if _, err := env.Tabs.States.Path(in.Name); err != nil {
			return Result{}, err
		}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	switch in.Do {
	case "save":
		return stateSave(ctx, env, in)
	case "load":
		return stateLoad(ctx, env, in)
	case "rm":
		if err := env.Tabs.States.Remove(in.Name); err != nil {
			return Result{}, err
		}
		return Result{Text: "State removed: " + in.Name, Data: map[string]string{"name": in.Name}}, nil
	}
	s, err := in.read(env)
	if err != nil {
		return Result{}, err
	}
	return stateShow(s), nil
}

// read reads a state from its folder or from a file of the caller.
func (in stateIn) read(env *Env) (state.State, error) {
	if in.File == "" {
		return env.Tabs.States.Load(in.Name)
	}
	data, err := inputFile(env, in.File, state.MaxFile)
	if err != nil {
		return state.State{}, err
	}
	return env.Tabs.States.Decode(data, quote(in.File))
}

func stateSave(ctx context.Context, env *Env, in stateIn) (Result, error) {
	path, err := "", error(nil)
	if in.File != "" { // before the work
		if path, err = env.Paths.Write(in.File); err != nil {
			return Result{}, err
		}
	}
	s, lost, err := env.Tabs.Snapshot(ctx, env.Session)
	if err != nil {
		return Result{}, err
	}
	if in.File != "" {
		data, err := env.Tabs.States.Encode(s)
		if err == nil {
			err = safe.WriteFile(path, data)
		}
		if err != nil {
			return Result{}, fileFailed(path, err)
		}
	} else if path, err = env.Tabs.States.Save(in.Name, s); err != nil {
		return Result{}, err
	}
	text := fmt.Sprintf("State saved: %s (%d cookies, %d pages)", path, len(s.Cookies), len(s.Pages))
	text += fmt.Sprintf("\nwith local storage of %d sites and %d databases", len(s.Origins), s.Databases())
	if !env.Tabs.States.Encrypts() {
		text += "\nwarning: it holds logins in clear; BROWSE_STATE_KEY, set when the daemon starts, encrypts it"
	}
	return Result{Text: text + lostLines("not saved", lost), Data: map[string]any{
		"path": path, "cookies": len(s.Cookies), "pages": len(s.Pages), "origins": len(s.Origins), "databases": s.Databases(),
		"encrypted": env.Tabs.States.Encrypts(), "lost": lost,
	}}, nil
}

func stateLoad(ctx context.Context, env *Env, in stateIn) (Result, error) {
	s, err := in.read(env)
	if err != nil {
		return Result{}, err
	}
	r, err := env.Tabs.Restore(ctx, env.Session, s, env.Paths.URL)
	if err != nil {
		return Result{}, err
	}
	text := fmt.Sprintf("State loaded: %d cookies, %d pages", r.Cookies, r.Pages)
	text += fmt.Sprintf("\nwith storage of %d sites; the current tab is %d, %s", r.Origins, r.Tab.ID, source(r.Tab.URL()))
	return Result{Text: text + lostLines("not loaded", r.Lost), Data: map[string]any{
		"cookies": r.Cookies, "pages": r.Pages, "origins": r.Origins, "tabId": r.Tab.ID, "lost": r.Lost,
	}}, nil
}

// maxLost bounds the lines about what was lost.
const maxLost = 20

func lostLines(what string, lost []string) string {
	var b strings.Builder
	for i, l := range lost {
		if i == maxLost {
			fmt.Fprintf(&b, "\n%s: and %d more", what, len(lost)-i)
			break
		}
		fmt.Fprintf(&b, "\n%s: %s", what, api.Clean(l))
	}
	return b.String()
}

func stateList(list []state.Info) Result {
	if len(list) == 0 {
		return Result{Text: "(no states saved)", Data: list}
	}
	var lines []string
	for _, i := range list {
		lines = append(lines, fmt.Sprintf("%s  %s  %d bytes", i.Name, i.Saved.Format(time.DateTime), i.Bytes))
	}
	return Result{Text: strings.Join(lines, "\n"), Data: list}
}

// stateShow says what is in a state; values and keys are not shown.
func stateShow(s state.State) Result {
	hosts := map[string]int{}
	var order []string
	for _, c := range s.Cookies {
		if hosts[c.Host()]++; hosts[c.Host()] == 1 {
			order = append(order, c.Host())
		}
	}
	lines := []string{"Saved: " + s.SavedAt.Format(time.RFC3339), fmt.Sprintf("Cookies: %d", len(s.Cookies))}
	for _, h := range order {
		lines = append(lines, fmt.Sprintf("  %s: %d", api.Clean(h), hosts[h]))
	}
	lines = append(lines, fmt.Sprintf("Sites with storage: %d", len(s.Origins)))
	for _, o := range s.Origins {
		records := 0
		for _, db := range o.DBs {
			for _, st := range db.Stores {
				records += len(st.Records)
			}
		}
		lines = append(lines, fmt.Sprintf("  %s: %d entries, %d databases with %d records", api.Clean(o.Origin), len(o.Local), len(o.DBs), records))
	}
	lines = append(lines, fmt.Sprintf("Pages: %d", len(s.Pages)))
	var pages []map[string]any
	for _, p := range s.Pages {
		mark := "  "
		if p.Active {
			mark = "→ "
		}
		lines = append(lines, mark+source(page.Shown(p.URL)))
		pages = append(pages, map[string]any{"url": page.Shown(p.URL), "isActive": p.Active})
	}
	return Result{Text: strings.Join(lines, "\n"), Data: map[string]any{
		"savedAt": s.SavedAt, "cookies": hosts, "origins": len(s.Origins), "databases": s.Databases(), "pages": pages,
	}}
}
