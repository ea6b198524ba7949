package action_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// What a page does on mousemove happens after the check and before the press.

func TestGuardCoverAppears(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b style="width:200px;height:60px">Buy</button><script>
let once=true; addEventListener('mousemove',()=>{ if(!once)return; once=false;
 const d=document.createElement('div'); d.id='over'; d.style='position:fixed;inset:0;background:#0008'; d.onpointerdown=d.onmousedown=d.onmouseup=d.onclick=()=>seen.push('WRONG'); document.body.append(d); setTimeout(()=>d.remove(),150) })</script>`)
	b.click("#b")
	b.want("seen.join()", "pointerdown:b,mousedown:b,mouseup:b,click:b")
}

func TestGuardElementSwapped(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>button{position:absolute;left:0;top:0;width:200px;height:60px}</style><button id=keep>Keep</button><script>
let once=true; addEventListener('mousemove',()=>{ if(!once)return; once=false; const d=document.createElement('button'); d.id='delete'; d.textContent='Delete'; keep.style.top='200px'; document.body.append(d) })</script>`)
	b.click("#keep")
	b.want("seen.join()", "pointerdown:keep,mousedown:keep,mouseup:keep,click:keep")
}

func TestGuardReplacedSelector(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b>Save</button><script>
let n=0; addEventListener('mousemove',()=>{ if(n++)return; b.outerHTML='<button id=b>Save</button>' })</script>`)
	if _, err := action.Click(b.ctx, b.tab, b.find("#b"), action.ClickOptions{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("seen.join()", "pointerdown:b,mousedown:b,mouseup:b,click:b")
	// A ref means the node: its replacement is not clicked.
	b = open(t, `<!doctype html>`+log+`<button id=b>Save</button><script>
addEventListener('mousemove',()=>{ b.outerHTML='<button id=b>Save</button>' })</script>`)
	_, err := action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{})
	wantCode(t, err, api.StaleRef, "no longer in the page", "snapshot")
	b.want("seen.join()", "")
}

func TestGuardMovesWhenPressed(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<body id=body><button id=b style="position:absolute;left:0;top:0" onmousedown="this.style.top='300px'">B</button>`)
	start := time.Now()
	_, err := action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{})
	wantCode(t, err, api.NotVerified, "moved away")
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	// The release is the page's, the click on what both have in common is not.
	b.want("seen.filter(x=>x.startsWith('click')).join()", "")
	b.want("seen.filter(x=>x.startsWith('mousedown')).length", "1")
}

func TestGuardDisabledWhenPressed(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b onmousedown="this.disabled=true">B</button>`)
	wantCode(t, b.refuse("#b"), api.NotVerified, "disabled by the page")
}

func TestGuardHiddenWhenPressed(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<div role=listbox aria-label=Job><div role=option tabindex=0 id=b onpointerdown="this.style.display='none';document.title='chosen'">Engineer</div></div>`)
	if res := b.click("#b"); res.Note == "" {
		t.Error("no note")
	}
	b.want("document.title", "chosen")
}

