package command

import (
	"fmt"
	"reflect"
	"strings"
)

// Help returns the help text of one verb.
func (s Spec) Help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  browse %s\n", s.Summary, s.Usage())
	if s.Doc != "" {
		fmt.Fprintf(&b, "\n%s\n", s.Doc)
	}
	if s.FreeText {
		fmt.Fprintf(&b, "\n%s\n", freeText)
	}
	if len(s.Fields) > 0 {
		b.WriteString("\n")
		w := 0
		for _, f := range s.Fields {
			w = max(w, len(f.Synopsis()))
		}
		for _, f := range s.Fields {
			fmt.Fprintf(&b, "  %-*s  %s%s\n", w, f.Synopsis(), f.Help, f.suffix())
		}
	}
	if len(s.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		for _, e := range s.Examples {
			fmt.Fprintf(&b, "  browse %s\n", e)
		}
	}
	if len(s.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAlso: %s\n", strings.Join(s.Aliases, ", "))
	}
	fmt.Fprintf(&b, "\nDeadline %s, --timeout changes it. Global flags: browse help\n", s.Deadline())
	return b.String()
}

func (f Field) suffix() string {
	var parts []string
	if f.Enum != nil {
		parts = append(parts, strings.Join(f.Enum, ", "))
	}
	if f.Default != "" {
		parts = append(parts, "default "+f.Default)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// freeText is the rule of verbs with [Spec.FreeText].
const freeText = "Flags go before the text: from its first word on, every word is text."

// FreeText returns the names of the verbs whose text ends the flags, in the order
// of the registry, each between two marks: "fill and type".
func FreeText(specs []Spec, mark string) string {
	var names []string
	for _, s := range specs {
		if s.FreeText {
			names = append(names, mark+s.Name+mark)
		}
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return strings.Join(names, "")
}

// ClientFields are the flags that the client acts on and the daemon never sees.
// All stand before the command; all but --version also directly after it.
var ClientFields = []Field{
	{Name: "force-restart", Flag: true, Kind: reflect.Bool, Help: "replace a daemon that does not answer; its tabs are lost"},
	{Name: "headed", Flag: true, Kind: reflect.Bool, Help: "show the browser window (when the daemon starts)"},
	{Name: "proxy", Flag: true, Kind: reflect.String, Value: "URL", Help: "socks5, http or https proxy (when the daemon starts)"},
	{Name: "version", Flag: true, Kind: reflect.Bool, Help: "print the version"},
	{Name: "help", Short: "h", Flag: true, Kind: reflect.Bool, Help: "print the general help, or that of a command"},
}

// Overview returns the general usage text: all verbs by group, global flags.
func Overview(specs []Spec) string {
	var b strings.Builder
	b.WriteString("browse: a command-line browser for agents and people\n\n  browse [global flags] <command> [args]\n")
	for _, g := range Groups(specs) {
		fmt.Fprintf(&b, "\n%s\n", g)
		for _, s := range specs {
			if s.Group == g {
				fmt.Fprintf(&b, "  %-12s %s\n", s.Name, s.Summary)
			}
		}
	}
	b.WriteString("\nGlobal flags (before or after the command; -- ends flags")
	if names := FreeText(specs, ""); names != "" {
		b.WriteString(", and so does the\ntext of " + names)
	}
	b.WriteString(")\n")
	for _, f := range GlobalFields {
		fmt.Fprintf(&b, "  %-22s %s%s\n", f.Synopsis(), f.Help, f.suffix())
	}
	b.WriteString("\nFlags of the client (before the command or directly after it)\n")
	for _, f := range ClientFields {
		fmt.Fprintf(&b, "  %-22s %s\n", f.Synopsis(), f.Help)
	}
	b.WriteString(`
browse help <command> explains one command. A target is a ref from the last
snapshot (@e3) or a selector ('#save', 'text=Save', 'role=button[name="Save"]').
Exit codes: 0 done or true, 1 failed or false, 2 usage, 3 element, 4 denied,
5 timed out, 6 browser or daemon unavailable.
`)
	return b.String()
}

// Groups returns the groups of the registry in its order.
func Groups(specs []Spec) []string {
	var gs []string
	for _, s := range specs {
		if !contains(gs, s.Group) {
			gs = append(gs, s.Group)
		}
	}
	return gs
}

// Markdown returns the section of one verb for docs/commands.md.
func (s Spec) Markdown() string {
	var b strings.Builder
	reach := "local only"
	if s.Tunnel {
		reach = "local and tunnel"
	}
	effect := map[Effect]string{Writes: "writes", Reads: "reads", Serves: "meta"}[s.Effect]
	output := map[Trust]string{Page: "page content (enveloped)", Value: "a value of the page", Ack: "our words, quoting the page", Ours: "our words"}[s.Output]
	fmt.Fprintf(&b, "### %s\n\n%s. Scope: %s; %s; %s; output: %s; deadline %s", s.Name, s.Summary, s.Scope, reach, effect, output, s.Deadline())
	if s.Nestable {
		b.WriteString("; may be a step of chain")
	}
	b.WriteString(".\n")
	if len(s.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAlso: `%s`.\n", strings.Join(s.Aliases, "`, `"))
	}
	fmt.Fprintf(&b, "\n    browse %s\n", s.Usage())
	if s.Doc != "" {
		fmt.Fprintf(&b, "\n%s\n", s.Doc)
	}
	if s.FreeText {
		fmt.Fprintf(&b, "\n%s\n", freeText)
	}
	if len(s.Fields) > 0 {
		b.WriteString("\n| Argument | Values | Meaning |\n|---|---|---|\n")
	}
	for _, f := range s.Fields {
		vals := strings.Join(f.Enum, ", ")
		if f.Default != "" {
			vals = strings.TrimPrefix(vals+"; default "+f.Default, "; ")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(f.Synopsis(), "|", `\|`), vals, strings.ReplaceAll(f.Help, "|", `\|`))
	}
	for i, e := range s.Examples {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "    $ browse %s\n", e)
	}
	return b.String()
}

// Schema returns the JSON schema of a verb's arguments.
func (s Spec) Schema() map[string]any {
	props, required := map[string]any{}, []string{}
	for _, f := range s.Fields {
		p := map[string]any{"description": f.Help}
		switch {
		case f.Kind == reflect.Bool:
			p["type"] = "boolean"
		case f.Duration, f.Kind == reflect.Float64:
			p["type"] = "number"
		case f.Kind == reflect.Int:
			p["type"] = "integer"
		case f.Kind == reflect.Slice:
			p["type"], p["items"] = "array", map[string]any{"type": "string"}
		default:
			p["type"] = "string"
		}
		if f.Enum != nil {
			p["enum"] = f.Enum
		}
		if f.Default != "" {
			p["default"] = f.Default
		}
		props[f.Name] = p
		if !f.Flag && !f.Optional {
			required = append(required, f.Name)
		}
	}
	return map[string]any{
		"title": s.Name, "description": s.Summary, "type": "object",
		"properties": props, "required": required, "additionalProperties": false,
	}
}
