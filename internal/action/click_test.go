package action_test

import (
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

func (b *bench) find(locator string) *page.Element {
	b.t.Helper()
	el, err := action.Find(b.ctx, b.tab, locator, action.FindOptions{})
	if err != nil {
		b.t.Fatalf("find %s: %v", locator, err)
	}
	return el
}

func (b *bench) click(locator string) action.Result {
	b.t.Helper()
	res, err := action.Click(b.ctx, b.tab, b.ref(locator), action.ClickOptions{})
	if err != nil {
		b.t.Fatalf("click %s: %v", locator, text(err))
	}
	return res
}

// refuse clicks what cannot be clicked and returns the error.
func (b *bench) refuse(locator string) error {
	b.t.Helper()
	_, err := action.Click(b.ctx, b.tab, b.ref(locator), action.ClickOptions{Options: action.Options{Timeout: time.Second}})
	if err == nil {
		b.t.Fatalf("click %s succeeded", locator)
	}
	return err
}

func text(err error) string {
	if e, ok := err.(*api.Error); ok {
		return string(e.Code) + ": " + e.Text()
	}
	return err.Error()
}

func TestClickReaches(t *testing.T) {
	b := open(t, `<!doctype html><button id=b>Save</button><p id=o></p>
<script>n=0;b.onclick=e=>{o.textContent=++n+' '+e.isTrusted+' '+e.detail}</script>`)
	res := b.click("#b")
	b.want("o.textContent", "1 true 1")
	if res.Element.Role != "button" || res.Element.Name != "Save" {
		t.Errorf("element is %v", res.Element)
	}
}

// log is script that records who received which event.
const log = `<script>window.seen=[];for(const t of ['pointerdown','mousedown','mouseup','click','auxclick','contextmenu','dblclick'])
addEventListener(t,e=>seen.push(t+':'+(e.composedPath()[0].id||e.composedPath()[0].nodeName)),true)</script>`

func TestClickCannotWork(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>body{margin:0}</style>
<button id=off disabled>Off</button><fieldset disabled><button id=fs>In fieldset</button></fieldset>
<button id=aria aria-disabled=true>Aria</button><div inert><button id=inert>Inert</button></div>
<button id=invis style="visibility:hidden">Invisible</button><button id=none style="display:none">None</button>
<button id=zero style="width:0;height:0;padding:0;border:0;overflow:hidden">Zero</button>
<button id=ghost style="pointer-events:none">Ghost</button>
<button id=away style="position:fixed;left:-900px;top:0">Away</button>
<div style="height:0;overflow:hidden"><button id=clip>Clipped</button></div>`)
	for _, c := range []struct {
		id   string
		code api.Code
		word string
	}{
		{"off", api.NotEnabled, "disabled"}, {"fs", api.NotEnabled, "fieldset"}, {"aria", api.NotEnabled, "aria-disabled"},
		{"inert", api.NotEnabled, "inert"}, {"invis", api.NotVisible, "not visible"}, {"none", api.NotVisible, "not visible"},
		{"zero", api.NotVisible, "not visible"}, {"ghost", api.NotEnabled, "pointer-events"}, {"away", api.OutsideViewport, "scrolled into view"},
		{"clip", api.OutsideViewport, "scrolled into view"},
	} {
		err := b.refuse("#" + c.id)
		wantCode(t, err, c.code, c.word)
		if e := err.(*api.Error); len(e.Tried) == 0 {
			t.Errorf("%s: nothing tried", c.id)
		}
	}
	b.want("seen.join()", "")
}

func TestClickCovered(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<div style="position:sticky;top:0;height:60px;background:#eee;z-index:2">Sticky</div>
<button id=buy>Buy</button><div id=consent role=dialog aria-label=Cookies style="position:fixed;inset:0;background:#0008;z-index:3"><p>We use cookies</p><button id=ok onclick="consent.remove()">Accept</button></div>`)
	err := b.refuse("#buy")
	wantCode(t, err, api.Covered, `[dialog] "Cookies"`, "dismiss @e", "times")
	b.want("seen.join()", "")
	b.click("#ok")
	b.click("#buy")
	b.want("seen.filter(x=>x.startsWith('click')).join()", "click:ok,click:buy")
}

