package action_test

import (
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
)

const payFrame = `<!doctype html><style>body{margin:0}</style><div style="height:40px"></div><label>Card <input id=n></label> <button id=pay>Pay now</button>
<script>pay.onclick=e=>top.postMessage('paid '+n.value+' '+e.isTrusted,'*')</script>`

const listen = `<p id=out>none</p><script>addEventListener('message',e=>out.textContent=e.data)</script>`

func TestFrames(t *testing.T) {
	for _, c := range []struct{ name, html string }{
		{"same site", `<iframe src="/pay" style="border:7px solid;padding:5px;margin-left:33px" width=420 height=160></iframe>`},
		{"cross site", `<iframe src="{{b}}/pay" style="border:7px solid;padding:5px;margin-left:33px" width=420 height=160></iframe>`},
		{"below the fold", `<div style="height:3000px"></div><iframe src="{{b}}/pay" width=420 height=160></iframe><div style="height:3000px"></div>`},
		{"taller than the window", `<div style="height:900px"></div><iframe src="{{b}}/low" width=420 height=3000></iframe>`},
		{"in a scroller", `<div style="height:200px;width:300px;overflow:auto"><div style="height:700px"></div><div style="width:1200px;padding-left:700px"><iframe src="{{b}}/pay" width=420 height=160></iframe></div></div>`},
		{"scaled", `<iframe src="{{b}}/pay" width=420 height=160 style="transform:scale(.5);transform-origin:0 0"></iframe>`},
		{"rotated", `<div style="padding:200px"><iframe src="{{b}}/pay" width=420 height=160 style="transform:rotate(30deg) scale(.8);border:4px solid"></iframe></div>`},
		{"skewed by an ancestor", `<div style="transform:skewX(20deg);rotate:10deg;padding:100px"><iframe src="{{b}}/pay" width=420 height=160 style="scale:1.2 .9"></iframe></div>`},
		{"zoomed", `<div style="zoom:1.5;padding:10px"><iframe src="{{b}}/pay" width=420 height=160></iframe></div>`},
		{"three levels", `<iframe src="{{b}}/mid" width=500 height=400></iframe>`},
		{"in a shadow root", `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>x</p><iframe src="{{b}}/pay" width=420 height=160></iframe>'</script>`},
		{"srcdoc", `<iframe width=420 height=160 srcdoc="<button id=pay onclick=&quot;top.postMessage('paid 42 '+event.isTrusted,'*')&quot;>Pay now</button><input id=n aria-label=Card>"></iframe>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, `<!doctype html>`+log+c.html+listen,
				"/pay", payFrame, "/low", `<div style="height:2500px"></div>`+payFrame,
				"/mid", `<!doctype html><div style="height:600px">mid</div><iframe src="{{a}}/pay" width=420 height=160 style="border:9px solid"></iframe>`)
			if _, err := action.Fill(b.ctx, b.tab, b.ref("#n"), "42", action.Options{}); err != nil {
				t.Fatal("fill: ", text(err))
			}
			b.click("#pay")
			b.want("out.textContent", "paid 42 true")
		})
	}
}

func TestFrameCovered(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<iframe src="{{b}}/pay" width=420 height=160></iframe><div id=cover style="position:fixed;inset:0;background:#0008"></div>`+listen, "/pay", payFrame)
	wantCode(t, b.refuse("#pay"), api.Covered, `<div id="cover">`)
	b.want("seen.join()", "")
	b.js("cover.remove()")
	b.click("#pay")
	b.want("out.textContent", "paid  true")
}

// Another frame comes to lie over the element after the check.
func TestFrameGuard(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<style>iframe{position:fixed;left:0;top:0;border:0}</style><button id=b style="width:200px;height:100px">B</button>
<iframe id=ad src="/ad" width=300 height=200 style="display:none"></iframe>`+listen+`<script>
let n=0;addEventListener('mousemove',()=>{ if(n++)return; ad.style.display='block'; ad.getBoundingClientRect(); setTimeout(()=>ad.remove(),200) })</script>`,
		"/ad", `<body style="background:red" onpointerdown="top.postMessage('AD','*')" onmousedown="top.postMessage('AD','*')" onclick="top.postMessage('AD','*')">`)
	b.click("#b")
	b.want("out.textContent+seen.at(-1)", "noneclick:b")
}

func TestFrameHangs(t *testing.T) {
	b := open(t, `<!doctype html>`+log+`<button id=b>B</button><iframe src="{{b}}/hang" width=50 height=50></iframe>`+listen, "/hang", `<script>onmessage=()=>{top.postMessage('hangs','*');setTimeout(()=>{for(const e=Date.now()+6000;Date.now()<e;);})}</script>`)
	b.js("document.querySelector('iframe').contentWindow.postMessage('go','*')")
	b.want("out.textContent", "hangs")
	start := time.Now()
	b.click("#b")
	if d := time.Since(start); d > 3*time.Second {
		t.Errorf("took %v", d)
	}
	b.want("seen.at(-1)", "click:b")
}

func TestFrameGoesAway(t *testing.T) {
	b := open(t, `<!doctype html><iframe id=f src="{{b}}/f" width=300 height=100></iframe>`+listen, "/f", `<!doctype html><button id=b onclick="top.postMessage('bye','*');location='/next'">B</button><a id=top href="{{a}}/next" target=_top>Top</a>`, "/next", `<title>next</title>next`)
	el := b.ref("#b")
	b.click("#b")
	b.want("out.textContent", "bye")
	_, err := action.Click(b.ctx, b.tab, el, action.ClickOptions{})
	wantCode(t, err, api.StaleRef)
	b.goTo(b.a + "/")
	el = b.ref("#b")
	b.js("f.remove()")
	_, err = action.Click(b.ctx, b.tab, el, action.ClickOptions{})
	wantCode(t, err, api.StaleRef)
	b.goTo(b.a + "/")
	if res := b.click("#top"); !res.Effects.Navigated || !strings.HasSuffix(res.Effects.URL, "/next") {
		t.Errorf("effects: %+v", res.Effects)
	}
}

func TestClickFrameElement(t *testing.T) {
	b := open(t, `<!doctype html><iframe id=f src="/f" width=300 height=100></iframe>`+listen, "/f", `<body style="height:90px" onclick="top.postMessage('in','*')">`)
	b.click("#f")
	b.want("out.textContent", "in")
}

// Text for a field in another process must not end in the field that had the
// focus before.
func TestFrameFillKeepsOut(t *testing.T) {
	b := open(t, `<!doctype html><input id=outer><iframe id=f src="{{b}}/f" width=400 height=60></iframe><iframe src="{{b}}/g" width=400 height=60></iframe>`+listen,
		"/f", `<!doctype html><input id=one oninput="top.postMessage('one '+value,'*')">`, "/g", `<!doctype html><input id=two oninput="top.postMessage('two '+value,'*')">`)
	for range 15 {
		b.fill("#outer", "outside")
		b.fill("#one", "first")
		b.want("out.textContent", "one first")
		b.fill("#two", "second")
		b.want("out.textContent", "two second")
		b.want("outer.value", "outside")
		b.fill("#one", "")
		b.want("out.textContent", "one ")
	}
}
