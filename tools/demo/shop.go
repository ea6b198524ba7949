package main

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"
)

//go:embed site
var site embed.FS

// A shop is the site: its goods, and the carts, votes and orders of this run,
// which live in memory and end with it.
type shop struct {
	pages *template.Template

	mu     sync.Mutex // guards what follows
	carts  map[string]*cart
	votes  map[string]int
	orders []order
}

type product struct {
	Slug, Name, Blurb, Story, Review, Reviewer string
	Cents                                      money
	Art                                        template.HTML
}

func (p product) Price() money { return p.Cents }

// money is an amount in euro cents.
type money int

func (m money) String() string { return fmt.Sprintf("€ %d.%02d", m/100, m%100) }

// A line is one product in a cart or an order.
type line struct {
	Product  product
	Quantity int
}

func (l line) Sum() money { return l.Product.Cents * money(l.Quantity) }

type cart struct {
	Lines []line
	Gift  bool
}

func (c *cart) Count() int {
	n := 0
	for _, l := range c.Lines {
		n += l.Quantity
	}
	return n
}

// Items is the count in words.
func (c *cart) Items() string {
	if n := c.Count(); n != 1 {
		return fmt.Sprintf("%d items", n)
	}
	return "1 item"
}

func (c *cart) Total() money {
	var sum money
	for _, l := range c.Lines {
		sum += l.Sum()
	}
	return sum
}

type order struct {
	*cart
	Number, Name, Email, Address, Delivery string
}

var products = []product{
	{Slug: "harbour-lamp", Name: "Harbour lamp", Cents: 4800, Blurb: "A storm lantern for the window sill.",
		Story:  "Brass and blown glass, made two streets from the quay. It burns nine hours on one filling.",
		Review: "It has outlived three winters and one cat.", Reviewer: "Ines"},
	{Slug: "reading-lamp", Name: "Reading lamp", Cents: 6250, Blurb: "Bends to the page, not to the wall.",
		Story:  "A steel arm with two joints and a shade that keeps the light off the other pillow.",
		Review: "I finished the long one at last.", Reviewer: "Tomasz"},
	{Slug: "wool-blanket", Name: "Wool blanket", Cents: 8900, Blurb: "Woven thick, washed soft.",
		Story:  "Two kilos of island wool, 140 by 200 centimetres, with a fringe knotted by hand.",
		Review: "The sofa is now the warmest place in the house.", Reviewer: "Maren"},
	{Slug: "clay-mug", Name: "Clay mug", Cents: 1650, Blurb: "Holds tea, and both hands.",
		Story:  "Thrown from red clay, glazed inside only, so that the outside stays rough and warm.",
		Review: "No two alike; I have five.", Reviewer: "Yusuf"},
	{Slug: "tea-tin", Name: "Tea tin", Cents: 1290, Blurb: "Black tea with a little smoke.",
		Story:  "A hundred grams of leaf from the second picking, in a tin that closes with a sigh.",
		Review: "Smells like the last day of autumn.", Reviewer: "Aoife"},
	{Slug: "paper-kite", Name: "Paper kite", Cents: 2100, Blurb: "For the one windy afternoon.",
		Story:  "Bamboo, mulberry paper and forty metres of line. Folds into its own tube.",
		Review: "Flew on the first try, which is more than I can say of me.", Reviewer: "Kofi"},
}

func newShop() (*shop, error) {
	pages, err := template.ParseFS(site, "site/*.html")
	if err != nil {
		return nil, err
	}
	for i := range products {
		art, err := site.ReadFile("site/art/" + products[i].Slug + ".svg")
		if err != nil {
			return nil, err
		}
		products[i].Art = template.HTML(art) // our own embedded file, not input
	}
	return &shop{pages: pages, carts: map[string]*cart{}, votes: map[string]int{}}, nil
}

// ServeHTTP routes one request. The shop is small enough for one lock around
// all of it.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /p/{slug}", s.product)
	mux.HandleFunc("GET /reviews/{slug}", s.reviews)
	mux.HandleFunc("POST /reviews/{slug}/helpful", s.helpful)
	mux.HandleFunc("GET /cart", s.showCart)
	mux.HandleFunc("POST /cart/add/{slug}", s.add)
	mux.HandleFunc("POST /cart/gift", s.gift)
	mux.HandleFunc("GET /checkout", s.checkout)
	mux.HandleFunc("POST /order", s.order)
	mux.HandleFunc("GET /order/{number}", s.showOrder)
	mux.HandleFunc("GET /{file}", s.file)
	mux.ServeHTTP(w, r)
}