func TestClickPartlyCovered(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b style="width:200px;height:80px">Wide</button>
<div id=over style="position:absolute;left:40px;top:0;width:130px;height:100px;background:red"></div>`)
	b.click("#b")
	b.want("seen.at(-1)", "click:b")
}

func TestClickAvoidsNestedControls(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<div id=card role=button tabindex=0 style="width:300px;height:100px;text-align:center;padding-top:35px"><a id=inner href="#inner">middle link</a></div>`)
	b.click("#card")
	b.want("seen.at(-1)", "click:card")
}

func TestClickScrolls(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>body{margin:0;height:6000px;scroll-behavior:smooth}html{scroll-behavior:smooth}</style>
<div style="position:fixed;top:0;left:0;right:0;height:120px;background:#ddd;z-index:5">head</div>
<div style="position:fixed;bottom:0;left:0;right:0;height:120px;background:#ddd;z-index:5">foot</div>
<button id=far style="position:absolute;top:4000px;left:10px">Far</button>
<div id=s style="position:absolute;top:2000px;left:100px;width:300px;height:200px;overflow:auto"><div style="height:900px"></div>
<div style="width:150px;height:80px;overflow:auto;border:1px solid"><div style="width:900px;height:400px;position:relative"><button id=deep style="position:absolute;left:700px;top:300px">Deep</button></div></div><div style="height:900px"></div></div>
<button id=hi style="position:absolute;top:10px;left:600px">Under head</button>`)
	b.click("#far")
	b.click("#deep")
	b.want("seen.filter(x=>x.startsWith('click')).join()", "click:far,click:deep")
	wantCode(t, b.refuse("#hi"), api.Covered, "is covered by")
}

func TestClickStickyHeader(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>body{margin:0;height:5000px}</style><div style="position:sticky;top:0;height:500px;background:#eee;z-index:2">tall header</div>
<div style="height:2000px"></div><button id=b>Below</button>`)
	b.js("scrollTo(0, b.offsetTop-200)")
	b.click("#b")
	b.want("seen.at(-1)", "click:b")
}

func TestClickWrappedLink(t *testing.T) {
	b := open(t, `<!doctype html><style>div{width:230px;font:16px/26px monospace}</style>
<div id=p>aaaaaaaaaaaaaaaaaa <a id=a href="#hit">Nobel Prize</a> bbbbbbbbbbbb</div><p id=o>none</p><script>p.onclick=e=>o.textContent=e.target.id</script>`)
	b.click("#a")
	b.want("location.hash+o.textContent", "#hita")
}

func TestClickLabels(t *testing.T) {
	b := open(t, `<!doctype html><style>.h{display:none}.sw{position:absolute;opacity:0;width:1px;height:1px}</style>
<label id=l1><input class=h type=radio name=v value=new>First</label><label id=l2><input class=h type=radio name=v value=old id=old>Again</label>
<label>News <input class=sw type=checkbox id=news><span>toggle</span></label>
<label style="display:inline-block;position:relative"><input type=checkbox id=ok style="position:absolute;inset:0;opacity:0"><span style="background:#cfc">I agree</span></label>
<input type=checkbox id=far style="position:absolute;left:-9999px"><label for=far>Far one</label>
<label id=plain for=txt>Name</label><input id=txt>`)
	if res := b.click("#l2"); res.State != "true" {
		t.Errorf("state after is %q", res.State)
	}
	b.want("old.checked", "true")
	b.click("#old") // by the hidden input itself
	b.click("#news")
	b.want("news.checked", "true")
	b.click("#ok")
	b.want("ok.checked", "true")
	b.click("#far")
	b.want("far.checked", "true")
	res := b.click("#plain")
	b.want("document.activeElement.id", "txt")
	if res.Focus == nil || res.Focus.Role != "textbox" || res.Focus.Name != "Name" {
		t.Errorf("focus went to %v", res.Focus)
	}
}

