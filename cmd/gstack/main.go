// The gstack command is what surrounds the browser. It prints what is derived
// from the registry of commands.
package main

import (
	"fmt"
	"io"
	"os"

	"gstack/internal/docgen"
	"gstack/internal/knob"
	"gstack/internal/verbs"
)

const usage = `gstack: what surrounds the browser

  gstack commands   the reference of browse's commands, as Markdown
  gstack schema     the JSON schema of every command's arguments
  gstack env        the environment variables, as Markdown
`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errw io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
		fmt.Fprint(out, usage)
		return 0
	}
	text := ""
	switch args[0] {
	case "commands":
		text = docgen.Commands(verbs.Specs())
	case "schema":
		text = docgen.Schemas(verbs.Specs())
	case "env":
		text = docgen.Environment(knob.All())
	default:
		fmt.Fprintf(errw, "error: unknown command %q\nhint: gstack help\n", args[0])
		return 2
	}
	if _, err := io.WriteString(out, text); err != nil {
		return 1
	}
	return 0
}
