package knob

import "time"

// Workspace and daemon.
var (
	StateFile    = text(Both, "BROWSE_STATE_FILE", "path", "", "state file of the workspace; the default is .gstack/browse.json in the top folder of the git work tree, or in the current folder")
	Home         = text(Both, "GSTACK_HOME", "path", "", "folder for configuration, profiles and skills; the default is ~/.gstack")
	Port         = number(Daemon, "BROWSE_PORT", 0, 65535, 0, "fixed port of the local listener; 0 picks one from 10000 to 49150")
	IdleTimeout  = millis(Daemon, "BROWSE_IDLE_TIMEOUT", 0, 30*time.Minute, "the daemon stops after this long without a command; 0 means never")
	StartTimeout = millis(Client, "BROWSE_START_TIMEOUT", 1, 15*time.Second, "how long a call waits for a new daemon; 30000 when CI is set; a bad value means the default")
	NoAutostart  = flag(Client, "BROWSE_NO_AUTOSTART", "never start a daemon, fail when there is none")
	AuthToken    = secret(Daemon, "AUTH_TOKEN", "text", "root token chosen by an embedding program, at least 16 visible characters; the default is random")
	Debug        = flag(Daemon, "BROWSE_DEBUG", "more detail in the daemon log")
	ParentPID    = number(Daemon, "BROWSE_PARENT_PID", 0, 1<<31-1, 0, "accepted and not used: a daemon outlives the call that started it")
	ServerScript = text(Client, "BROWSE_SERVER_SCRIPT", "path", "", "accepted and not used: the daemon is the program browsed beside browse")
	Supervise    = flag(Client, "BROWSE_SUPERVISE", "connect keeps the daemon running")
)

// One call.
var (
	Tab     = number(Client, "BROWSE_TAB", 0, 1<<31-1, 0, "tab that commands act on, as --tab-id does; 0 means the current one")
	Session = text(Client, "BROWSE_SESSION", "name", "default", "client session, as --session does")
	Raw     = flag(Client, "BROWSE_RAW", "page content without the envelope, as --raw does")
)

// Browser.
var (
	Headed         = flag(Both, "BROWSE_HEADED", "start the browser with a window, as --headed does")
	HeadlessSkip   = flag(Daemon, "BROWSE_HEADLESS_SKIP", "start no browser; for tests of the HTTP surface")
	ProxyURL       = secret(Both, "BROWSE_PROXY_URL", "socks5, http or https URL", "proxy of the browser, as --proxy does")
	ProxyUser      = secret(Both, "BROWSE_PROXY_USER", "text", "user name for the proxy, when its URL has none")
	ProxyPass      = secret(Both, "BROWSE_PROXY_PASS", "text", "password for the proxy, when its URL has none")
	ConfigHash     = text(Daemon, "BROWSE_CONFIG_HASH", "hex", "", "accepted and not used: the daemon computes the hash itself")
	ChromiumPath   = text(Daemon, "GSTACK_CHROMIUM_PATH", "path", "", "Chromium to use instead of the one that is found")
	ChromiumKind   = text(Daemon, "GSTACK_CHROMIUM_KIND", "text", "", "custom-extension-baked says that the Chromium has our extension built in")
	ChromiumProf   = text(Daemon, "CHROMIUM_PROFILE", "path", "", "profile folder of the headed browser; the default is chromium-profile in GSTACK_HOME")
	NoSandbox      = flag(Daemon, "GSTACK_CHROMIUM_NO_SANDBOX", "run Chromium without its sandbox; already so for root, in CI and in containers")
	ExtensionsDir  = text(Daemon, "BROWSE_EXTENSIONS_DIR", "path", "", "unpacked extension to load")
	CDPURL         = secret(Daemon, "BROWSE_CDP_URL", "ws or http URL", "attach to a browser that runs already")
	CDPPort        = number(Daemon, "BROWSE_CDP_PORT", 0, 65535, 0, "attach to the browser on this local debugging port; 0 means none")
	Stealth        = enum(Daemon, "GSTACK_STEALTH", "", "hide more of what tells an automated browser", "extended", "1", "true", "0", "false")
	CDPStealth     = text(Daemon, "GSTACK_CDP_STEALTH", "text", "", "stealth patches that the custom Chromium applies itself")
	GPUVendor      = text(Daemon, "GSTACK_GPU_VENDOR", "text", "", "WebGL vendor to report in stealth mode")
	GPURenderer    = text(Daemon, "GSTACK_GPU_RENDERER", "text", "", "WebGL renderer to report in stealth mode")
	Platform       = text(Daemon, "GSTACK_PLATFORM", "text", "", "navigator.platform to report in stealth mode")
	HWConcurrency  = number(Daemon, "GSTACK_HW_CONCURRENCY", 1, 1024, 8, "processor count to report in stealth mode")
	DeviceMemory   = number(Daemon, "GSTACK_DEVICE_MEMORY", 1, 1024, 8, "memory in GiB to report in stealth mode")
	MaxHTMLBytes   = number(Daemon, "GSTACK_BROWSE_MAX_HTML_BYTES", 1, 1<<31-1, 52428800, "largest page that load-html takes, in bytes")
	PersistState   = flag(Daemon, "BROWSE_PERSIST_STATE", "keep cookies and tabs over restarts of the daemon")
	PersistEvery   = millis(Daemon, "BROWSE_PERSIST_INTERVAL_MS", time.Second, 30*time.Second, "how often the state is saved with BROWSE_PERSIST_STATE")
	ContentFilter  = enum(Daemon, "BROWSE_CONTENT_FILTER", "warn", "what happens to suspicious page content for scoped tokens", "off", "warn", "block")
	TelemetryOff   = flag(Both, "GSTACK_TELEMETRY_OFF", "no telemetry, whatever the configuration says")
	EditorProgram  = text(Client, "EDITOR", "program", "vi", "editor of domain-skill edit")
	ProjectSlug    = text(Both, "GSTACK_PROJECT_SLUG", "name", "", "project that domain skills are filed under")
	WelcomeSlug    = text(Daemon, "GSTACK_SLUG", "name", "", "project whose welcome page is shown")
	SkillRoot      = text(Both, "GSTACK_SKILL_ROOT", "path", "", "folder of the installed skills")
	SkillPort      = number(Gstack, "GSTACK_PORT", 0, 65535, 0, "set for spawned skills: port of the daemon")
	SkillToken     = secret(Gstack, "GSTACK_SKILL_TOKEN", "text", "set for spawned skills: their scoped token")
	SuperviseTick  = millis(Client, "GSTACK_SUPERVISOR_TICK_MS", 1, 30*time.Second, "how often connect --supervise looks at the daemon")
	SuperviseSteps = text(Client, "GSTACK_SUPERVISOR_BACKOFF", "milliseconds, comma separated", "1000,2000,4000,8000,30000", "pauses of connect --supervise between starts")
)

