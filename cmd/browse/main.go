// Browse is the thin client of the command-line browser.
package main

import (
	"os"

	"gstack/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
