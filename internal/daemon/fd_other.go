//go:build !unix

package daemon

// closeOnExec does nothing: no daemon starts here.
func closeOnExec(int) {}