func TestClickOption(t *testing.T) {
	b := open(t, `<!doctype html><select id=s aria-label=Pet><option>Cat<option id=d>Dog<option disabled id=x>Fish</select><script>ev=[];s.oninput=s.onchange=e=>ev.push(e.type+s.value)</script>`)
	res := b.click("#d")
	if !res.Routed || len(res.Picked) != 1 || res.Picked[0] != "Dog" {
		t.Errorf("result is %+v", res)
	}
	b.want("ev.join()", "inputDog,changeDog")
	_, err := action.Click(b.ctx, b.tab, b.find("#d"), action.ClickOptions{})
	wantCode(t, err, api.BadUsage, "browse select")
	wantCode(t, b.refuse("#x"), api.NotEnabled, "disabled")
}

func TestClickButtonsCountsModifiers(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b>B</button><script>addEventListener('click',e=>mods=[e.ctrlKey,e.shiftKey,e.altKey,e.metaKey].join(),true);keys=[];addEventListener('keydown',e=>keys.push(e.key))</script>`)
	click := func(o action.ClickOptions) {
		t.Helper()
		if _, err := action.Click(b.ctx, b.tab, b.ref("#b"), o); err != nil {
			t.Fatal(text(err))
		}
	}
	click(action.ClickOptions{Count: 2})
	b.want("seen.splice(0).join()", "pointerdown:b,mousedown:b,mouseup:b,click:b,pointerdown:b,mousedown:b,mouseup:b,click:b,dblclick:b")
	click(action.ClickOptions{Button: "right"})
	b.want("seen.splice(0).filter(x=>!/pointer|mouse/.test(x)).join()", "contextmenu:b,auxclick:b")
	click(action.ClickOptions{Button: "middle"})
	b.want("seen.splice(0).filter(x=>!/pointer|mouse/.test(x)).join()", "auxclick:b")
	click(action.ClickOptions{Modifiers: action.Control | action.Shift})
	b.want("mods+' '+keys", "true,true,false,false Control,Shift")
	click(action.ClickOptions{Position: &action.Point{X: 2, Y: 3}})
	_, err := action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{Button: "side"})
	wantCode(t, err, api.BadUsage, "left, middle, right")
}

func TestClickForce(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b style="width:100px;height:40px">B</button><div id=over style="position:fixed;inset:0"></div>`)
	if _, err := action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{Options: action.Options{Force: true}}); err != nil {
		t.Fatal(text(err))
	}
	b.want("seen.at(-1)", "click:over")
}