func TestGuardIsOff(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b>B</button><button id=c>C</button>`)
	b.click("#b")
	// Input that is not ours passes, right after an action and after a failed one.
	b.js(`b.disabled=true`)
	_ = b.refuse("#b")
	pt := b.js(`(()=>{const r=c.getBoundingClientRect();return JSON.stringify([r.x+3,r.y+3])})()`)
	b.press(pt)
	b.want("seen.at(-1)", "click:c")
	// And what a script dispatches is not input.
	b.js(`b.disabled=false;seen=[];addEventListener('mousemove',()=>c.click(),{once:true})`)
	b.click("#b")
	b.want("seen.filter(x=>x.startsWith('click')).join()", "click:c,click:b")
}

func TestMoving(t *testing.T) {
	for _, c := range []struct{ name, css, script string }{
		{"slides in", "#b{animation:in .4s linear}@keyframes in{from{margin-left:600px}}", ""},
		{"transition", "#b{margin-left:600px;transition:margin .4s}#b.on{margin-left:0}", "requestAnimationFrame(()=>requestAnimationFrame(()=>b.className='on'))"},
		{"parent moves", "#p{animation:in .4s linear}@keyframes in{from{transform:translateX(600px)}}", ""},
		{"pushed by another", "#x{animation:h .4s linear;height:0}@keyframes h{from{height:300px}}", ""},
		{"pulses for ever", "#b{animation:pulse 1s infinite}@keyframes pulse{50%{transform:scale(1.06)}}", ""},
		{"fades", "#b{animation:f 20s}@keyframes f{from{opacity:0}}", ""},
		{"spinner inside", "#i{display:inline-block;animation:s 1s linear infinite}@keyframes s{to{transform:rotate(360deg)}}", ""},
		{"drifts by script", "", "let x=0;(function f(){b.style.marginLeft=(x+=.5)+'px';requestAnimationFrame(f)})()"},
		{"jumps then rests", "", "let x=0,t=setInterval(()=>{b.style.marginLeft=(x+=130)%700+'px'},4);setTimeout(()=>clearInterval(t),600)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, `<!doctype html>`+log+`<style>`+c.css+`</style><div id=x></div><div id=p><button id=b style="width:100px"><span id=i>o</span>B</button></div><script>`+c.script+`</script>`)
			_, err := action.Click(b.ctx, b.tab, b.find("#b"), action.ClickOptions{})
			if err != nil {
				t.Fatal(text(err))
			}
			b.want("seen.filter(x=>/^click/.test(x)).length", "1")
			b.want("seen.filter(x=>!/:(b|i)$/.test(x)).join()", "")
		})
	}
}

// restless is an animation m that goes to and fro without a period that two frames
// could hit: on a busy machine a regular one may look as if it stood still.
var restless = func() string {
	var b strings.Builder
	b.WriteString("@keyframes m{")
	for i := range 81 {
		fmt.Fprintf(&b, "%.2f%%{left:%dpx}", float64(i)*1.25, i%2*500+i*37%200)
	}
	return b.String() + "}"
}()

func TestMovingForEver(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>#b{position:absolute;width:60px;animation:m 7.3s linear infinite}`+restless+`</style><button id=b>B</button>`)
	_, err := action.Click(b.ctx, b.tab, b.ref("#b"), action.ClickOptions{Options: action.Options{Timeout: 1500 * time.Millisecond}})
	wantCode(t, err, api.Moving, "does not stand still")
	b.want("seen.filter(x=>!/:b$/.test(x)).join()", "")
}

func TestWaits(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b disabled>Enabled late</button><button id=c hidden>Shown late</button>
<script>setTimeout(()=>b.disabled=false,300);setTimeout(()=>c.hidden=false,500);setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<button id=d>Added late</button>'),700)</script>`)
	for _, id := range []string{"#b", "#c", "#d"} {
		el, err := action.Find(b.ctx, b.tab, id, action.FindOptions{})
		if err != nil {
			t.Fatal(text(err))
		}
		if _, err := action.Click(b.ctx, b.tab, el, action.ClickOptions{}); err != nil {
			t.Fatal(text(err))
		}
	}
	b.want("seen.filter(x=>/^click/.test(x)).join()", "click:b,click:c,click:d")
}

func TestRecycledRow(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b>Pay Alice</button>`)
	el := b.ref("#b")
	b.js("b.textContent='Pay Bob'")
	start := time.Now()
	_, err := action.Click(b.ctx, b.tab, el, action.ClickOptions{})
	wantCode(t, err, api.ChangedRef, "Pay Alice", "Pay Bob", "snapshot")
	b.js("b.remove()")
	_, err = action.Click(b.ctx, b.tab, el, action.ClickOptions{})
	wantCode(t, err, api.StaleRef, "Pay Alice")
	if d := time.Since(start); d > time.Second {
		t.Errorf("took %v", d)
	}
	b.goTo(b.a + "/")
	_, err = action.Click(b.ctx, b.tab, el, action.ClickOptions{})
	wantCode(t, err, api.StaleRef)
	b.want("seen.join()", "")
}

// What goes away under the pointer gets no click, however it goes.
func TestGuardLostClick(t *testing.T) {
	for how, script := range map[string]string{
		"taken out": "this.remove()", "hidden": "this.hidden=true", "disabled": "this.disabled=true",
		"replaced": "this.outerHTML='<button>Save</button>'",
	} {
		b := open(t, `<!doctype html>`+log+`<button id=b onmousedown="`+script+`">Save</button>`)
		wantCode(t, b.refuse("#b"), api.NotVerified, how, "no click")
		b.want("seen.filter(x=>/^click/.test(x)).join()", "")
	}
}

// React and others render a list anew on focus changes: the pressed node goes,
// one like it comes.
func TestGuardRenderedAnewWhenPressed(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<div id=p><button id=b onmousedown="p.innerHTML='<button>Save</button>'">Save</button></div>`)
	wantCode(t, b.refuse("#b"), api.NotVerified, "replaced", "again")
	b.want("seen.filter(x=>/^click/.test(x)).join()", "")
}

