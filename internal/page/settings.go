package page

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// Viewport is the size of the window as a page sees it.
type Viewport struct {
	Width, Height int     // CSS pixels
	Scale         float64 // device pixels per CSS pixel; 0 means 1
	Mobile        bool    // viewport meta tag, overlay scroll bars, text autosizing
	Touch         bool    // touch events instead of none
}

// Place is a position on the earth in degrees, with its accuracy in metres.
type Place struct{ Latitude, Longitude, Accuracy float64 }

// Throttle is a slow network: latency in milliseconds, speeds in bytes a second,
// 0 meaning unbounded.
type Throttle struct{ Latency, Down, Up float64 }

// Agent is who a page is told that the browser is.
type Agent struct {
	// UserAgent is the header and navigator.userAgent; "" means Chromium's own.
	UserAgent string
	// Platform is navigator.platform; "" means the machine's.
	Platform string
	// Hints are the user agent client hints (CDP Emulation.UserAgentMetadata); nil
	// means that none are sent with an agent of our own.
	Hints map[string]any
}

// Settings is what a page is told of the machine and the network that differs
// from what is true. The zero value changes nothing. A value in use is never
// modified; a change is a new one.
type Settings struct {
	Viewport *Viewport
	Agent    Agent
	// Languages is the Accept-Language header and navigator.languages; "" means
	// Chromium's own.
	Languages string
	Headers   map[string]string // sent with every request
	Offline   bool
	Throttle  *Throttle
	Place     *Place
	Timezone  string            // IANA name
	Locale    string            // ICU name, such as de_DE
	Media     string            // CSS media type, print or screen
	Features  map[string]string // CSS media features, such as prefers-color-scheme
	// Routes are tried from the last to the first.
	Routes      []*Route
	Credentials []Credential
	// Attach makes a download of every document that a server sends.
	Attach bool
}

// setting is one override: the call that puts it into force. Only a tab's root
// session takes those marked root; the others go to every frame's process.
type setting struct {
	method string
	params m
	root   bool
	on     bool // it differs from the zero value
}

