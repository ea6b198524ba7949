// Package docgen renders what is derived from the registry: the reference of
// the commands, the client's embedded help, shell completion and the JSON
// schemas. The renderers are pure; TestGenerated compares their output with the
// committed files, and go generate writes them.
package docgen

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"gstack/internal/command"
	"gstack/internal/knob"
)

//go:generate go test -count=1 -run TestGenerated -update .

const mark = "Generated from the registry by go generate ./... DO NOT EDIT."

// File is one generated file.
type File struct {
	// Path is relative to the module's root, with slashes.
	Path    string
	Content string
}

// Files renders everything that is derived.
func Files(specs []command.Spec, knobs []knob.Info) []File {
	return []File{
		{"docs/commands.md", Commands(specs)},
		{"docs/commands.schema.json", Schemas(specs)},
		{"docs/env.md", Environment(knobs)},
		{"internal/cli/verbs.txt", ClientTable(specs)},
	}
}

// Commands renders docs/commands.md.
func Commands(specs []command.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s -->\n\n# Commands\n\nFlags may stand before or after the command; `--` ends them.", mark)
	if names := command.FreeText(specs, "`"); names != "" {
		fmt.Fprintf(&b, " So does the text of\n%s: whatever follows its first word is text, `--json` too, so flags go before it.", names)
	}
	b.WriteString("\nA target is a ref from the last snapshot (`@e3`) or a selector.\n")
	b.WriteString("\n| Global flag | Meaning | Default |\n|---|---|---|\n")
	for _, f := range command.GlobalFields {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Synopsis(), f.Help, f.Default)
	}
	b.WriteString("\nThe client acts on these itself. They stand before the command or directly after it\n(`--version` before it only).\n\n| Flag of the client | Meaning |\n|---|---|\n")
	for _, f := range command.ClientFields {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Synopsis(), f.Help)
	}
	for _, g := range command.Groups(specs) {
		fmt.Fprintf(&b, "\n## %s\n", g)
		for _, s := range specs {
			if s.Group == g {
				b.WriteString("\n" + s.Markdown())
			}
		}
	}
	return b.String()
}

// Schemas renders docs/commands.schema.json: the JSON schema of every verb's
// arguments, by name.
func Schemas(specs []command.Spec) string {
	all := map[string]any{}
	for _, s := range specs {
		all[s.Name] = s.Schema()
	}
	j, err := json.MarshalIndent(map[string]any{"$comment": mark, "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": all}, "", "  ")
	if err != nil {
		panic(err) // strings, booleans and maps of them always encode
	}
	return string(j) + "\n"
}

// ClientTable renders the text that the thin client embeds: the overview, for
// each verb when it reads standard input and its help, and the completion
// scripts. A line "=== name alias…" begins a section.
func ClientTable(specs []command.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "=== \n%s", command.Overview(specs))
	for _, s := range specs {
		stdin := s.Stdin
		if stdin == command.StdinNever {
			stdin = "never"
		}
		names := strings.Join(append([]string{s.Name}, s.Aliases...), " ")
		fmt.Fprintf(&b, "=== %s\nstdin: %s\n%s", names, stdin, s.Help())
	}
	fmt.Fprintf(&b, "=== completion.bash\n%s=== completion.zsh\n%s=== completion.fish\n%s", Bash(specs), Zsh(specs), Fish(specs))
	return b.String()
}

// names returns the verbs in the order of the alphabet.
func names(specs []command.Spec) []string {
	var ns []string
	for _, s := range specs {
		ns = append(ns, s.Name)
	}
	sort.Strings(ns)
	return ns
}

func flags(s command.Spec) []string {
	var fs []string
	for _, f := range append(append([]command.Field{}, s.Fields...), command.GlobalFields...) {
		if f.Flag {
			fs = append(fs, "--"+f.Name)
		}
	}
	return fs
}

// Bash renders the completion script for bash.
func Bash(specs []command.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n# source <(browse completion bash)\n_browse() {\n  local cur=${COMP_WORDS[COMP_CWORD]} verb= i\n", mark)
	b.WriteString("  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac\n  done\n  case $verb in\n")
	fmt.Fprintf(&b, "    '') COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", strings.Join(names(specs), " "))
	for _, s := range specs {
		words := append(flags(s), enums(s)...)
		if s.Name == "help" {
			words = names(specs)
		}
		fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", s.Name, strings.Join(words, " "))
	}
	b.WriteString("  esac\n}\ncomplete -o default -F _browse browse\n")
	return b.String()
}

func enums(s command.Spec) []string {
	var es []string
	for _, f := range s.Fields {
		es = append(es, f.Enum...)
	}
	return es
}

// Zsh renders the completion script for zsh.
func Zsh(specs []command.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef browse\n# %s\n_browse() {\n  local -a verbs\n  verbs=(\n", mark)
	for _, s := range specs {
		fmt.Fprintf(&b, "    '%s:%s'\n", s.Name, shellQuote(s.Summary))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command verbs\n    return\n  fi\n  case ${words[2]} in\n")
	for _, s := range specs {
		fmt.Fprintf(&b, "    %s) _arguments", s.Name)
		for _, f := range s.Fields {
			if f.Flag {
				fmt.Fprintf(&b, " '--%s[%s]'", f.Name, strings.NewReplacer("[", "(", "]", ")", ":", " ").Replace(shellQuote(f.Help)))
			}
		}
		b.WriteString(" '*:file:_files' ;;\n")
	}
	b.WriteString("  esac\n}\n_browse \"$@\"\n")
	return b.String()
}

// Fish renders the completion script for fish.
func Fish(specs []command.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\ncomplete -c browse -f\n", mark)
	for _, s := range specs {
		fmt.Fprintf(&b, "complete -c browse -n __fish_use_subcommand -a %s -d '%s'\n", s.Name, shellQuote(s.Summary))
		for _, f := range s.Fields {
			if !f.Flag {
				continue
			}
			fmt.Fprintf(&b, "complete -c browse -n '__fish_seen_subcommand_from %s' -l %s", s.Name, f.Name)
			if f.Short != "" {
				fmt.Fprintf(&b, " -s %s", f.Short)
			}
			fmt.Fprintf(&b, " -d '%s'\n", shellQuote(f.Help))
		}
	}
	return b.String()
}

func shellQuote(s string) string { return strings.ReplaceAll(s, "'", `'\''`) }

// Environment renders docs/env.md.
func Environment(knobs []knob.Info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s -->\n\n# Environment variables\n\n| Variable | Values | Default | Read by | Meaning |\n|---|---|---|---|---|\n", mark)
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	for _, k := range knobs {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", k.Name, cell(k.Type), cell(k.Default), k.Side, cell(k.Doc))
	}
	return b.String()
}
