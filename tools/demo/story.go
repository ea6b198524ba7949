package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// picture is the file that the story's screenshot goes to.
const picture = "order.png"

// story shops: it finds a lamp, votes for a review in a frame, puts the lamp
// into the cart, has it wrapped (a widget in a shadow root), orders, and looks
// at the result. What the shop wrote down is compared with what was typed.
func story(ctx context.Context, a *agent, shop *shop, base string) error {
	return steps(
		func() error { return browseGoods(ctx, a, base) },
		func() error { return pickLamp(ctx, a, shop) },
		func() error { return fillCart(ctx, a) },
		func() error { return checkout(ctx, a) },
		func() error { return confirm(ctx, a, shop) },
	)
}

func browseGoods(ctx context.Context, a *agent, base string) error {
	a.say("The shop. What can be clicked and filled has a ref.")
	return steps(
		func() error { return a.expect(ctx, []string{"goto", base}, "Navigated to "+base, "(200)") },
		func() error { return a.look(ctx) },
		func() error { return a.on(ctx, "fill", "searchbox", "Search the shop", "lamp") },
		func() error { return a.on(ctx, "click", "button", "Search") },
		func() error { return a.expect(ctx, []string{"url"}, base+"?q=lamp") },
		func() error { return a.look(ctx) },
	)
}

func pickLamp(ctx context.Context, a *agent, shop *shop) error {
	a.say("A product page. The reviews are a frame, and its button has a ref like any other.")
	return steps(
		func() error { return a.on(ctx, "click", "link", "Harbour lamp") },
		func() error { return a.look(ctx) },
		func() error { return a.on(ctx, "click", "button", "Helpful") },
		func() error {
			return a.expect(ctx, []string{"wait", "text=1 people found this helpful"}, "appeared")
		},
		func() error {
			shop.mu.Lock()
			defer shop.mu.Unlock()
			return want(shop.votes["harbour-lamp"] == 1, "%d votes for the review, want 1", shop.votes["harbour-lamp"])
		},
		func() error { return a.on(ctx, "click", "button", "Add to cart") },
		func() error { return a.expect(ctx, []string{"wait", ".toast"}, "appeared") },
		func() error { return a.expect(ctx, []string{"text"}, "Harbour lamp is in your cart") },
	)
}

func fillCart(ctx context.Context, a *agent) error {
	a.say("The cart. The gift wrap is a web component with a shadow root.")
	return steps(
		func() error { return a.expect(ctx, []string{"click", `role=link[name="Cart, 1 item"]`}, "/cart") },
		func() error { return a.look(ctx) },
		func() error { return a.on(ctx, "click", "checkbox", "Wrap it as a gift") },
		func() error { return a.expect(ctx, []string{"wait", "text=We will wrap it"}, "appeared") },
		func() error { return a.on(ctx, "click", "link", "Go to checkout") },
		func() error { return a.expect(ctx, []string{"text"}, "1 item, € 48.00, wrapped as a gift") },
		func() error { return a.look(ctx) },
	)
}

// The customer of this run.
const (
	name    = "Ann Lee"
	email   = "ann@example.com"
	address = "3 Quay Street, Port Ellen"
)

func checkout(ctx context.Context, a *agent) error {
	a.say("The checkout form, by refs.")
	return steps(
		func() error { return a.on(ctx, "fill", "textbox", "Full name", name) },
		func() error { return a.on(ctx, "fill", "textbox", "E-mail", email) },
		func() error { return a.on(ctx, "fill", "textbox", "Address", address) },
		func() error { return a.on(ctx, "click", "radio", "By courier") },
		func() error { return a.on(ctx, "click", "checkbox", "I agree") },
		func() error { return a.on(ctx, "click", "button", "Place order") },
	)
}

func confirm(ctx context.Context, a *agent, shop *shop) error {
	a.say("The confirmation, read and pictured.")
	return steps(
		func() error {
			return a.expect(ctx, []string{"text"}, "Thank you, "+name, "Order NL-1001 is confirmed", address, "By courier", "Yes, with a card")
		},
		func() error { return a.expect(ctx, []string{"screenshot", picture}, picture) },
		func() error { return isPicture(filepath.Join(a.workspace, picture)) },
		func() error { return booked(shop) },
	)
}

func isPicture(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(b, []byte("\x89PNG\r\n")) || len(b) < 5000 {
		return fmt.Errorf("%s is no picture of a page: %d bytes", file, len(b))
	}
	return nil
}

// booked compares the order that the shop took with what was typed.
func booked(shop *shop) error {
	shop.mu.Lock()
	defer shop.mu.Unlock()
	if len(shop.orders) != 1 {
		return want(false, "%d orders, want 1", len(shop.orders))
	}
	o := shop.orders[0]
	ok := o.Name == name && o.Email == email && o.Address == address && o.Delivery == "courier" && o.Gift && o.Count() == 1
	return want(ok, "it booked %+v", o)
}
