package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestShop walks through every page of the shop as a browser would.
func TestShop(t *testing.T) {
	shop, err := newShop()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(shop)
	defer server.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Jar = jar
	order := url.Values{"name": {"Ann"}, "email": {"a@example.com"}, "address": {"Quay 3"}, "delivery": {"courier"}}
	for _, step := range []struct {
		method, path string
		form         url.Values
		status       int
		want         string
	}{
		{"GET", "/", nil, 200, "Harbour lamp"},
		{"GET", "/?q=blanket", nil, 200, "1 found for"},
		{"GET", "/p/harbour-lamp", nil, 200, "Add to cart"},
		{"GET", "/p/nothing", nil, 404, ""},
		{"GET", "/reviews/tea-tin", nil, 200, "last day of autumn"},
		{"POST", "/reviews/tea-tin/helpful", nil, 200, `"votes":1`},
		{"GET", "/cart", nil, 200, "It is empty"},
		{"POST", "/order", order, 400, "needs goods"},
		{"POST", "/cart/add/harbour-lamp", nil, 200, `"items":"1 item"`},
		{"POST", "/cart/add/harbour-lamp", nil, 200, `"items":"2 items"`},
		{"POST", "/cart/gift", url.Values{"on": {"true"}}, 204, ""},
		{"GET", "/cart", nil, 200, "€ 96.00"},
		{"GET", "/checkout", nil, 200, "wrapped as a gift"},
		{"POST", "/order", order, 200, "Order NL-1001 is confirmed"},
		{"GET", "/order/NL-1002", nil, 404, ""},
		{"GET", "/cart", nil, 200, "It is empty"},
		{"GET", "/style.css", nil, 200, ".card"},
		{"GET", "/gift.js", nil, 200, "attachShadow"},
		{"GET", "/home.html", nil, 404, ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), step.method, server.URL+step.path, strings.NewReader(step.form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		if step.form != nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != step.status || !strings.Contains(string(body), step.want) {
			t.Errorf("%s %s: status %d, want %d with %q; body:\n%s", step.method, step.path, res.StatusCode, step.status, step.want, body)
		}
	}
}
