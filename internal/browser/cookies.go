package browser

import (
	"context"
	"slices"

	"gstack/internal/cookie"
)

// in adds the context to the parameters of a call to the browser.
func (c *Context) in(params map[string]any) map[string]any {
	if c.id != "" {
		params["browserContextId"] = c.id
	}
	return params
}

// Cookies returns the context's cookies (CDP Storage.getCookies).
func (c *Context) Cookies(ctx context.Context) ([]cookie.Cookie, error) {
	var r struct {
		Cookies []cookie.Cookie `json:"cookies"`
	}
	if err := c.hub.conn.Root().Call(ctx, "Storage.getCookies", c.in(map[string]any{}), &r); err != nil {
		return nil, err
	}
	for i := range r.Cookies {
		r.Cookies[i].Expires = max(r.Cookies[i].Expires, 0) // -1 stands for the session
	}
	return r.Cookies, nil
}

// SetCookies stores cookies in the context (CDP Storage.setCookies): all of
// them, or none when the browser refuses one.
func (c *Context) SetCookies(ctx context.Context, cs []cookie.Cookie) error {
	cs = slices.Clone(cs)
	for i := range cs {
		// A secure cookie that http://localhost has set is told to be from there, and
		// refused when it comes back so.
		if cs[i].Secure && cs[i].SourceScheme == "NonSecure" {
			cs[i].SourceScheme = "Secure"
		}
	}
	return c.hub.conn.Root().Call(ctx, "Storage.setCookies", c.in(map[string]any{"cookies": cs}), nil)
}
