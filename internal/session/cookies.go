package session

import (
	"context"
	"errors"

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
// such as a __Secure- name without the flag, is [api.BadUsage].
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
	return nil
}

// ClearCookies removes all cookies of the browser.
func (m *Manager) ClearCookies(ctx context.Context) error {
	b, err := m.browserContext(ctx)
	if err != nil {
		return err
	}
	if err := b.ClearCookies(ctx); err != nil {
		return m.broken(ctx, "the cookies were not removed", err)
	}
	return nil
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
