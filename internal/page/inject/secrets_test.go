package inject_test

import (
	"strconv"
	"strings"
	"testing"
)

// secretRegions show a secret as their text, not as the value of a control.
const secretRegions = `<p>public</p>
	<div contenteditable autocomplete=one-time-code aria-label=Code id=a><p>TOP</p>SECRET1</div>
	<div contenteditable aria-label=Masked id=b style="-webkit-text-security: disc">TOPSECRET2</div>
	<div contenteditable aria-label=Card id=c>4111 1111 1111 1111</div>
	<div contenteditable aria-label=Otp id=otp>TOPSECRET4</div>
	<div role=textbox autocomplete=current-password aria-label=Word id=e tabindex=0>TOPSECRET5</div>
	<div role=combobox autocomplete=cc-number aria-label=Combo id=f tabindex=0>TOPSECRET6</div>
	<button id=g>Go <span role=textbox autocomplete=one-time-code>TOPSECRET7</span></button>
	<div contenteditable aria-label=Note id=n>a note</div>`

// TestSecretRegions: what passes for a password field is one to every reader.
func TestSecretRegions(t *testing.T) {
	d := page(t, secretRegions)
	for _, call := range []string{
		`browse.snapshot({})`, `browse.snapshot({refs: true, all: true})`, `browse.snapshot({interactive: true})`, `browse.text()`, `browse.textSlowly()`,
		`browse.rich(0, 1e6).html`, `browse.html()`, `browse.links()`, `JSON.stringify(browse.forms())`, `JSON.stringify([...document.querySelectorAll('*')].map(browse.facts))`,
		`JSON.stringify(browse.matches('div', {limit: 99}))`, `browse.probe('#g', 'shows', 0, {op: '==', text: 'x'}).then(JSON.stringify)`,
		`browse.probe('#a', 'shows', 0, {op: '==', text: 'x'}).then(JSON.stringify)`,
	} {
		var s string
		d.eval(call, &s)
		if strings.Contains(s, "SECRET") || strings.Contains(s, "4111") {
			t.Errorf("%s shows a secret: %s", call, s)
		}
		if strings.HasPrefix(call, "browse.snapshot") || strings.HasPrefix(call, "browse.text") {
			if !strings.Contains(s, "note") {
				t.Errorf("%s lacks what is no secret: %s", call, s)
			}
		}
	}
	for _, r := range rows(t, d.snapshot(`{interactive: true}`)) {
		if filled := strings.Contains(r.states, "filled"); filled != (r.name != "Note" && r.role != "button") {
			t.Errorf("%s: filled is %v", r.brief(), filled)
		}
	}
}

// TestPartsOfSecretRegions: a part alone is not told either.
func TestPartsOfSecretRegions(t *testing.T) {
	d := page(t, `<div contenteditable autocomplete=one-time-code><p>TOPSECRET</p></div><textarea name=api_key>TOPSECRET</textarea><p>public</p>`)
	var ids []int
	d.eval(`browse.matches('div,p,textarea', {limit: 9}).items.map((i) => i.id)`, &ids)
	if len(ids) != 4 {
		t.Fatal(ids)
	}
	for i, id := range ids {
		for _, call := range []string{`browse.text(ID)`, `browse.rich(ID, 1e6).html`, `browse.html(ID)`} {
			var s string
			d.eval(strings.ReplaceAll(call, "ID", strconv.Itoa(id)), &s)
			if strings.Contains(s, "SECRET") {
				t.Errorf("%s of element %d: %s", call, i, s)
			}
		}
	}
}

// TestMarkupOfTemplates: what is in a template is in the markup.
func TestMarkupOfTemplates(t *testing.T) {
	d := page(t, `<template id=t><input name=csrf_token value=TOPSECRET1><input name=q value=public><template><textarea name=api_key>TOPSECRET2</textarea></template></template>
		<div id=w><template><input type=password value=TOPSECRET3></template></div>`)
	var all, inner string
	d.eval(`browse.html()`, &all)
	d.eval(`browse.html(browse.matches('#t', {all: true, limit: 1}).items[0].id)`, &inner)
	for _, html := range []string{all, inner} {
		if strings.Contains(html, "SECRET") || !strings.Contains(html, `value="public"`) || !strings.Contains(html, `<textarea name="api_key">[redacted]</textarea>`) {
			t.Errorf("html %s", html)
		}
	}
}
