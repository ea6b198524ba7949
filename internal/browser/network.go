package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Network restricts which hosts a browser can reach. The zero value does not.
type Network struct {
	// Rules are those of --host-resolver-rules: they apply to literal addresses,
	// too, and to every request that is not left to a proxy.
	Rules []string
	// Direct are hosts that are never left to a proxy, in the form of
	// --proxy-bypass-list, so that the rules apply to them.
	Direct []string
	// Resolver is the URI template of the DNS-over-HTTPS server that is asked for
	// names, and none else (RFC 8484); Pin is the SHA-256 hash of its public key,
	// in base64. Headless shells do not know the setting and ask the system.
	Resolver, Pin string
}

func (n Network) flags() []string {
	var args []string
	if len(n.Rules) > 0 {
		args = append(args, "--host-resolver-rules="+strings.Join(n.Rules, ","))
	}
	if n.Pin != "" {
		args = append(args, "--ignore-certificate-errors-spki-list="+n.Pin)
	}
	return args
}

func (n Network) bypass(list string) string {
	if len(n.Direct) == 0 {
		return list
	}
	direct := strings.Join(n.Direct, ";")
	if list == "" {
		return direct
	}
	return list + ";" + direct
}

// localState is Chromium's file of settings that do not belong to a profile.
const localState = "Local State"

// prefer writes the resolver into the settings of the user data in dir, which
// may have some already.
func (n Network) prefer(dir string) error {
	if n.Resolver == "" {
		return nil
	}
	path := filepath.Join(dir, localState)
	state := map[string]any{}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return profileError(dir, err)
	case json.Unmarshal(data, &state) != nil:
		state = map[string]any{} // Chromium would begin anew, too
	}
	state["dns_over_https"] = map[string]string{"mode": "secure", "templates": n.Resolver}
	if data, err = json.Marshal(state); err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		return profileError(dir, fmt.Errorf("%s: %w", localState, err))
	}
	return nil
}
