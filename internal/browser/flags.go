package browser

import (
	"fmt"
	"slices"
	"strings"

	"gstack/internal/api"
)

// Size of the window, in CSS pixels. In the full browser the page's viewport is
// smaller by the toolbar (87 pixels with Chromium 156); emulation corrects that.
const (
	windowWidth  = 1280
	windowHeight = 720
)

// minSharedMemory is the free space of /dev/shm, in bytes, below which Chromium
// is told to keep shared memory in the temporary folder. Containers come with
// 64 MB, where a large picture kills the renderer. The other way was not
// measurably slower: screenshots of 1280 × 720 and 1280 × 16,000 pixels took the
// same time. So there is no reason to cut it fine.
const minSharedMemory = 1 << 30

// nowhere is an address without a service: TCP port 1 (tcpmux) of loopback.
const nowhere = "http://127.0.0.1:1/"

// disabledFeatures are switched off with one flag, because a second one of the
// same name would replace it.
var disabledFeatures = []string{
	// Two hidden pages that draw the address bar's suggestions, loaded with each
	// window. Without them the processor time until the first page is loaded
	// falls by a third to a half, and the time by a fifth (Chromium 156, median of 9:
	// 475 to 375 ms).
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
	// A new frame host for every navigation, even within one site. Without it a
	// small page is parsed a fifth sooner (Chromium 156, median of 50: 59 to 47 ms).
	"RenderDocument",
	// Background traffic: multicast in the local network, hints, models, uploads.
	"MediaRouter", "DialMediaRouteProvider",
	"OptimizationHints", "OptimizationGuideModelDownloading", "OptimizationTargetPrediction",
	"CertificateTransparencyComponentUpdater",
	"AutofillServerCommunication",
	"InterestFeedContentSuggestions",
	"NetworkTimeServiceQuerying",
	// Bubbles over the page.
	"Translate", "LensOverlay", "GlobalMediaControls",
	// The address that was asked for is opened, not its https twin.
	"HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable",
	// The profile is thrown away; nobody waits for its orderly end.
	"DestroyProfileOnBrowserClose",
}

// baseFlags are the same for every browser that is started here. Each was
// measured not to slow the start (differences within the noise of 20 ms),
// except where a gain is named.
var baseFlags = []string{
	// Protocol on file descriptors 3 and 4: no port that others could attach to.
	"--remote-debugging-pipe",
	// No window until one is asked for: the first answer comes 100 ms earlier.
	"--no-startup-window",

	// Nothing that greets, asks or reports.
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-search-engine-choice-screen",
	"--disable-background-networking",
	"--disable-component-update",
	// The flag before leaves updates on demand, such as that of a list of models
	// in the first second. This address refuses every connection.
	"--component-updater=url-source=" + nowhere,
	// Chromium asks for the accounts that it is signed in to, in vain, and again.
	"--gaia-url=" + nowhere,
	"--disable-sync",
	"--disable-domain-reliability",
	"--disable-client-side-phishing-detection",
	"--disable-field-trial-config",
	"--metrics-recording-only",
	"--no-service-autorun",
	"--disable-default-apps",
	"--disable-component-extensions-with-background-pages",
	// Not the desktop's key ring, which may ask for a password in a window.
	"--password-store=basic",
	"--use-mock-keychain",

	// Crash reports are neither kept nor sent. This does not stop
	// chrome_crashpad_handler from starting. The one flag that does,
	// --disable-crashpad-for-testing, makes the network process die with "FD
	// ownership violation" (Chromium 156), so that the handlers are let start, told
	// to write into the profile (BREAKPAD_DUMP_LOCATION) and ended with the rest.
	"--disable-breakpad",
	"--disable-crash-reporter",

	// A page in the background runs like one in front.
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",

	// Automation meets no dialog of the browser's own, and is not throttled.
	"--disable-hang-monitor",
	"--disable-prompt-on-repost",
	"--disable-popup-blocking",
	"--disable-ipc-flooding-protection",
	// Input between the commit of a page and its first frame is not dropped.
	"--allow-pre-commit-input",
	// A page from the back/forward cache would bring back a document whose refs
	// have been declared dead.
	"--disable-back-forward-cache",
	// No "controlled by automated software": navigator.webdriver is false.
	"--disable-blink-features=AutomationControlled",

	// Pictures are the same on every machine.
	"--force-color-profile=srgb",
	"--mute-audio",
	// WebGL without a graphics card stays possible when Chromium drops its
	// automatic fallback to software.
	"--enable-unsafe-swiftshader",
}

