package action_test

import (
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
)

const locators = `<!doctype html><title>t</title><style>.up{text-transform:uppercase}.none{display:none}</style>
<h1 id=h1>Title</h1><h2 id=h2>Sub <em id=em>title</em></h2>
<form id=form name=querySelectorAll><input name=textContent id=clob><label id=lmail for=mail>Your mail</label><input id=mail placeholder="you@example.org" title="Mail address"><input id=q aria-label="Search box"><input type=submit id=sub value="Send it"></form>
<button id=b1>Save</button><button id=b2>Save all</button><button id=b3 class=up>save</button><button id=b4 class=none>Save hidden</button><button id=b5 disabled>Save later</button>
<button id=b6 aria-expanded=true>Menu</button><button id=b7 aria-pressed=false>Bold</button><button id=b8 aria-label="It's 5 > 3">x</button>
<div role=checkbox aria-checked=true id=c1 tabindex=0>One</div><input type=checkbox id=c2 aria-label=Two>
<ul id=ul><li id=i1>First item</li><li id=i2>Second  <b id=bb>item</b></li><li id=i3 data-testid=third>Third</li></ul>
<img id=im alt="A cat" src="data:,"><p id=p1>Break<br>here <span id=sp1 class=none>secret</span></p><script>var secret = 'First item'</script>
<x-host id=host><span id=slotted>Slotted text</span></x-host><select id=s><option>First item</option></select><a id=lk href=#><svg id=svg width=10 height=10></svg><span id=lks>Link text</span></a>
<div id="a:b" class="w-1/2">odd</div>
<script>host.attachShadow({mode:'open'}).innerHTML='<div id=in class=box><slot></slot><button id=sb>Shadow save</button><x-in id=nested></x-in></div>';
host.shadowRoot.getElementById('nested').attachShadow({mode:'open'}).innerHTML='<button id=deep class=x>Deep</button>'</script>`

func TestLocators(t *testing.T) {
	b := open(t, locators)
	for locator, want := range map[string]string{
		"#h1": "h1", "h1, h2": "h1 h2", "css=ul > li": "i1 i2 i3", "ul li:nth-child(2) b": "bb", "li + li": "i2 i3", "li ~ li": "i2 i3",
		`#a\:b`: "a:b", `.w-1\/2`: "a:b", `[data-testid="third"]`: "i3", "button:visible:not([disabled])": "b1 b2 b3 b6 b7 b8 sb deep",
		"#host button": "sb deep", "#host .box > button": "sb", "#host > .box": "in", "#nested button": "deep", "x-in .x": "deep", "body .box x-in > button": "deep",
		"#in span": "", "#host span": "slotted", `button:has-text("save al")`: "b2", `li:has-text(third), h1`: "h1 i3", "button:has-text('Save'):visible": "b1 b2 b3 b5 sb",
		"//li[2]": "i2", "xpath=//li[last()]": "i3", "(//li)[1]": "i1", "//li/b/text()": "bb", "#ul >> //b": "bb", "//ul >> xpath=./li[3]": "i3",
		"text=first item": "i1", "text=Second item": "i2", `text="Save"`: "b1", `text="save"`: "b3", "text=/^save$/i": "b1 b3", "text=Save": "b1 b2 b3 b5 sb", "text=secret": "", "text=Break here": "p1",
		"text=slotted": "slotted", "text=deep": "deep", "text=send it": "sub", `"Save all"`: "b2", "'Title'": "h1", "text=title": "h1 em", "text=Link text": "lks",
		`role=button[name="Save"]`: "b1", "role=button[name=save]": "b1 b2 b3 b5 sb", `role=button[name=/^save/i]`: "b1 b2 b3 b5", "role=button[name='Save'][disabled]": "", "role=button[disabled]": "b5",
		"role=button[name=save][disabled=false]": "b1 b2 b3 sb", "role=button[expanded]": "b6", "role=button[expanded=true]": "b6", "role=button[pressed=false][name=Bold]": "b7", "role=heading[level=2]": "h2",
		"role=heading": "h1 h2", "role=checkbox[checked]": "c1", "role=checkbox[checked=false]": "c2", "role=listitem >> nth=1": "i2", "role=listitem >> nth=-1": "i3", "role=link": "lk", "role=image[name=cat]": "im", `role=img[name="A cat"]`: "im",
		`role=button[name="It's 5 > 3"]`: "b8", `role=button[name="It\'s 5 > 3"]`: "b8", `role=BUTTON[name="Menu"]`: "b6",
		"label=your mail": "mail", "label=Search": "q", `label="Your mail"`: "mail", "label=/mail$/": "mail", "placeholder=you@": "mail", "title=mail": "mail", "alt=cat": "im", `alt="cat"`: "", "testid=third": "i3", "testid=thir": "", "testid=/thi/": "i3",
		"#ul >> text=item": "i1 bb", "#ul >> li >> nth=0": "i1", "button >> :visible >> nth=1": "b2", "button >> visible=false": "b4", "#host >> button": "sb deep", "#host >> text=shadow": "sb", "#ul >> role=listitem >> nth=2": "i3",
		"text=Don't": "", "#nothing": "", "nothing": "",
	} {
		if got := b.idsOf(locator); got != want {
			t.Errorf("%s: got %q, want %q", locator, got, want)
		}
	}
	for locator, words := range map[string]string{
		"#a[": "not a valid CSS", "..": "not a valid CSS", "a >>": "empty", "": "empty", "//[": "not a valid XPath", "xpath=count(//li)": "for a value",
		"role=buton": "not an ARIA role", "role=button[nam=x]": "[nam] is not known", "role=button[name=\"x\"": "not", "text=/(/": "regular expression", "nth=1": "before it",
		"li >> nth=x": "wants a number", "li, ": "empty", "role=button[name]": "wants a value", ":visible(": "not a valid CSS", "a:foo": "not a valid CSS",
	} {
		if got := b.idsOf(locator); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, words) {
			t.Errorf("%s: got %q, want an error with %q", locator, got, words)
		}
	}
}

