package knob

// The entries are composite literals of constants, so that the linker lays them
// out and no program runs a line of code for them at its start.

// Workspace and daemon.
var (
	StateFile    = &Text{Info{"BROWSE_STATE_FILE", "path", "", "state file of the workspace; the default is .gstack/browse.json in the top folder of the git work tree, or in the current folder", Both, false}}
	Home         = &Text{Info{"GSTACK_HOME", "path", "", "folder for configuration, profiles and skills; the default is ~/.gstack", Both, false}}
	Port         = &Number{Info{"BROWSE_PORT", "0..65535", "0", "fixed port of the local listener; 0 picks one from 10000 to 49150", Daemon, false}, 0, 65535, 0}
	IdleTimeout  = &Millis{Info{"BROWSE_IDLE_TIMEOUT", "milliseconds", "1800000", "the daemon stops after this long without a command; 0 means never", Daemon, false}, 0, 1800000}
	StartTimeout = &Millis{Info{"BROWSE_START_TIMEOUT", "milliseconds", "15000", "how long a call waits for a new daemon; 30000 when CI is set; a bad value means the default", Client, false}, 1, 15000}
	NoAutostart  = &Flag{Info{"BROWSE_NO_AUTOSTART", "1", "", "never start a daemon, fail when there is none", Client, false}}
	AuthToken    = &Text{Info{"AUTH_TOKEN", "text", "", "root token chosen by an embedding program, at least 16 visible characters; the default is random", Daemon, true}}
	Debug        = &Flag{Info{"BROWSE_DEBUG", "1", "", "more detail in the daemon log", Daemon, false}}
	ParentPID    = &Number{Info{"BROWSE_PARENT_PID", "0..2147483647", "0", "accepted and not used: a daemon outlives the call that started it", Daemon, false}, 0, 2147483647, 0}
	ServerScript = &Text{Info{"BROWSE_SERVER_SCRIPT", "path", "", "accepted and not used: the daemon is the program browsed beside browse", Client, false}}
	Supervise    = &Flag{Info{"BROWSE_SUPERVISE", "1", "", "connect keeps the daemon running", Client, false}}
)

// One call.
var (
	Tab     = &Number{Info{"BROWSE_TAB", "0..2147483647", "0", "tab that commands act on, as --tab-id does; 0 means the current one", Client, false}, 0, 2147483647, 0}
	Session = &Text{Info{"BROWSE_SESSION", "name", "default", "client session, as --session does", Client, false}}
	Raw     = &Flag{Info{"BROWSE_RAW", "1", "", "page content without the envelope, as --raw does", Client, false}}
)