// headlessFlags are added when there is no window.
var headlessFlags = []string{
	"--headless=new",
	"--hide-scrollbars",
	fmt.Sprintf("--screen-info={%dx%d}", windowWidth, windowHeight), // 800 × 600 otherwise
	// A mouse that hovers, as the input that is sent here does. Headless
	// Chromium finds no device and tells pages that there is none.
	"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
}

// reserved are the flags that decide who controls the browser and where it
// writes. They cannot be given as extra arguments.
var reserved = []string{
	"--remote-debugging-pipe", "--remote-debugging-port", "--remote-debugging-address",
	"--remote-debugging-io-pipes", "--remote-allow-origins", "--user-data-dir",
}

// setting is what decides about the flags besides [Options].
type setting struct {
	headed       bool
	dataDir      string
	noSandbox    bool
	sharedMemory int64 // free bytes of /dev/shm, negative if that does not matter
	proxy        Proxy
	network      Network
	extra        []string
}

// flags returns the argument list without the program. Extra arguments come
// last, and so win over ours; lists of features are merged.
func flags(s setting) ([]string, error) {
	for _, arg := range s.extra {
		name, _, _ := strings.Cut(arg, "=")
		if slices.Contains(reserved, name) {
			return nil, api.Errorf(api.BadUsage, "leave it out", "the argument %s of Chromium is set by browse", name)
		}
		if !strings.HasPrefix(arg, "--") {
			return nil, api.Errorf(api.BadUsage, "write --name or --name=value", "%q is not an argument of Chromium", arg)
		}
	}
	args := slices.Clone(baseFlags)
	args = append(args,
		"--user-data-dir="+s.dataDir,
		fmt.Sprintf("--window-size=%d,%d", windowWidth, windowHeight),
		"--disable-features="+strings.Join(disabledFeatures, ","),
	)
	if !s.headed {
		args = append(args, headlessFlags...)
	}
	if !hasFlag(s.extra, "--load-extension") {
		args = append(args, "--disable-extensions")
	}
	if s.noSandbox {
		args = append(args, "--no-sandbox")
	}
	if s.sharedMemory >= 0 && s.sharedMemory < minSharedMemory {
		args = append(args, "--disable-dev-shm-usage")
	}
	if s.proxy.Server != "" {
		args = append(args, "--proxy-server="+s.proxy.Server,
			// WebRTC must not go around the proxy.
			"--force-webrtc-ip-handling-policy=disable_non_proxied_udp")
		if bypass := s.network.bypass(s.proxy.Bypass); bypass != "" {
			args = append(args, "--proxy-bypass-list="+bypass)
		}
	}
	args = append(args, s.network.flags()...)
	return merge(append(args, s.extra...)), nil
}

// merge joins the flags that carry lists into one each: for Chromium the last
// one of a name replaces the others.
func merge(args []string) []string {
	first := map[string]int{}
	var out []string
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "--disable-features", "--enable-features", "--disable-blink-features", "--enable-blink-features":
			if i, ok := first[name]; ok {
				out[i] += "," + value
				continue
			}
			first[name] = len(out)
		}
		out = append(out, arg)
	}
	return out
}

func hasFlag(args []string, name string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == name || strings.HasPrefix(arg, name+"=")
	})
}
