package cli

import (
	_ "embed"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/workspace"
)

// verbs is generated from the registry: one section per verb with its help
// text. A line "=== name alias…" begins a section; the one without a name is
// the general usage, those named completion.<shell> are scripts. The first line
// of a verb's section is "stdin: never", "stdin: no-args" or "stdin: dash".
//
//go:embed verbs.txt
var verbs string

// section returns the text of a section, and whether there is one.
func section(name string) (string, bool) {
	for at := 0; ; {
		i := strings.Index(verbs[at:], "=== ")
		if i < 0 {
			return "", false
		}
		at += i
		if at > 0 && verbs[at-1] != '\n' {
			at += 4
			continue
		}
		head, body, _ := strings.Cut(verbs[at+4:], "\n")
		if names(head, name) {
			if end := strings.Index(body, "\n=== "); end >= 0 {
				body = body[:end+1]
			}
			return body, true
		}
		at += 4 + len(head)
	}
}

// names reports whether the words of a section's head have name among them.
func names(head, name string) bool {
	if name == "" || head == "" {
		return head == name
	}
	for head != "" {
		var w string
		w, head, _ = strings.Cut(head, " ")
		if w == name {
			return true
		}
	}
	return false
}

// stdinRule returns when the verb reads standard input.
func stdinRule(verb string) string {
	s, ok := section(verb)
	if !ok {
		return "never"
	}
	first, _, _ := strings.Cut(s, "\n")
	return strings.TrimPrefix(first, "stdin: ")
}

// answer returns what the client can say without a daemon: help, version,
// completion. ok is false for every other command.
func (v *invocation) answer() (text string, code int, ok bool, err *api.Error) {
	args := v.words()
	switch {
	case v.version:
		return "browse " + version(), 0, true, nil
	case v.verb == "" && (v.help || len(args) == 0):
		text, _ = section("")
		return text, 0, true, nil
	case v.verb == "help" && len(args) == 0:
		text, _ = section("")
		return text, 0, true, nil
	case v.verb == "help":
		return helpFor(args[0], true)
	case v.help:
		return helpFor(v.verb, false)
	case v.verb == "completion":
		return completion(args)
	}
	return "", 0, false, nil
}

// words are the arguments without --json, which these answers take anywhere.
func (v *invocation) words() []string {
	return slices.DeleteFunc(slices.Clone(v.args), func(a string) bool { return a == "--json" })
}

// topic is what the machine form of such an answer calls its command.
func (v *invocation) topic() string {
	if v.help || v.verb == "" {
		return "help"
	}
	return v.verb
}

// helpFor returns the help of one verb. For one that this build does not know
// "help x" asks the daemon, which may be newer and has a suggestion otherwise;
// "x --help" must not run x.
func helpFor(verb string, ask bool) (string, int, bool, *api.Error) {
	s, ok := section(verb)
	if !ok || strings.HasPrefix(verb, "completion.") {
		if ask {
			return "", 0, false, nil
		}
		return "", 0, false, api.Errorf(api.UnknownVerb, "browse help", "unknown command %q", verb)
	}
	_, body, _ := strings.Cut(s, "\n")
	return body, 0, true, nil
}

func completion(args []string) (string, int, bool, *api.Error) {
	if len(args) == 1 {
		if s, ok := section("completion." + args[0]); ok {
			return s, 0, true, nil
		}
	}
	return "", 0, false, api.Errorf(api.BadUsage, "browse completion bash", "completion wants one of bash, zsh, fish")
}

func version() string {
	if b := workspace.Build(); b != "" {
		return b
	}
	return "unknown"
}