func TestGuardPointerCapture(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<div id=track style="width:300px;height:40px;background:#eee"><button id=thumb style="width:60px;height:40px">T</button></div><script>track.onpointerdown=e=>track.setPointerCapture(e.pointerId)</script>`)
	b.click("#thumb")
	b.want("seen.at(-1).startsWith('click')", "true")
}

func TestGuardPreventedPress(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b onpointerdown="event.preventDefault()" onmousedown="event.preventDefault()">B</button>`)
	b.click("#b")
	b.want("seen.at(-1)", "click:b")
}

func TestGuardDocumentOpen(t *testing.T) {
	b := open(t, `<!doctype html><p>old</p>`)
	b.js(`document.open();document.write('<!doctype html><style>button{position:absolute;left:0;top:0;width:200px;height:60px}</style><button id=b>B</button>');document.close()`)
	b.js(`seen=[];for(const t of ['pointerdown','click'])document.addEventListener(t,e=>seen.push(t+':'+e.target.id),true);let once=true;document.addEventListener('mousemove',()=>{if(!once)return;once=false;const d=document.createElement('button');d.id='over';document.body.append(d);setTimeout(()=>d.remove(),100)})`)
	b.click("#b")
	b.want("seen.join()", "pointerdown:b,click:b")
}

func TestBusyPage(t *testing.T) {
	b := open(t, `<!doctype html><button id=b onclick="for(const e=Date.now()+7000;Date.now()<e;);">Spin</button>`)
	start := time.Now()
	res := b.click("#b")
	if d := time.Since(start); d > 6500*time.Millisecond || res.Note == "" {
		t.Errorf("after %v: %+v", d, res)
	}
}

func TestZoomedPages(t *testing.T) {
	for _, css := range []string{"html{zoom:1.5}", "body{zoom:.6}", "html{zoom:.8}body{zoom:1.4}", "body{transform:scale(.7) rotate(3deg)}", "html{direction:rtl}"} {
		b := open(t, `<!doctype html>`+log+`<style>`+css+`</style><div style="height:1500px;width:1800px"></div><button id=b style="width:40px;height:20px;margin-left:500px">B</button>`)
		b.click("#b")
		b.want("seen.at(-1)", "click:b")
	}
}

// A snapshot cuts long names; a name may also end in an ellipsis by itself.
func TestRecycledLongName(t *testing.T) {
	long := strings.Repeat("long name ", 40)
	b := open(t, `<!doctype html>`+log+`<button id=b>Delete…</button><button id=l>`+long+`</button>`)
	short := b.ref("#b")
	b.js("b.textContent='Delete all…'")
	_, err := action.Click(b.ctx, b.tab, short, action.ClickOptions{})
	wantCode(t, err, api.ChangedRef, "Delete all…")
	el := b.find("#l")
	label := page.Label(b.refs.Assign(el.Frame, el.Doc, el.ID, el.Role, el.Name[:199]+"…", false), false)
	cut, err := b.tab.Ref(label)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Click(b.ctx, b.tab, cut, action.ClickOptions{}); err != nil {
		t.Fatal(text(err))
	}
	b.js("l.textContent='other '+l.textContent")
	_, err = action.Click(b.ctx, b.tab, cut, action.ClickOptions{})
	wantCode(t, err, api.ChangedRef)
	b.want("seen.filter(x=>/^click/.test(x)).join()", "click:l")
}

// A card that is clickable by its looks has no accessible name; what a snapshot
// calls it must not change either.
func TestRecycledCard(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<div id=c style="cursor:pointer" onclick="1">Flight to Rome</div>`)
	el := b.ref("#c")
	b.click("#c")
	b.js("c.textContent='Flight to Oslo'")
	_, err := action.Click(b.ctx, b.tab, el, action.ClickOptions{})
	wantCode(t, err, api.ChangedRef, "Rome")
	b.want("seen.filter(x=>/^click/.test(x)).length", "1")
}