// Tunnel and terminal.
var (
	Tunnel          = flag(Daemon, "BROWSE_TUNNEL", "open the tunnel when the daemon starts")
	TunnelLocalOnly = flag(Daemon, "BROWSE_TUNNEL_LOCAL_ONLY", "bind the tunnel's listener without a tunnel; for tests")
	NgrokToken      = secret(Daemon, "NGROK_AUTHTOKEN", "text", "token of the tunnel provider")
	NgrokDomain     = text(Daemon, "NGROK_DOMAIN", "host name", "", "fixed host name of the tunnel")
	PairAgent       = enum(Both, "GSTACK_PAIR_AGENT", "", "consent to pairing, over the stored one", "on", "off")
	AgentTick       = millis(Daemon, "GSTACK_AGENT_WATCHDOG_TICK_MS", 1, time.Minute, "how often the terminal is looked at")
	LeaseTTL        = millis(Daemon, "GSTACK_PTY_LEASE_TTL_MS", 1, 30*time.Minute, "life of a terminal lease")
	KeepAlive       = millis(Daemon, "GSTACK_PTY_KEEPALIVE_INTERVAL_MS", 1, 25*time.Second, "pause between pings of a terminal")
	RingBytes       = number(Daemon, "GSTACK_PTY_RING_BUFFER_BYTES", 1, 1<<30, 1048576, "terminal output kept for a reattach, in bytes")
	DetachWindow    = millis(Daemon, "GSTACK_PTY_DETACH_WINDOW_MS", 0, time.Minute, "how long a detached terminal lives")
	OwnerTick       = millis(Daemon, "GSTACK_TERMINAL_OWNER_WATCHDOG_MS", 1, 15*time.Second, "how often the terminal looks for its owner")
	OwnerPID        = number(Daemon, "BROWSE_OWNER_PID", 0, 1<<31-1, 0, "set for the terminal: pid of its owner")
	ServerPort      = number(Daemon, "BROWSE_SERVER_PORT", 0, 65535, 0, "set for the terminal: port of the daemon")
	ExtensionID     = text(Daemon, "BROWSE_EXTENSION_ID", "text", "", "extension that may open the terminal")
	TerminalBinary  = text(Daemon, "BROWSE_TERMINAL_BINARY", "path", "", "program that the terminal runs")
)

// Read for what they mean elsewhere.
var (
	Display   = text(Daemon, "DISPLAY", "text", "", "X display of a headed browser")
	Wayland   = text(Daemon, "WAYLAND_DISPLAY", "text", "", "Wayland display of a headed browser")
	CI        = text(Both, "CI", "text", "", "set in continuous integration: longer start timeout, no Chromium sandbox")
	Container = text(Daemon, "CONTAINER", "text", "", "set in containers: no Chromium sandbox")
	UserHome  = text(Both, "HOME", "path", "", "home folder")
)
