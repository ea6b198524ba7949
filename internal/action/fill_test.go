package action_test

import (
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
)

func (b *bench) fill(locator, value string) action.Result {
	b.t.Helper()
	res, err := action.Fill(b.ctx, b.tab, b.find(locator), value, action.Options{Timeout: time.Second})
	if err != nil {
		b.t.Fatalf("fill %s: %s", locator, text(err))
	}
	return res
}

func (b *bench) fillFails(locator, value string, code api.Code, words ...string) {
	b.t.Helper()
	_, err := action.Fill(b.ctx, b.tab, b.find(locator), value, action.Options{Timeout: 300 * time.Millisecond})
	if err == nil {
		b.t.Fatalf("fill %s with %q succeeded", locator, value)
	}
	wantCode(b.t, err, code, words...)
}

const events = `<script>ev=[];for(const t of ['beforeinput','input','change','keydown'])addEventListener(t,e=>ev.push(t+(e.isTrusted?'':'*')),true)</script>`

func TestFillText(t *testing.T) {
	b := open(t, `<!doctype html>`+events+`<input id=i value=old><textarea id=ta>old</textarea><input type=password id=pw><input type=search id=se><input type=email id=em><input type=url id=ur><input type=tel id=te><label id=l>Name <input id=inl></label>`)
	for _, v := range []string{"plain", "", "  two  spaces ", "emoji 👩‍👩‍👧 😀 \U0001F468‍\U0001F680", "שלום עולם", "e\u0301 中文", `quotes " ' <b> \`, strings.Repeat("long ", 400)} {
		for _, id := range []string{"#i", "#ta", "#se", "#te", "#pw"} {
			res := b.fill(id, v)
			if got := b.js(id[1:] + ".value"); got != v {
				t.Errorf("%s holds %q, want %q", id, got, v)
			}
			if res.Altered || res.Secret != (id == "#pw") || id == "#pw" && res.Value != "" {
				t.Errorf("%s: %+v", id, res)
			}
		}
	}
	b.js("document.activeElement.blur();ev=[]")
	b.fill("#em", "a@b.test")
	b.want("em.value+ev", "a@b.testbeforeinput,input,change*")
	b.fill("#ta", "one\ntwo\r\n\r\nfour")
	b.want("ta.value", "one\ntwo\n\nfour")
	b.fill("#l", "by label")
	b.want("inl.value", "by label")
	b.fill("#i", "two\nlines")
	b.want("i.value", "two lines")
}

func TestFillTyped(t *testing.T) {
	b := open(t, `<!doctype html><input type=date id=date><input type=time id=time><input type=number id=num min=1 max=10><input type=range id=rng value=50><input type=color id=col><input type=datetime-local id=dtl><input type=month id=mon><input type=week id=week>
<script>ev=[];for(const i of document.querySelectorAll('input'))for(const n of ['input','change'])i.addEventListener(n,()=>ev.push(i.id+':'+n))</script>`)
	for id, v := range map[string]string{"date": "2026-12-31", "time": "09:30", "num": "7", "rng": "70", "col": "#FF8800", "dtl": "2026-12-31T09:30", "mon": "2026-12", "week": "2026-W07"} {
		b.js("ev=[]")
		b.fill("#"+id, v)
		if got := b.js(id + ".value"); !strings.EqualFold(got, v) {
			t.Errorf("%s holds %q", id, got)
		}
		b.want("ev.join()", id+":input,"+id+":change")
		if id != "rng" && id != "col" {
			b.fill("#"+id, "")
			b.want(id+".value", "")
		}
	}
	b.fillFails("#date", "31/12/2026", api.BadUsage, "YYYY-MM-DD")
	b.fillFails("#num", "abc", api.BadUsage, "a number")
	b.fillFails("#col", "orange", api.BadUsage, "#rrggbb")
	b.fillFails("#time", "9h", api.BadUsage, "HH:MM")
	b.want("date.value+num.value", "")
	if res := b.fill("#rng", "900"); !res.Altered || res.Value != "100" {
		t.Errorf("slider: %+v", res)
	}
}

func TestFillRefused(t *testing.T) {
	b := open(t, `<!doctype html><input id=ro readonly value=fixed><input id=off disabled><input type=checkbox id=cb><select id=s><option>x</select><div id=d>text</div><button id=bt>B</button><input type=file id=f><div id=aro contenteditable aria-readonly=true role=textbox>fix</div><input id=no onbeforeinput="event.preventDefault()" value=keep><input id=rev value=a oninput="this.value='a'"><input id=wipe oninput="this.value=''"><input id=steal onfocus="ro.focus()">`)
	b.fillFails("#ro", "new", api.NotEditable, "read-only")
	b.fillFails("#off", "new", api.NotEnabled, "disabled")
	b.fillFails("#cb", "new", api.NotEditable, "browse check")
	b.fillFails("#s", "new", api.NotEditable, "browse select")
	b.fillFails("#f", "new", api.NotEditable, "(file)")
	b.fillFails("#d", "new", api.NotEditable, "takes no text")
	b.fillFails("#no", "new", api.NotVerified, `"keep"`)
	b.fillFails("#wipe", "new", api.NotVerified, "empty")
	b.fillFails("#steal", "new", api.NotEditable, "focus")
	if res := b.fill("#rev", "new"); !res.Altered || res.Value != "a" {
		t.Errorf("reverting field: %+v", res)
	}
	b.want("ro.value+d.textContent", "fixedtext")
}

// A page that steals the focus after the check must not get the text.
func TestFillFocusStolen(t *testing.T) {
	b := open(t, `<!doctype html><input id=i><input id=pw type=password><script>let n=0;i.onfocus=()=>{ if(n++)return; const c=new MessageChannel();c.port1.onmessage=()=>pw.focus();c.port2.postMessage(0) }</script>`)
	b.fill("#i", "secret words")
	b.want("i.value+'|'+pw.value", "secret words|")
}

func TestFillLimits(t *testing.T) {
	b := open(t, `<!doctype html><input id=max maxlength=5><input id=phone oninput="const d=this.value.replace(/\D/g,'').slice(0,10);this.value=d.replace(/(\d{3})(\d{3})(\d+)/,'($1) $2-$3')"><input id=up oninput="this.value=this.value.toUpperCase()">`)
	for id, c := range map[string][2]string{"#max": {"abcdefgh", "abcde"}, "#phone": {"5551234567", "(555) 123-4567"}, "#up": {"abc", "ABC"}} {
		if res := b.fill(id, c[0]); !res.Altered || res.Value != c[1] {
			t.Errorf("%s: %+v", id, res)
		}
	}
}

// A field whose framework keeps the value: it watches the instance's setter and
// renders its own state over what it did not hear of.
const controlled = `<script>
const state={}; function control(el,prop){
 const d=Object.getOwnPropertyDescriptor(Object.getPrototypeOf(el),prop); let seen=d.get.call(el); state[el.id]=seen;
 Object.defineProperty(el,prop,{configurable:true,get(){return d.get.call(this)},set(v){seen=v;d.set.call(this,v)}});
 const on=()=>{const now=d.get.call(el); if(now===seen)return; seen=now; state[el.id]=now; setTimeout(render,0)};
 for(const t of ['input','change','click'])el.addEventListener(t,on);
 el.sync=()=>d.set.call(el,state[el.id]);
}
const all=[[document.getElementById('name'),'value'],[pet,'value'],[bio,'value'],[tos,'checked']]; all.forEach(([e,p])=>control(e,p));
function render(){all.forEach(([e])=>e.sync())} setInterval(render,20)
</script>`

func TestFillControlled(t *testing.T) {
	b := open(t, `<!doctype html><input id=name><select id=pet><option value="">-<option value=t>Tiger<option value=o>Owl</select><textarea id=bio></textarea><input type=checkbox id=tos>`+controlled)
	b.fill("#name", "Ann")
	b.fill("#bio", "likes owls")
	b.click("#tos")
	if _, err := action.Select(b.ctx, b.tab, b.ref("#pet"), []string{"Tiger"}, action.Options{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("JSON.stringify(state)", `{"name":"Ann","pet":"t","bio":"likes owls","tos":true}`)
	b.fill("#name", "")
	b.want("state.name", "")
}

func TestFillEditors(t *testing.T) {
	b := open(t, `<!doctype html><div id=plain contenteditable role=textbox>old <b>text</b></div><div id=model contenteditable role=textbox></div><div id=po contenteditable=plaintext-only role=textbox>old</div><div id=h></div>
<script>h.attachShadow({mode:'open'}).innerHTML='<div id=inner contenteditable role=textbox>old</div>';
let doc=''; const paint=()=>{ if(model.textContent!==doc) model.textContent=doc; if(document.activeElement===model&&model.firstChild)getSelection().collapse(model.firstChild,doc.length) };
model.addEventListener('beforeinput',e=>{ e.preventDefault(); const r=e.getTargetRanges()[0]; const all=r&&!r.collapsed&&(r.endOffset-r.startOffset>=doc.length||r.startContainer===model);
 if(e.inputType.startsWith('insert'))doc=(all?'':doc)+(e.data??''); else if(e.inputType.startsWith('delete'))doc=all?'':doc.slice(0,-1); paint() });
new MutationObserver(paint).observe(model,{childList:true,characterData:true,subtree:true});</script>`)
	for range 2 {
		b.fill("#plain", "Hello")
		b.want("plain.innerText", "Hello")
		b.fill("#po", "Hello 😀")
		b.want("po.innerText", "Hello 😀")
		b.fill("#inner", "in shadow")
		b.want("h.shadowRoot.firstChild.innerText", "in shadow")
	}
	b.fill("#model", "Hello")
	b.want("doc", "Hello")
	b.fill("#model", "Bye")
	b.want("doc", "Bye")
	b.fill("#model", "")
	b.want("doc", "")
	b.fill("#plain", "one\ntwo\n\nfour")
	b.want("plain.innerText.replace(/\\n+/g,'/')", "one/two/four")
	b.fill("#plain", "")
	b.want("plain.innerText.trim()", "")
}

func TestFillCombobox(t *testing.T) {
	b := open(t, `<!doctype html><input id=q role=combobox aria-expanded=false><p id=out></p><script>q.oninput=()=>out.textContent='query '+q.value</script>`)
	b.fill("#q", "news")
	b.want("out.textContent", "query news")
}

func TestFillNavigates(t *testing.T) {
	b := open(t, `<!doctype html><input id=i oninput="location='/next'">`, "/next", `<title>next</title>`)
	if res := b.fill("#i", "x"); !res.Effects.Navigated {
		t.Errorf("%+v", res)
	}
}
