package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var cdpVerb = define(command.Spec{
	Name: "cdp", Group: "Inspection", Scope: command.RootOnly, Timeout: 10 * time.Second,
	Summary: "Send a command of the DevTools protocol, of those that are allowed",
	Doc: `Everything is denied but what --list shows: methods that read, measure or emulate. What
navigates, evaluates, injects, reads bodies or cookies, or touches targets and files is not
among them. Parameters are one JSON object. "target": "@e3" (or a selector) in it stands for
nodeId, backendNodeId or objectId, as the method wants it; the domains that a method needs are
enabled for the call. An override stays on the tab until it is cleared.`,
	Examples: []string{"cdp --list", `cdp CSS.getMatchedStylesForNode '{"target": "@e3"}'`, "cdp Performance.getMetrics"},
}, cdpRun)

type cdpIn struct {
	Method string `arg:"method" optional:"true" help:"Domain.method"`
	Params string `arg:"params" optional:"true" help:"JSON object of parameters"`
	List   bool   `flag:"list" help:"list the methods that are allowed"`
}

// protocolMethod is one method that may be called.
type protocolMethod struct {
	name string
	// ours says that no page controls the result.
	ours bool
	// browser says that it acts on the browser, not on the tab.
	browser bool
	// node is the parameter that "target" stands for.
	node string
	// enable are the domains that must be enabled, in order; they are disabled
	// after the call, because their events cost the page.
	enable []string
	// why it is harmless.
	why string
}

// protocolMethods is the allowlist. A method that is not in it is denied.
var protocolMethods = []protocolMethod{
	{name: "Accessibility.getFullAXTree", enable: []string{"Accessibility"}, why: "reads what assistive technology is told"},
	{name: "Accessibility.getPartialAXTree", enable: []string{"Accessibility"}, node: "backendNodeId", why: "as above, for one element"},
	{name: "Accessibility.getRootAXNode", enable: []string{"Accessibility"}, why: "as above, for the root"},
	{name: "CSS.getComputedStyleForNode", enable: []string{"DOM", "CSS"}, node: "nodeId", why: "reads computed styles"},
	{name: "CSS.getInlineStylesForNode", enable: []string{"DOM", "CSS"}, node: "nodeId", why: "reads inline styles"},
	{name: "CSS.getMatchedStylesForNode", enable: []string{"DOM", "CSS"}, node: "nodeId", why: "reads the cascade"},
	{name: "DOM.describeNode", enable: []string{"DOM"}, node: "backendNodeId", why: "reads one node"},
	{name: "DOM.getBoxModel", enable: []string{"DOM"}, node: "backendNodeId", ours: true, why: "reads geometry"},
	{name: "DOM.getNodeForLocation", enable: []string{"DOM"}, ours: true, why: "reads which node is at a point"},
	{name: "Emulation.clearDeviceMetricsOverride", ours: true, why: "undoes an override"},
	{name: "Emulation.setCPUThrottlingRate", ours: true, why: "slows the page down"},
	{name: "Emulation.setDeviceMetricsOverride", ours: true, why: "sets size and scale"},
	{name: "Emulation.setEmulatedMedia", ours: true, why: "sets media type and features"},
	{name: "Emulation.setUserAgentOverride", ours: true, why: "sets what the browser calls itself"},
	{name: "Network.disable", ours: true, why: "accepted and not sent: the domain stays enabled"},
	{name: "Network.emulateNetworkConditions", ours: true, why: "slows the network down"},
	{name: "Network.enable", ours: true, why: "accepted and not sent: the domain is enabled"},
	{name: "Page.captureScreenshot", why: "a picture of the page"},
	{name: "Page.getLayoutMetrics", ours: true, why: "reads sizes of viewport and content"},
	{name: "Page.printToPDF", why: "the page on paper"},
	{name: "Performance.disable", ours: true, why: "ends measuring"},
	{name: "Performance.enable", ours: true, why: "begins measuring"},
	{name: "Performance.getMetrics", enable: []string{"Performance"}, ours: true, why: "reads counters"},
	{name: "Runtime.getProperties", node: "objectId", why: "reads the properties of one object"},
	{name: "Tracing.end", browser: true, why: "ends a trace"},
	{name: "Tracing.start", browser: true, ours: true, why: "begins a trace"},
}