// view is what the pages are filled with.
type view struct {
	*cart
	Title, Query string
	Products     []product
	Product      product
	Votes        int
	Order        order
}

func (s *shop) render(w http.ResponseWriter, r *http.Request, page string, v view) {
	v.cart = s.cart(w, r)
	var b bytes.Buffer // a page that fails half way must not look like one
	if err := s.pages.ExecuteTemplate(&b, page, v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(b.Bytes()) //nolint:errcheck // the visitor has gone
}

// cart finds the visitor's cart by cookie, or starts one.
func (s *shop) cart(w http.ResponseWriter, r *http.Request) *cart {
	if c, err := r.Cookie("cart"); err == nil && s.carts[c.Value] != nil {
		return s.carts[c.Value]
	}
	id := rand.Text()
	s.carts[id] = &cart{}
	http.SetCookie(w, &http.Cookie{Name: "cart", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return s.carts[id]
}

func (s *shop) home(w http.ResponseWriter, r *http.Request) {
	v := view{Title: "Shop", Query: strings.TrimSpace(r.FormValue("q"))}
	for _, p := range products {
		if strings.Contains(strings.ToLower(p.Name), strings.ToLower(v.Query)) {
			v.Products = append(v.Products, p)
		}
	}
	s.render(w, r, "home.html", v)
}

// find returns the product that the address names, and answers 404 otherwise.
func find(w http.ResponseWriter, r *http.Request) (product, bool) {
	for _, p := range products {
		if p.Slug == r.PathValue("slug") {
			return p, true
		}
	}
	http.NotFound(w, r)
	return product{}, false
}

func (s *shop) product(w http.ResponseWriter, r *http.Request) {
	if p, ok := find(w, r); ok {
		s.render(w, r, "product.html", view{Title: p.Name, Product: p})
	}
}

func (s *shop) reviews(w http.ResponseWriter, r *http.Request) {
	if p, ok := find(w, r); ok {
		s.render(w, r, "reviews.html", view{Product: p, Votes: s.votes[p.Slug]})
	}
}

func (s *shop) helpful(w http.ResponseWriter, r *http.Request) {
	if p, ok := find(w, r); ok {
		s.votes[p.Slug]++
		answer(w, map[string]any{"votes": s.votes[p.Slug]})
	}
}

func (s *shop) showCart(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, "cart.html", view{Title: "Cart"})
}

func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	p, ok := find(w, r)
	if !ok {
		return
	}
	c := s.cart(w, r)
	known := false
	for i := range c.Lines {
		if c.Lines[i].Product.Slug == p.Slug {
			c.Lines[i].Quantity++
			known = true
		}
	}
	if !known {
		c.Lines = append(c.Lines, line{Product: p, Quantity: 1})
	}
	answer(w, map[string]any{"count": c.Count(), "items": c.Items(), "name": p.Name})
}

func (s *shop) gift(w http.ResponseWriter, r *http.Request) {
	s.cart(w, r).Gift = r.FormValue("on") == "true"
	w.WriteHeader(http.StatusNoContent)
}

func (s *shop) checkout(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, "checkout.html", view{Title: "Checkout"})
}

func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	c := s.cart(w, r)
	placed := *c
	o := order{cart: &placed, Name: r.FormValue("name"), Email: r.FormValue("email"), Address: r.FormValue("address"), Delivery: r.FormValue("delivery")}
	if len(c.Lines) == 0 || o.Name == "" || o.Email == "" || o.Address == "" {
		http.Error(w, "an order needs goods, a name, an e-mail and an address", http.StatusBadRequest)
		return
	}
	o.Number = fmt.Sprintf("NL-%d", 1001+len(s.orders))
	s.orders = append(s.orders, o)
	*c = cart{}
	http.Redirect(w, r, "/order/"+o.Number, http.StatusSeeOther)
}

func (s *shop) showOrder(w http.ResponseWriter, r *http.Request) {
	for _, o := range s.orders {
		if o.Number == r.PathValue("number") {
			s.render(w, r, "order.html", view{Title: "Order " + o.Number, Order: o})
			return
		}
	}
	http.NotFound(w, r)
}

func (s *shop) file(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if !strings.HasSuffix(name, ".css") && !strings.HasSuffix(name, ".js") {
		http.NotFound(w, r)
		return
	}
	http.ServeFileFS(w, r, site, "site/"+name)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