// Browser.
var (
	MaxBytes       = &Number{Info{"BROWSE_MAX_BYTES", "bytes", "262144", "cut page content after this many bytes, 0 never; as --max-bytes", Client, false}, 0, 1 << 40, 262144}
	Headed         = &Flag{Info{"BROWSE_HEADED", "1", "", "start the browser with a window, as --headed does", Both, false}}
	HeadlessSkip   = &Flag{Info{"BROWSE_HEADLESS_SKIP", "1", "", "start no browser; for tests of the HTTP surface", Daemon, false}}
	ProxyURL       = &Text{Info{"BROWSE_PROXY_URL", "socks5, http or https URL", "", "proxy of the browser, as --proxy does", Both, true}}
	ProxyUser      = &Text{Info{"BROWSE_PROXY_USER", "text", "", "user name for the proxy, when its URL has none", Both, true}}
	ProxyPass      = &Text{Info{"BROWSE_PROXY_PASS", "text", "", "password for the proxy, when its URL has none", Both, true}}
	ConfigHash     = &Text{Info{"BROWSE_CONFIG_HASH", "hex", "", "accepted and not used: the daemon computes the hash itself", Daemon, false}}
	ChromiumPath   = &Text{Info{"GSTACK_CHROMIUM_PATH", "path", "", "Chromium to use instead of the one that is found", Daemon, false}}
	ChromiumKind   = &Text{Info{"GSTACK_CHROMIUM_KIND", "text", "", "custom-extension-baked says that the Chromium has our extension built in", Daemon, false}}
	ChromiumProf   = &Text{Info{"CHROMIUM_PROFILE", "path", "", "profile folder of the headed browser; the default is chromium-profile in GSTACK_HOME", Daemon, false}}
	NoSandbox      = &Flag{Info{"GSTACK_CHROMIUM_NO_SANDBOX", "1", "", "run Chromium without its sandbox; already so for root, in CI and in containers", Daemon, false}}
	ExtensionsDir  = &Text{Info{"BROWSE_EXTENSIONS_DIR", "path", "", "unpacked extension to load", Daemon, false}}
	CDPURL         = &Text{Info{"BROWSE_CDP_URL", "ws or http URL", "", "attach to a browser that runs already", Daemon, true}}
	CDPPort        = &Number{Info{"BROWSE_CDP_PORT", "0..65535", "0", "attach to the browser on this local debugging port; 0 means none", Daemon, false}, 0, 65535, 0}
	Stealth        = &Enum{Info{"GSTACK_STEALTH", "extended|1|true|0|false", "", "hide more of what tells an automated browser", Daemon, false}, []string{"extended", "1", "true", "0", "false"}}
	CDPStealth     = &Text{Info{"GSTACK_CDP_STEALTH", "text", "", "stealth patches that the custom Chromium applies itself", Daemon, false}}
	GPUVendor      = &Text{Info{"GSTACK_GPU_VENDOR", "text", "", "WebGL vendor to report in stealth mode", Daemon, false}}
	GPURenderer    = &Text{Info{"GSTACK_GPU_RENDERER", "text", "", "WebGL renderer to report in stealth mode", Daemon, false}}
	Platform       = &Text{Info{"GSTACK_PLATFORM", "text", "", "navigator.platform to report in stealth mode", Daemon, false}}
	HWConcurrency  = &Number{Info{"GSTACK_HW_CONCURRENCY", "1..1024", "8", "processor count to report in stealth mode", Daemon, false}, 1, 1024, 8}
	DeviceMemory   = &Number{Info{"GSTACK_DEVICE_MEMORY", "1..1024", "8", "memory in GiB to report in stealth mode", Daemon, false}, 1, 1024, 8}
	MaxHTMLBytes   = &Number{Info{"GSTACK_BROWSE_MAX_HTML_BYTES", "1..2147483647", "52428800", "largest page that load-html takes, in bytes", Daemon, false}, 1, 2147483647, 52428800}
	PersistState   = &Flag{Info{"BROWSE_PERSIST_STATE", "1", "", "keep cookies and tabs over restarts of the daemon", Daemon, false}}
	PersistEvery   = &Millis{Info{"BROWSE_PERSIST_INTERVAL_MS", "milliseconds", "30000", "how often the state is saved with BROWSE_PERSIST_STATE", Daemon, false}, 1000, 30000}
	ContentFilter  = &Enum{Info{"BROWSE_CONTENT_FILTER", "off|warn|block", "warn", "what happens to suspicious page content for scoped tokens", Daemon, false}, []string{"off", "warn", "block"}}
	TelemetryOff   = &Flag{Info{"GSTACK_TELEMETRY_OFF", "1", "", "no telemetry, whatever the configuration says", Both, false}}
	EditorProgram  = &Text{Info{"EDITOR", "program", "vi", "editor of domain-skill edit", Client, false}}
	ProjectSlug    = &Text{Info{"GSTACK_PROJECT_SLUG", "name", "", "project that domain skills are filed under", Both, false}}
	WelcomeSlug    = &Text{Info{"GSTACK_SLUG", "name", "", "project whose welcome page is shown", Daemon, false}}
	SkillRoot      = &Text{Info{"GSTACK_SKILL_ROOT", "path", "", "folder of the installed skills", Both, false}}
	SkillPort      = &Number{Info{"GSTACK_PORT", "0..65535", "0", "set for spawned skills: port of the daemon", Gstack, false}, 0, 65535, 0}
	SkillToken     = &Text{Info{"GSTACK_SKILL_TOKEN", "text", "", "set for spawned skills: their scoped token", Gstack, true}}
	SuperviseTick  = &Millis{Info{"GSTACK_SUPERVISOR_TICK_MS", "milliseconds", "30000", "how often connect --supervise looks at the daemon", Client, false}, 1, 30000}
	SuperviseSteps = &Text{Info{"GSTACK_SUPERVISOR_BACKOFF", "milliseconds, comma separated", "1000,2000,4000,8000,30000", "pauses of connect --supervise between starts", Client, false}}
)