// notSent are accepted for scripts that call them and have no effect.
var notSent = []string{"Network.enable", "Network.disable"}

func cdpRun(ctx context.Context, env *Env, in cdpIn) (Result, error) {
	if in.List || in.Method == "" || in.Method == "help" {
		return cdpList()
	}
	domain, name, ok := strings.Cut(in.Method, ".")
	if !ok || domain == "" || name == "" {
		return Result{}, api.Errorf(api.BadUsage, "browse cdp --list", "cdp: %s is not of the form Domain.method", quote(in.Method))
	}
	i := slices.IndexFunc(protocolMethods, func(m protocolMethod) bool { return m.name == in.Method })
	if i < 0 {
		return Result{}, api.Errorf(api.Forbidden, "browse cdp --list shows what is allowed", "DENIED: %s is not allowed, because everything is denied that is not on the list", quote(in.Method))
	}
	method := protocolMethods[i]
	params := map[string]json.RawMessage{}
	if in.Params != "" {
		if err := json.Unmarshal([]byte(in.Params), &params); err != nil {
			return Result{}, api.Errorf(api.BadUsage, `browse cdp `+in.Method+` '{"name": value}'`, "cdp: the parameters are no JSON object: %s", jsonTrouble(in.Params, err))
		}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	if slices.Contains(notSent, method.name) {
		return Result{Text: "{}", Ours: true}, nil
	}
	raw, err := callProtocol(ctx, env, method, params)
	if err != nil {
		return Result{}, err
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Write(raw)
	}
	return Result{Text: b.String(), Data: raw, Ours: method.ours}, nil
}

// callProtocol enables what a method needs, names its node, and calls it.
func callProtocol(ctx context.Context, env *Env, method protocolMethod, params map[string]json.RawMessage) (json.RawMessage, error) {
	f, err := env.Top()
	if err != nil {
		return nil, err
	}
	var el *page.Element
	if target, ok := params["target"]; ok {
		var words string
		if method.node == "" || json.Unmarshal(target, &words) != nil {
			return nil, api.Errorf(api.BadUsage, "browse cdp --list", "cdp: %s takes no \"target\" of that kind", method.name)
		}
		delete(params, "target")
		if el, err = find(ctx, env, words); err != nil {
			return nil, err
		}
		f = el.Frame
	}
	if method.browser {
		f = env.Tab.Main() // the page's session stands for the browser here
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		for _, d := range slices.Backward(method.enable) {
			if d != "Performance" { // the caller may have begun to measure on its own
				_, _ = f.Protocol(end, d+".disable", nil)
			}
		}
	}()
	for _, d := range method.enable {
		if _, err := f.Protocol(ctx, d+".enable", nil); err != nil {
			return nil, err
		}
	}
	if el != nil {
		h, ids, err := el.Node(ctx)
		if err != nil {
			return nil, err
		}
		defer h.Release()
		value, err := json.Marshal(map[string]any{"nodeId": ids.Node, "backendNodeId": ids.Backend, "objectId": ids.Object}[method.node])
		if err != nil {
			return nil, err
		}
		params[method.node] = value
	}
	return f.Protocol(ctx, method.name, params)
}

func cdpList() (Result, error) {
	type row struct {
		Method string `json:"method"`
		Scope  string `json:"scope"`
		Output string `json:"output"`
		Target string `json:"target,omitempty"`
		Why    string `json:"why"`
	}
	var b strings.Builder
	var data []row
	for _, m := range protocolMethods {
		r := row{m.name, "tab", "untrusted", m.node, m.why}
		if m.browser {
			r.Scope = "browser"
		}
		if m.ours {
			r.Output = "trusted"
		}
		data = append(data, r)
		target := ""
		if m.node != "" {
			target = "; takes \"target\""
		}
		fmt.Fprintf(&b, "%-38s %-8s %-10s %s%s\n", r.Method, r.Scope, r.Output, m.why, target)
	}
	return Result{Text: strings.TrimSuffix(b.String(), "\n"), Data: data, Ours: true}, nil
}
