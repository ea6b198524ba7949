// Browsed is the daemon behind browse.
package main

import (
	"os"

	"gstack/internal/engine"
)

func main() { os.Exit(engine.Main()) }