func TestClickSpecialShapes(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>body{margin:0}</style><button id=contents style="display:contents"><span id=sp>Contents</span></button>
<svg width=200 height=100><path id=arc d="M10 90 A 80 80 0 0 1 190 90" fill=none stroke=black stroke-width=6 role=button aria-label=Arc /></svg>
<map name=m><area id=ar shape=rect coords="10,10,40,40" href="#area" alt=Area></map><img id=im usemap="#m" width=100 height=100 alt=map src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">
<a id=pic href="#pic"><div style="width:120px;height:60px;background:#ccc"></div></a>
<button id=text><span id=inner style="pointer-events:none">Inner text</span></button>`)
	b.click("#contents")
	b.want("seen.at(-1)", "click:sp")
	b.click("#arc")
	b.want("seen.at(-1)", "click:arc")
	b.click("#ar")
	b.want("location.hash", "#area")
	b.click("#pic")
	b.want("location.hash", "#pic")
	b.click("text=Inner text")
	b.want("seen.at(-1)", "click:text")
}

func TestClickShadow(t *testing.T) {
	b := open(t, `<!doctype html><x-open id=host></x-open><x-slot id=sl><button id=light>Light</button></x-slot><p id=o></p><script>
customElements.define('x-inner',class extends HTMLElement{constructor(){super();const s=this.attachShadow({mode:'open'});s.innerHTML='<button>Track</button>';s.querySelector('button').onclick=()=>o.textContent='open'}});
customElements.define('x-open',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<section><x-inner></x-inner></section>'}});
customElements.define('x-slot',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<div style="padding:9px"><slot></slot></div>'}});
light.onclick=()=>o.textContent='slotted'</script>`)
	b.click("#host button")
	b.want("o.textContent", "open")
	b.click("#light")
	b.want("o.textContent", "slotted")
}

func TestClickEffects(t *testing.T) {
	b := open(t, `<!doctype html><a id=nav href="/next">Next</a> <a id=blank href="/next" target=_blank>Blank</a> <button id=al onclick="alert('hi');document.title='after'">Alert</button>
<button id=down onmousedown="alert('down')">Down</button><a id=dl href="data:application/octet-stream,x" download=x.bin>Get</a>
<button id=hash onclick="history.pushState(0,'','/pushed')">Push</button><button id=self onclick="this.remove();document.title='removed'">Self</button>
<button id=md onmousedown="this.remove();document.title='gone on press'">Press</button>`, "/next", `<!doctype html><title>next</title><h1>Next</h1>`)
	if res := b.click("#al"); len(res.Effects.Dialogs) != 1 || res.Effects.Dialogs[0].Message != "hi" {
		t.Errorf("alert: %+v", res.Effects)
	}
	b.want("document.title", "after")
	if res := b.click("#down"); len(res.Effects.Dialogs) != 1 {
		t.Errorf("alert on press: %+v", res)
	}
	b.click("#self")
	b.want("document.title", "removed")
	wantCode(t, b.refuse("#md"), api.NotVerified, "taken out of the page", "done it already")
	b.want("document.title", "gone on press")
	if res := b.click("#hash"); !res.Effects.Navigated || res.Effects.URL != b.a+"/pushed" {
		t.Errorf("push: %+v", res.Effects)
	}
	if res := b.click("#blank"); len(res.Effects.Popups) != 1 {
		t.Errorf("popup: %+v", res.Effects)
	}
	if res := b.click("#dl"); len(res.Effects.Downloads) != 1 {
		t.Errorf("download: %+v", res.Effects)
	}
	if res := b.click("#nav"); !res.Effects.Navigated || res.Effects.URL != b.a+"/next" {
		t.Errorf("navigation: %+v", res.Effects)
	}
	b.want("document.title", "next")
}

func TestClickClosedShadow(t *testing.T) {
	b := open(t, `<!doctype html><div id=h></div><p id=o></p><script>const s=h.attachShadow({mode:'closed'});s.innerHTML='<button id=c>Publish</button><input id=f aria-label=Title><i id=i></i>';s.getElementById('c').onclick=e=>o.textContent='closed '+e.isTrusted;s.getElementById('f').oninput=e=>o.textContent=e.target.value</script>`)
	b.bindClosed()
	b.click("#h button")
	b.want("o.textContent", "closed true")
	b.fill("#f", "Title")
	b.want("o.textContent", "Title")
	b.js("s.getElementById('i').style='position:fixed;inset:0'")
	wantCode(t, b.refuse("#c"), api.Covered, `<i id="i"`)
}

func TestClickOpensTabs(t *testing.T) {
	b := open(t, `<!doctype html><a id=a href="/next">Link</a><button id=w onclick="window.open('/next')">Window</button>`, "/next", "<title>next</title>")
	if res := b.click("#w"); len(res.Effects.Popups) != 1 || res.Effects.Navigated {
		t.Errorf("window.open: %+v", res.Effects)
	}
	if _, err := action.Click(b.ctx, b.tab, b.ref("#a"), action.ClickOptions{Modifiers: action.Control}); err != nil {
		t.Fatal(text(err))
	}
	b.want("location.pathname", "/")
	if n := len(b.all()); n != 3 {
		t.Errorf("%d tabs", n)
	}
}

func TestClickClosesTab(t *testing.T) {
	b := open(t, `<!doctype html><button id=w onclick="window.open('/pop')">Window</button>`, "/pop", `<button id=x onclick="window.close()">Close</button>`)
	b.click("#w")
	b.tab = b.all()[1]
	if err := b.tab.LoadState(b.ctx, "load"); err != nil {
		t.Fatal(err)
	}
	b.click("#x")
	err := b.tab.AwaitURL(b.ctx, func(string) bool { return false })
	wantCode(t, err, api.UnknownTab, "closed")
	_, err = action.Click(b.ctx, b.tab, &page.Element{Frame: b.tab.Main(), ID: 1, Label: "x"}, action.ClickOptions{})
	wantCode(t, err, api.UnknownTab, "closed")
}
