package browser

import (
	"os"
	"path/filepath"
	"runtime"
)

// Before it opens an address of another program (foo:bar), Chromium on Linux
// asks xdg-settings whether itself is the program for that scheme. If so, it
// drops the address, as it would come back to it. If not, it asks the user in a
// dialog of its own, which nobody sees in a headless browser, which no protocol
// call closes, and which takes all input of the tab until the tab goes to
// another site. No flag or preference switches the dialog off for all schemes;
// the policy URLBlocklist does, but replaces the page by an error page. So
// Chromium gets an xdg-settings that says yes. (Chromium 156,
// chrome/browser/external_protocol/external_protocol_handler.cc.)
const settingsStandIn = "#!/bin/sh\necho yes\n"

// programs is the folder that Chromium looks for helpers in first.
func (p *profile) programs() string { return filepath.Join(p.dir, "bin") }

// standIn writes the helper. Where files of the folder cannot be run, the dialog
// appears as it would without it.
func (p *profile) standIn() error {
	if runtime.GOOS != "linux" {
		return nil
	}
	if err := os.MkdirAll(p.programs(), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.programs(), "xdg-settings"), []byte(settingsStandIn), 0o700)
}

// searchPath is the PATH of Chromium.
func (p *profile) searchPath(path string) string {
	if path == "" {
		path = "/usr/local/bin:/usr/bin:/bin"
	}
	return p.programs() + string(filepath.ListSeparator) + path
}
