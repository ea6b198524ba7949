// Browsed is the daemon behind browse.
package main

import (
	"os"

	"gstack/internal/daemon"
	"gstack/internal/engine"
)

func main() { os.Exit(daemon.Main(engine.New)) }
