package verbs

import (
	"context"

	"gstack/internal/command"
	"gstack/internal/page"
)

var mediaVerb = define(command.Spec{
	Name: "media", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary: "List pictures, films and sounds of the page as JSON",
	Doc: `The flags choose, none means all. Pictures include CSS backgrounds (at most 500 in a document).
Frames and shadow roots are included.`,
	Examples: []string{"media", "media --images", "media '#gallery'"},
}, mediaRun)

type mediaIn struct {
	Target string `arg:"target" optional:"true" help:"ref (@e3) or selector; the whole page without one"`
	Images bool   `flag:"images" help:"pictures and backgrounds"`
	Videos bool   `flag:"videos" help:"films"`
	Audio  bool   `flag:"audio" help:"sounds"`
	Frame  string `flag:"frame" value:"FRAME" help:"in this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

func mediaRun(ctx context.Context, env *Env, in mediaIn) (Result, error) {
	var kinds []string
	for _, k := range []struct {
		on   bool
		name string
	}{{in.Images, "images"}, {in.Videos, "videos"}, {in.Audio, "audio"}} {
		if k.on {
			kinds = append(kinds, k.name)
		}
	}
	var un page.Unread
	m, own, err := readFrom(ctx, env, targetIn{in.Target, in.Frame}, func(ctx context.Context, el *page.Element) (m page.Media, err error) {
		m, un, err = env.Tab.Media(ctx, el, kinds)
		return m, err
	})
	if err != nil {
		return Result{}, err
	}
	return jsonResult(m, m, own, unreadFrames(un))
}
