package session

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"gstack/internal/api"
	"gstack/internal/cdp"
	"gstack/internal/cookie"
)

// Cookies returns the cookies of the browser, of every site (CDP
// Storage.getCookies). Their expiry is 0 for those that end with the session.
func (m *Manager) Cookies(ctx context.Context) ([]cookie.Cookie, error) {
	b, err := m.browserContext(ctx)
	if err != nil {
		return nil, err
	}
	cs, err := b.Cookies(ctx)
	if err != nil {
		return nil, m.broken(ctx, "the browser did not give its cookies", err)
	}
	return cs, nil
}

// SetCookies stores cookies in the browser, all or none. What Chromium refuses,
// such as a __Secure- name without the flag, is [api.BadUsage], and so is what it
// accepts and does not keep.
func (m *Manager) SetCookies(ctx context.Context, cs []cookie.Cookie) error {
	b, err := m.browserContext(ctx)
	if err != nil {
		return err
	}
	err = b.SetCookies(ctx, cs)
	var pe *cdp.Error
	if errors.As(err, &pe) {
		return api.Errorf(api.BadUsage, "check name, domain, path and the secure flag", "the browser refuses the cookies: %s", api.Clean(pe.Message))
	}
	if err != nil {
		return m.broken(ctx, "the cookies were not stored", err)
	}
	now, err := m.Cookies(ctx)
	if err != nil {
		return err
	}
	if lost := notKept(cs, now); len(lost) > 0 {
		return api.Errorf(api.BadUsage, "check domain, path and the secure flag", "the browser did not keep %s", strings.Join(lost, ", "))
	}
	return nil
}

// maxLost bounds the cookies that an error names.
const maxLost = 5

// notKept names those of cs that are meant to stay and are not among now. Of several
// of one name, site and path the last one counts.
func notKept(cs, now []cookie.Cookie) []string {
	type key struct{ name, host, path, partition string }
	of := func(c cookie.Cookie) key {
		k := key{c.Name, c.Host(), cmp.Or(c.Path, "/"), ""}
		if c.Partition != nil {
			k.partition = c.Partition.TopLevelSite
		}
		return k
	}
	kept := map[key]string{}
	for _, c := range now {
		kept[of(c)] = c.Value
	}
	last := map[key]int{}
	for i, c := range cs {
		last[of(c)] = i
	}
	var lost []string
	for i, c := range cs {
		value, there := kept[of(c)]
		gone := c.Expires > 0 && c.Expires <= float64(time.Now().Unix())
		if gone || last[of(c)] != i || there && value == c.Value {
			continue
		}
		if lost = append(lost, api.Clean(c.Name)+" of "+api.Clean(c.Host())); len(lost) == maxLost {
			break
		}
	}
	return lost
}

// DeleteCookies removes the cookies with a name that a page of host can have,
// and says how many there were.
func (m *Manager) DeleteCookies(ctx context.Context, name, host string) (int, error) {
	all, err := m.Cookies(ctx)
	if err != nil {
		return 0, err
	}
	var gone []cookie.Cookie
	for _, c := range all {
		if c.Name == name && c.Domain != "" && c.Fits(host) {
			c.Value, c.Expires = "", 1 // in 1970: it ends at once
			gone = append(gone, c)
		}
	}
	if len(gone) == 0 {
		return 0, nil
	}
	return len(gone), m.SetCookies(ctx, gone)
}