// network is what a tab is told of its connection.
func (s Settings) network() m {
	n := m{"offline": s.Offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
	if t := s.Throttle; t != nil {
		n["latency"] = t.Latency
		if t.Down > 0 {
			n["downloadThroughput"] = t.Down
		}
		if t.Up > 0 {
			n["uploadThroughput"] = t.Up
		}
	}
	return n
}

// all lists the overrides in the order in which they are made.
func (s Settings) all() []setting {
	v := Viewport{Width: viewportWidth, Height: viewportHeight}
	if s.Viewport != nil {
		v = *s.Viewport
	}
	touch := m{"enabled": v.Touch}
	if v.Touch {
		touch["maxTouchPoints"] = 5
	}
	agent := m{"userAgent": s.Agent.UserAgent, "acceptLanguage": s.Languages, "platform": s.Agent.Platform}
	if s.Agent.Hints != nil {
		agent["userAgentMetadata"] = s.Agent.Hints
	}
	features := []m{}
	for _, name := range slices.Sorted(maps.Keys(s.Features)) {
		features = append(features, m{"name": name, "value": s.Features[name]})
	}
	headers := m{}
	for k, v := range s.Headers {
		headers[k] = v
	}
	list := []setting{
		{"Emulation.setDeviceMetricsOverride", m{"width": v.Width, "height": v.Height, "deviceScaleFactor": v.Scale, "mobile": v.Mobile}, true, s.Viewport != nil},
		{"Emulation.setTouchEmulationEnabled", touch, false, v.Touch},
		{"Emulation.setUserAgentOverride", agent, false, s.Agent.UserAgent != "" || s.Languages != ""},
		{"Network.setExtraHTTPHeaders", m{"headers": headers}, false, len(headers) > 0},
		{"Network.emulateNetworkConditions", s.network(), false, s.Offline || s.Throttle != nil},
		{"Emulation.setTimezoneOverride", m{"timezoneId": s.Timezone}, false, s.Timezone != ""},
		{"Emulation.setLocaleOverride", m{"locale": s.Locale}, false, s.Locale != ""},
		{"Emulation.setEmulatedMedia", m{"media": s.Media, "features": features}, false, s.Media != "" || len(features) > 0},
	}
	place := setting{"Emulation.clearGeolocationOverride", nil, true, false}
	if p := s.Place; p != nil {
		place = setting{"Emulation.setGeolocationOverride", m{"latitude": p.Latitude, "longitude": p.Longitude, "accuracy": p.Accuracy}, true, true}
	}
	return append(list, place)
}

// Settings returns what is in force for the tab.
func (t *Tab) Settings() Settings {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.settings
}

// Configure puts a change of the settings into force in every process of the tab,
// those to come included, and nothing else changes: page, history, forms and refs
// stay. What Chromium refuses, such as a time zone that does not exist, is
// [api.BadUsage]; what was changed is as before then.
func (t *Tab) Configure(ctx context.Context, change func(*Settings)) error {
	before, after, calls := t.swap(change)
	var first error
	for _, c := range calls {
		err := c.call.Wait(ctx, nil)
		if err == nil || !c.root || first != nil || inForce(err) {
			continue
		}
		var pe *cdp.Error
		if errors.As(err, &pe) && ctx.Err() == nil && t.Gone() == nil {
			first = api.Errorf(api.BadUsage, "check the value", "Chromium refuses it: %s", api.Clean(pe.Message))
			continue
		}
		first = t.Broken(ctx, "the setting was not made", err)
	}
	if first != nil {
		t.swap(func(s *Settings) { s.restore(before, after) })
	}
	return first
}

// restore takes back the fields in which before and after differ, and leaves those
// that somebody else has changed meanwhile.
func (s *Settings) restore(before, after Settings) {
	now, from, to := reflect.ValueOf(s).Elem(), reflect.ValueOf(before), reflect.ValueOf(after)
	for i := range now.NumField() {
		if !reflect.DeepEqual(from.Field(i).Interface(), to.Field(i).Interface()) {
			now.Field(i).Set(from.Field(i))
		}
	}
}

// Take is [Tab.Configure] for a change that another tab has accepted. It does
// not wait: whatever is asked of the tab afterwards finds it in force.
func (t *Tab) Take(change func(*Settings)) { t.swap(change) }

// override is a call under way.
type override struct {
	call *cdp.Pending
	root bool // it went to the tab's root session
}

// swap changes the settings and starts the calls in which old and new differ. Two
// changes at once are both made, and their calls go out in the same order.
func (t *Tab) swap(change func(*Settings)) (before, s Settings, calls []override) {
	t.swapping.Lock()
	defer t.swapping.Unlock()
	t.mu.Lock()
	before, s = t.settings, t.settings
	change(&s)
	t.settings = s
	sessions, workers := slices.Collect(maps.Keys(t.sessions)), slices.Collect(maps.Keys(t.workers))
	t.mu.Unlock()
	was, wasAuth := before.held(false)
	if now, auth := s.held(false); !reflect.DeepEqual(was, now) || auth != wasAuth {
		for _, sess := range sessions {
			calls = append(calls, override{t.intercept(sess), sess == t.sess})
		}
		for _, sess := range workers {
			t.intercept(sess)
		}
	}
	old := before.all()
	for i, set := range s.all() {
		if reflect.DeepEqual(set, old[i]) {
			continue
		}
		for _, sess := range sessions {
			if sess == t.sess || !set.root {
				calls = append(calls, override{sess.Start(set.method, set.params), sess == t.sess})
			}
		}
	}
	return before, s, calls
}

// inForce reports whether an override is refused because another tab of the same
// process has made it already: time zone and locale belong to the process.
func inForce(err error) bool {
	var pe *cdp.Error
	return errors.As(err, &pe) && strings.Contains(pe.Message, "already in effect")
}

// begin starts the calls that a new session of the tab needs, in order.
func (t *Tab) begin(s *cdp.Session) []*cdp.Pending {
	var calls []*cdp.Pending
	for _, set := range t.Settings().all() {
		always := set.method == "Emulation.setDeviceMetricsOverride" // the window's own toolbar takes a part of its height
		if (set.on || always) && (s == t.sess || !set.root) {
			calls = append(calls, s.Start(set.method, set.params))
		}
	}
	return calls
}
