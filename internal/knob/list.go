package knob

// The entries are composite literals of constants, so that the linker lays them
// out and no program runs a line of code for them at its start.

// Workspace and daemon.
var (
	StateFile       = &Text{Info{"BROWSE_STATE_FILE", "path", "", "state file of the workspace; the default is .gstack/browse.json in the top folder of the git work tree, or in the current folder", Both, false}}
	Home            = &Text{Info{"GSTACK_HOME", "path", "", "folder for configuration, profiles and skills; the default is ~/.gstack", Both, false}}
	Port            = &Number{Info{"BROWSE_PORT", "0..65535", "0", "fixed port of the local listener; 0 picks one from 10000 to 49150", Daemon, false}, 0, 65535, 0}
	IdleTimeout     = &Millis{Info{"BROWSE_IDLE_TIMEOUT", "milliseconds", "1800000", "the daemon stops after this long without a command; 0 means never", Daemon, false}, 0, 1800000}
	StartTimeout    = &Millis{Info{"BROWSE_START_TIMEOUT", "milliseconds", "15000", "how long a call waits for a new daemon; 30000 when CI is set; a bad value means the default", Client, false}, 1, 15000}
	NoAutostart     = &Flag{Info{"BROWSE_NO_AUTOSTART", "1", "", "never start a daemon, fail when there is none", Client, false}}
	StateKey        = &Text{Info{"BROWSE_STATE_KEY", "text", "", "passphrase with which saved states are encrypted", Daemon, true}}
	PersistState    = &Flag{Info{"BROWSE_PERSIST_STATE", "1", "", "keep logins and open pages over restarts of the daemon", Daemon, false}}
	PersistInterval = &Millis{Info{"BROWSE_PERSIST_INTERVAL_MS", "milliseconds", "30000", "how often they are written while commands run", Daemon, false}, 100, 30000}
	AuthToken       = &Text{Info{"AUTH_TOKEN", "text", "", "root token chosen by an embedding program, at least 16 visible characters; the default is random", Daemon, true}}
	Debug           = &Flag{Info{"BROWSE_DEBUG", "1", "", "more detail in the daemon log", Daemon, false}}
	ParentPID       = &Number{Info{"BROWSE_PARENT_PID", "0..2147483647", "0", "accepted and not used: a daemon outlives the call that started it", Daemon, false}, 0, 2147483647, 0}
	ServerScript    = &Text{Info{"BROWSE_SERVER_SCRIPT", "path", "", "accepted and not used: the daemon is the program browsed beside browse", Client, false}}
)

// One call.
var (
	Tab      = &Number{Info{"BROWSE_TAB", "0..2147483647", "0", "tab that commands act on, as --tab-id does; 0 means the current one", Client, false}, 0, 2147483647, 0}
	Session  = &Text{Info{"BROWSE_SESSION", "name", "default", "client session, as --session does", Client, false}}
	Raw      = &Flag{Info{"BROWSE_RAW", "1", "", "page content without the envelope, as --raw does", Client, false}}
	MaxBytes = &Number{Info{"BROWSE_MAX_BYTES", "bytes", "262144", "cut page content after this many bytes, 0 never; as --max-bytes", Client, false}, 0, 1 << 40, 262144}
)

// Browser.
var (
	Headed       = &Flag{Info{"BROWSE_HEADED", "1", "", "start the browser with a window, as --headed does", Both, false}}
	HeadlessSkip = &Flag{Info{"BROWSE_HEADLESS_SKIP", "1", "", "start no browser; for tests of the HTTP surface", Daemon, false}}
	ProxyURL     = &Text{Info{"BROWSE_PROXY_URL", "socks5, http or https URL", "", "proxy of the browser, as --proxy does", Both, true}}
	ProxyUser    = &Text{Info{"BROWSE_PROXY_USER", "text", "", "user name for the proxy, when its URL has none", Both, true}}
	ProxyPass    = &Text{Info{"BROWSE_PROXY_PASS", "text", "", "password for the proxy, when its URL has none", Both, true}}
	MaxDownload  = &Number{Info{"BROWSE_MAX_DOWNLOAD_BYTES", "bytes", "209715200", "the largest download that is kept; a larger one is cancelled; 0 means any size", Daemon, false}, 0, 1 << 50, 200 << 20}
	MaxHTML      = &Number{Info{"GSTACK_BROWSE_MAX_HTML_BYTES", "bytes", "52428800", "the largest document that load-html takes", Daemon, false}, 1, 1 << 30, 50 << 20}
	ConfigHash   = &Text{Info{"BROWSE_CONFIG_HASH", "hex", "", "accepted and not used: the daemon computes the hash itself", Daemon, false}}
	ChromiumPath = &Text{Info{"GSTACK_CHROMIUM_PATH", "path", "", "Chromium to use instead of the one that is found", Daemon, false}}
	NoSandbox    = &Flag{Info{"GSTACK_CHROMIUM_NO_SANDBOX", "1", "", "run Chromium without its sandbox; already so for root, in CI and in containers", Daemon, false}}
	PublicOnly   = &Flag{Info{"BROWSE_PUBLIC_ONLY", "1", "", "open public addresses only: neither this machine nor private networks", Daemon, false}}
	SystemDNS    = &Flag{Info{"BROWSE_SYSTEM_DNS", "1", "", "let the browser resolve names by the system; a name may then stand for an address that may not be opened", Daemon, false}}
	CDPURL       = &Text{Info{"BROWSE_CDP_URL", "ws or http URL", "", "attach to a browser that runs already", Daemon, true}}
	CDPPort      = &Number{Info{"BROWSE_CDP_PORT", "0..65535", "0", "attach to the browser on this local debugging port; 0 means none", Daemon, false}, 0, 65535, 0}
)

// Read for what they mean elsewhere.
var (
	CI        = &Text{Info{"CI", "text", "", "set in continuous integration: longer start timeout, no Chromium sandbox", Both, false}}
	Container = &Text{Info{"CONTAINER", "text", "", "set in containers: no Chromium sandbox", Daemon, false}}
	UserHome  = &Text{Info{"HOME", "path", "", "home folder", Both, false}}
)

// all is the list in the order of documentation; a test compares it with the
// variables above.
var all = []entry{
	StateFile, Home, Port, IdleTimeout, StartTimeout, NoAutostart, StateKey, PersistState, PersistInterval, AuthToken, Debug, ParentPID, ServerScript,
	Tab, Session, Raw, MaxBytes, Headed, HeadlessSkip, ProxyURL, ProxyUser, ProxyPass, MaxDownload, MaxHTML, ConfigHash, ChromiumPath,
	NoSandbox, PublicOnly, SystemDNS, CDPURL, CDPPort, CI, Container, UserHome,
}
