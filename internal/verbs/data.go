package verbs

import (
	"context"
	"encoding/json"
	"fmt"

	"gstack/internal/command"
)

var dataVerb = define(command.Spec{
	Name: "data", Group: "Reading", Scope: command.Read, Tunnel: true, Effect: command.Reads, Nestable: true,
	Summary:  "Print what the page says about itself to machines, as JSON",
	Doc:      `JSON-LD, Open Graph, Twitter cards and the usual meta elements; the flags choose, none means all.`,
	Examples: []string{"data", "data --jsonld", "data --og --twitter"},
}, dataRun)

type dataIn struct {
	JSONLD  bool   `flag:"jsonld" help:"JSON-LD blocks"`
	OG      bool   `flag:"og" help:"Open Graph (og:…)"`
	Twitter bool   `flag:"twitter" help:"Twitter cards (twitter:…)"`
	Meta    bool   `flag:"meta" help:"title, description, keywords, author, canonical address"`
	Frame   string `flag:"frame" value:"FRAME" help:"of this frame: ref or selector of its element, name=NAME, url=TEXT, main"`
}

// dataOut has the parts that were asked for; a nil one is left out.
type dataOut struct {
	JSONLD    *[]json.RawMessage `json:"jsonLd,omitempty"`
	OpenGraph *map[string]any    `json:"openGraph,omitempty"`
	Twitter   *map[string]any    `json:"twitterCards,omitempty"`
	Meta      *map[string]string `json:"meta,omitempty"`
}

func dataRun(ctx context.Context, env *Env, in dataIn) (Result, error) {
	own := read(ctx, env)
	p, err := where(ctx, env, "", in.Frame)
	if err != nil {
		return Result{}, err
	}
	f := p.frame
	if f == nil {
		f = env.Tab.Main()
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	about, err := f.About(ctx)
	if err != nil {
		return Result{}, err
	}
	all := !in.JSONLD && !in.OG && !in.Twitter && !in.Meta
	var out dataOut
	note := ""
	if all || in.JSONLD {
		blocks, bad := []json.RawMessage{}, 0
		for _, text := range about.JSONLD {
			if json.Valid([]byte(text)) {
				blocks = append(blocks, json.RawMessage(text))
			} else {
				bad++
			}
		}
		out.JSONLD = &blocks
		if bad > 0 {
			note = fmt.Sprintf("(left out: %d JSON-LD that is no JSON)", bad)
		}
	}
	if all || in.OG {
		out.OpenGraph = &about.OpenGraph
	}
	if all || in.Twitter {
		out.Twitter = &about.Twitter
	}
	if all || in.Meta {
		out.Meta = &about.Meta
	}
	return jsonResult(out, out, own, note)
}