// Tunnel and terminal.
var (
	Tunnel          = &Flag{Info{"BROWSE_TUNNEL", "1", "", "open the tunnel when the daemon starts", Daemon, false}}
	TunnelLocalOnly = &Flag{Info{"BROWSE_TUNNEL_LOCAL_ONLY", "1", "", "bind the tunnel's listener without a tunnel; for tests", Daemon, false}}
	NgrokToken      = &Text{Info{"NGROK_AUTHTOKEN", "text", "", "token of the tunnel provider", Daemon, true}}
	NgrokDomain     = &Text{Info{"NGROK_DOMAIN", "host name", "", "fixed host name of the tunnel", Daemon, false}}
	PairAgent       = &Enum{Info{"GSTACK_PAIR_AGENT", "on|off", "", "consent to pairing, over the stored one", Both, false}, []string{"on", "off"}}
	AgentTick       = &Millis{Info{"GSTACK_AGENT_WATCHDOG_TICK_MS", "milliseconds", "60000", "how often the terminal is looked at", Daemon, false}, 1, 60000}
	LeaseTTL        = &Millis{Info{"GSTACK_PTY_LEASE_TTL_MS", "milliseconds", "1800000", "life of a terminal lease", Daemon, false}, 1, 1800000}
	KeepAlive       = &Millis{Info{"GSTACK_PTY_KEEPALIVE_INTERVAL_MS", "milliseconds", "25000", "pause between pings of a terminal", Daemon, false}, 1, 25000}
	RingBytes       = &Number{Info{"GSTACK_PTY_RING_BUFFER_BYTES", "1..1073741824", "1048576", "terminal output kept for a reattach, in bytes", Daemon, false}, 1, 1073741824, 1048576}
	DetachWindow    = &Millis{Info{"GSTACK_PTY_DETACH_WINDOW_MS", "milliseconds", "60000", "how long a detached terminal lives", Daemon, false}, 0, 60000}
	OwnerTick       = &Millis{Info{"GSTACK_TERMINAL_OWNER_WATCHDOG_MS", "milliseconds", "15000", "how often the terminal looks for its owner", Daemon, false}, 1, 15000}
	OwnerPID        = &Number{Info{"BROWSE_OWNER_PID", "0..2147483647", "0", "set for the terminal: pid of its owner", Daemon, false}, 0, 2147483647, 0}
	ServerPort      = &Number{Info{"BROWSE_SERVER_PORT", "0..65535", "0", "set for the terminal: port of the daemon", Daemon, false}, 0, 65535, 0}
	ExtensionID     = &Text{Info{"BROWSE_EXTENSION_ID", "text", "", "extension that may open the terminal", Daemon, false}}
	TerminalBinary  = &Text{Info{"BROWSE_TERMINAL_BINARY", "path", "", "program that the terminal runs", Daemon, false}}
)

// Read for what they mean elsewhere.
var (
	Display   = &Text{Info{"DISPLAY", "text", "", "X display of a headed browser", Daemon, false}}
	Wayland   = &Text{Info{"WAYLAND_DISPLAY", "text", "", "Wayland display of a headed browser", Daemon, false}}
	CI        = &Text{Info{"CI", "text", "", "set in continuous integration: longer start timeout, no Chromium sandbox", Both, false}}
	Container = &Text{Info{"CONTAINER", "text", "", "set in containers: no Chromium sandbox", Daemon, false}}
	UserHome  = &Text{Info{"HOME", "path", "", "home folder", Both, false}}
)

// all is the list in the order of documentation; a test compares it with the
// variables above.
var all = []entry{
	StateFile, Home, Port, IdleTimeout, StartTimeout, NoAutostart, AuthToken, Debug, ParentPID, ServerScript,
	Supervise, Tab, Session, Raw, MaxBytes, Headed, HeadlessSkip, ProxyURL, ProxyUser, ProxyPass, ConfigHash, ChromiumPath,
	ChromiumKind, ChromiumProf, NoSandbox, ExtensionsDir, CDPURL, CDPPort, Stealth, CDPStealth, GPUVendor,
	GPURenderer, Platform, HWConcurrency, DeviceMemory, MaxHTMLBytes, PersistState, PersistEvery, ContentFilter,
	TelemetryOff, EditorProgram, ProjectSlug, WelcomeSlug, SkillRoot, SkillPort, SkillToken, SuperviseTick,
	SuperviseSteps, Tunnel, TunnelLocalOnly, NgrokToken, NgrokDomain, PairAgent, AgentTick, LeaseTTL, KeepAlive,
	RingBytes, DetachWindow, OwnerTick, OwnerPID, ServerPort, ExtensionID, TerminalBinary, Display, Wayland, CI,
	Container, UserHome,
}