// idsOf returns the ids of what a locator finds in the top document.
func (b *bench) idsOf(locator string) string {
	b.t.Helper()
	var r struct {
		Error string `json:"error"`
		Items []struct {
			Desc string `json:"desc"`
		} `json:"items"`
	}
	if err := b.tab.Main().Call(b.ctx, "", "locate", &r, locator, map[string]int{"limit": 50}); err != nil {
		b.t.Fatal(locator, err)
	}
	if r.Error != "" {
		return "error: " + r.Error
	}
	var out []string
	for _, it := range r.Items {
		_, id, _ := strings.Cut(it.Desc, ` id="`)
		id, _, _ = strings.Cut(id, `"`)
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func TestFindAmbiguous(t *testing.T) {
	b := open(t, `<!doctype html><button id=a>Edit</button><button id=b>Edit</button><button id=c>Edit</button><iframe srcdoc="<button>Edit</button>"></iframe><p class=v style="display:none">x</p><p class=v>y</p>`)
	start := time.Now()
	_, err := action.Find(b.ctx, b.tab, "button", action.FindOptions{})
	wantCode(t, err, api.Ambiguous, "matches 4 elements", `[button] "Edit"`, "@e1", "@e4", "nth=0")
	if d := time.Since(start); d > 3*time.Second {
		t.Errorf("took %v", d)
	}
	el, err := action.Find(b.ctx, b.tab, ".v", action.FindOptions{})
	if err != nil || el.Name != "" {
		t.Errorf("the only visible match: %v %v", el, err)
	}
	if _, err := b.tab.Ref("@e4"); err != nil {
		t.Error("a listed ref does not resolve: ", err)
	}
	b.js("setTimeout(()=>{b.remove();c.remove();document.querySelector('iframe').remove()},150)")
	if el := b.find("button"); el.Role != "button" {
		t.Errorf("%v", el)
	}
}

func TestFindNothing(t *testing.T) {
	b := open(t, `<!doctype html><button id=Save>Save changes</button><button style="display:none">Later</button><iframe srcdoc="x"></iframe>`)
	short := action.FindOptions{Timeout: 200 * time.Millisecond}
	for target, words := range map[string][]string{
		"#nope":                     {`nothing matches "#nope"`, "snapshot -i", "2 frames"},
		"#save":                     {"similar: @e", "Save changes"},
		`role=button[name="Later"]`: {"hidden, so it does not count"},
		`role=button[name="Save"]`:  {"similar:", "Save changes"},
		`role=button[name="Zzz"]`:   {"of that role there is", "Save changes"},
		"Save":                      {"text=Save"},
		`text="save changes"`:       {"similar:"},
		"text=later":                {"hidden"},
	} {
		_, err := action.Find(b.ctx, b.tab, target, short)
		if err == nil {
			t.Errorf("%s was found", target)
			continue
		}
		wantCode(t, err, api.NotFound, words...)
	}
	start := time.Now()
	_, err := action.Find(b.ctx, b.tab, "@e999", action.FindOptions{})
	wantCode(t, err, api.UnknownRef, "snapshot")
	if d := time.Since(start); d > 50*time.Millisecond {
		t.Errorf("an unknown ref took %v", d)
	}
	_, err = action.Find(b.ctx, b.tab, "#a[", action.FindOptions{})
	wantCode(t, err, api.BadUsage, "cannot be read")
}

func TestFindWaits(t *testing.T) {
	b := open(t, `<!doctype html><iframe id=f srcdoc="x"></iframe><div id=h></div><script>h.attachShadow({mode:'open'});
setTimeout(()=>h.shadowRoot.innerHTML='<button id=late>Late</button>',250);
setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<iframe srcdoc="<button id=framed>In a new frame</button>"></iframe>'),500);
setTimeout(()=>f.srcdoc='<button id=again>After navigation</button>',700)</script>`)
	for _, id := range []string{"#late", "#framed", "#again"} {
		b.find(id)
	}
	// A tab behind another one is watched as well.
	b.js("setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<b id=hid>x</b>'),400)")
	if _, err := b.bctx.Open(b.ctx); err != nil {
		t.Fatal(err)
	}
	b.find("#hid")
}

// The tags that role= looks at must include all that can have the role.
func TestLocatorRoleTags(t *testing.T) {
	b := open(t, locators+`<article><header>h</header><footer>f</footer></article><aside>a</aside><blockquote>b</blockquote><table><caption>c</caption><thead><tr><th>h</th></tr></thead><tbody><tr><th scope=row>r</th><td>1</td></tr></tbody></table>
<details open><summary>Sum</summary>x</details><dialog open>d</dialog><fieldset><legend>l</legend></fieldset><figure><figcaption>f</figcaption></figure><hr><input type=range><input type=number><input type=search><input type=radio><input type=image alt=i><input list=dl><datalist id=dl><option>1</datalist>
<input type=file><input type=color><input type=date><input type=checkbox switch><button popovertarget=po>p</button><div popover id=po>p</div><audio controls></audio><video controls width=20></video><canvas width=9 height=9></canvas><iframe width=9 height=9></iframe><object data="data:text/html,x" width=9 height=9></object>
<main>m</main><menu><li>x</menu><meter value=1></meter><nav>n</nav><ol><li>1</ol><output>o</output><progress></progress><section aria-label=s>s</section><select size=3><optgroup label=g><option>1</select><textarea></textarea><time>t</time><strong>s</strong><em>e</em><code>c</code><del>d</del><ins>i</ins><sub>s</sub><sup>s</sup><dfn>d</dfn><search>s</search><address>a</address><mark>m</mark><s>s</s><math><mi>x</mi></math><map name=m><area href=# shape=rect coords=0,0,9,9 alt=a></map><img usemap=#m width=9 height=9 alt=b><dl><dt>t<dd>d</dl><hgroup><h3>x</h3></hgroup><label><input type=radio style="display:none">styled</label><label><input type=checkbox style="display:none">styled</label><label><input type=file style="display:none">styled</label><svg role=img aria-label=x width=9 height=9><a href=#><circle r=4 /></a></svg><div contenteditable>e</div><form aria-label=f>f</form><header>top</header><footer>bottom</footer><ruby>r<rt>t</rt></ruby><q>q</q><abbr title=x>x</abbr><kbd>k</kbd><samp>s</samp><var>v</var><cite>c</cite><b>b</b><small>s</small><bdi>b</bdi><data value=1>d</data>`)
	type item struct {
		ID      int    `json:"id"`
		Role    string `json:"role"`
		Desc    string `json:"desc"`
		Visible bool   `json:"visible"`
	}
	var all, some struct {
		Items []item `json:"items"`
	}
	locate := func(l string, out any) {
		if err := b.tab.Main().Call(b.ctx, "", "locate", out, l, map[string]int{"limit": 1000}); err != nil {
			t.Fatal(l, err)
		}
	}
	locate("*", &all)
	roles := map[string][]item{}
	for _, it := range all.Items {
		if it.Role != "" && it.Visible {
			roles[it.Role] = append(roles[it.Role], it)
		}
	}
	if len(roles) < 50 {
		t.Errorf("only %d roles on the page", len(roles))
	}
	for role, want := range roles {
		some.Items = nil
		locate("role="+role, &some)
		got := map[int]bool{}
		for _, it := range some.Items {
			got[it.ID] = true
		}
		for _, it := range want {
			if !got[it.ID] {
				t.Errorf("role=%s does not find %s", role, it.Desc)
			}
		}
	}
}
