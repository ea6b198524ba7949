package verbs

import (
	"context"
	"strconv"
	"strings"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var clickVerb = define(command.Spec{
	Name: "click", Group: "Interaction", Scope: command.Write, Tunnel: true, Output: command.Ack, Nestable: true,
	Summary: "Click an element",
	Doc: `Waits until the element is visible, enabled, still and not covered by another one, scrolls it
into view and clicks it with real mouse events. The answer says what that caused: a navigation,
a dialog, a window, a download, and where that was saved: any download is kept, in a folder of
its own in the temp folder, and --download waits for its end. An element that turns into something else when the pointer comes
over it is not pressed. A ref of an <option> selects it in its list.`,
	Examples: []string{"click @e3", "click 'text=Add to cart'", "click '#menu' --button right", "click @e3 --modifiers Shift", "click '#map' --position 40,25", "click @e5 --new-tab", "click @e5 --follow", "click @e6 --download report.pdf"},
}, clickRun)

type clickIn struct {
	Target    string   `arg:"target" help:"ref (@e3) or selector"`
	Button    string   `flag:"button" enum:"left,middle,right" default:"left" help:"mouse button"`
	Count     int      `flag:"count" default:"1" help:"number of clicks, 2 is a double click"`
	Modifiers []string `flag:"modifiers" value:"KEYS" help:"keys held meanwhile, such as Control+Shift; may be repeated"`
	Position  string   `flag:"position" value:"X,Y" help:"where in the element's box, in CSS pixels from its top left corner"`
	Force     bool     `flag:"force" help:"click at its middle without the checks"`
	NoWait    bool     `flag:"no-wait" help:"do not wait for a navigation that it begins"`
	NewTab    bool     `flag:"new-tab" help:"open the link in a tab of its own"`
	Follow    bool     `flag:"follow" help:"go on in the tab that it opens, which becomes the current one"`
	Download  bool     `flag:"download" help:"wait for the download that it begins, and save it to the path, if one is given"`
	Path      string   `arg:"path" optional:"true" help:"with --download: file or folder to save to; otherwise it is saved under its name in the temp folder"`
	afterIn
}

func clickRun(ctx context.Context, env *Env, in clickIn) (Result, error) {
	o, err := clickOptions(env, in)
	if err != nil {
		return Result{}, err
	}
	if in.Download && in.Follow {
		return Result{}, api.Errorf(api.BadUsage, "browse click "+in.Target+" --download", "click: --download and --follow do not go together")
	}
	if in.Download {
		return in.conclude(ctx, env, func() (Result, error) { return clickDownload(ctx, env, in, o) })
	}
	if in.Path != "" {
		return Result{}, api.Errorf(api.BadUsage, "browse click "+in.Target+" --download "+in.Path, "click: a path means something only with --download")
	}
	el, err := find(ctx, env, in.Target)
	if err != nil {
		return Result{}, err
	}
	return in.conclude(ctx, env, func() (Result, error) {
		return clickElement(ctx, env, el, o)
	})
}

// follow goes on in the tab that an action has opened: the rest of the command is
// about that tab, and it becomes the current one of the client.
func follow(ctx context.Context, env *Env, popups []page.Popup) error {
	for _, p := range popups {
		if p.Closed {
			continue
		}
		t, err := env.Tabs.Switch(ctx, env.Session, p.TabID)
		if err == nil {
			env.Tab = t
		}
		return err
	}
	return api.Errorf(api.NotVerified, "browse tabs", "the tab that it opened has closed itself")
}

func clickElement(ctx context.Context, env *Env, el *page.Element, o action.ClickOptions) (Result, error) {
	r, err := act(ctx, env, func() (action.Result, error) { return action.Click(ctx, env.Tab.Tab, el, o) })
	if err != nil {
		return Result{}, err
	}
	if o.Follow {
		if err := follow(ctx, env, r.Effects.Popups); err != nil {
			return Result{}, withNote(err, "clicked "+el.String())
		}
	}
	did := "Clicked "
	if o.Count == 2 {
		did = "Double-clicked "
	}
	if r.Routed {
		picked := strings.Join(r.Picked, "")
		r.Picked = nil
		res := acted(env, "Selected "+quote(picked)+" (auto-routed from click on <option>)", r)
		res.Data.(map[string]any)["picked"] = []string{picked}
		return res, nil
	}
	res := acted(env, did+el.String(), r)
	if o.Follow {
		res.Follow = env.Tab.ID
	}
	return res, nil
}

// maxClicks bounds --count.
const maxClicks = 20

func clickOptions(env *Env, in clickIn) (action.ClickOptions, error) {
	o := action.ClickOptions{Options: env.options(), Button: in.Button, Count: in.Count, NewTab: in.NewTab, Follow: in.Follow}
	o.Force, o.Leave = in.Force, in.NoWait
	if in.Count < 1 || in.Count > maxClicks {
		return o, api.Errorf(api.BadUsage, "browse click "+in.Target+" --count 2", "--count is %d, want 1 to %d", in.Count, maxClicks)
	}
	var err error
	if o.Modifiers, err = action.ParseModifiers(strings.Join(in.Modifiers, ",")); err != nil {
		return o, err
	}
	o.Position, err = parsePoint("--position", in.Position)
	return o, err
}

// parsePoint reads "x,y"; "" is no point.
func parsePoint(flag, s string) (*action.Point, error) {
	if s == "" {
		return nil, nil
	}
	xs, ys, ok := strings.Cut(s, ",")
	x, errX := strconv.ParseFloat(strings.TrimSpace(xs), 64)
	y, errY := strconv.ParseFloat(strings.TrimSpace(ys), 64)
	if !ok || errX != nil || errY != nil || x-x != 0 || y-y != 0 { // x-x is not 0 for infinities and NaN
		return nil, api.Errorf(api.BadUsage, flag+" 10,20", "%s is %q, want two numbers as X,Y", flag, s)
	}
	return &action.Point{X: x, Y: y}, nil
}
