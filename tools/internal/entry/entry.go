// Package entry is how the programs in tools start and end.
package entry

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Main runs a program until it ends or the user interrupts it. An error is printed
// after the program's name and makes the exit code 1.
func Main(name string, run func(context.Context) error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}
