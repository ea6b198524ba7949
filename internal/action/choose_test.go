package action_test

import (
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
)

func TestSelect(t *testing.T) {
	b := open(t, `<!doctype html><select id=s><option value="">Choose<option value=t>Tiger<option value=o> Snowy  Owl <option value=d disabled>Dodo<optgroup label=x disabled><option value=z>Zebra</optgroup></select>
<select id=m multiple><option>One<option>Two<option>Three</select><div id=cb role=combobox tabindex=0 aria-expanded=false>Pick</div><p id=no>text</p>
<select id=late><option>Loading</select><select id=pick><option>a<option>b</select>
<script>ev=[];for(const t of ['input','change'])addEventListener(t,e=>ev.push(t+':'+e.target.id),true);setTimeout(()=>late.innerHTML='<option>Ready',300);pick.onchange=()=>setTimeout(()=>pick.value='a',0)</script>`)
	choose := func(id string, values ...string) (string, error) {
		res, err := action.Select(b.ctx, b.tab, b.find(id), values, action.Options{Timeout: time.Second})
		return strings.Join(res.Picked, ","), err
	}
	for _, c := range []struct{ id, by, label, value string }{
		{"#s", "t", "Tiger", "t"}, {"#s", "Snowy Owl", "Snowy Owl", "o"}, {"#s", "tiger", "Tiger", "t"}, {"#s", "index=2", "Snowy Owl", "o"},
		{"#s", "label=Tiger", "Tiger", "t"}, {"#s", "value=o", "Snowy Owl", "o"}, {"#late", "Ready", "Ready", "Ready"},
	} {
		got, err := choose(c.id, c.by)
		if err != nil {
			t.Errorf("%s: %s", c.by, text(err))
		}
		if v := b.js(c.id[1:] + ".value"); got != c.label || v != c.value {
			t.Errorf("%s: picked %q, value %q", c.by, got, v)
		}
	}
	if _, err := choose("#m", "One", "Three"); err != nil {
		t.Error(text(err))
	}
	b.want("[...m.selectedOptions].map(o=>o.value).join()", "One,Three")
	if _, err := choose("#m", "Two"); err != nil {
		t.Error(text(err))
	}
	b.want("[...m.selectedOptions].map(o=>o.value).join()", "Two")
	for _, c := range []struct {
		id    string
		by    []string
		code  api.Code
		words string
	}{
		{"#s", []string{"Lion"}, api.NotFound, `"Tiger"`}, {"#s", []string{"d"}, api.NotEnabled, "disabled"}, {"#s", []string{"Zebra"}, api.NotEnabled, "disabled"},
		{"#s", []string{"t", "o"}, api.BadUsage, "one option"}, {"#cb", []string{"x"}, api.NotVerified, "no list of options came"}, {"#no", []string{"x"}, api.BadUsage, "is no list"},
	} {
		_, err := choose(c.id, c.by...)
		if err == nil {
			t.Fatalf("%v succeeded", c.by)
		}
		wantCode(t, err, c.code, c.words)
	}
	_, err := choose("#pick", "b")
	if err == nil {
		t.Fatal("a selection that did not last succeeded")
	}
	wantCode(t, err, api.NotVerified, "did not keep")
}

func TestCheck(t *testing.T) {
	b := open(t, `<!doctype html><input type=checkbox id=c><input type=radio name=r id=r1 checked><input type=radio name=r id=r2><div id=sw role=switch tabindex=0 aria-checked=false onclick="setTimeout(()=>this.setAttribute('aria-checked',this.getAttribute('aria-checked')!=='true'),0)" style="width:40px;height:20px"></div>
<input type=checkbox id=stubborn onclick="return false"><button id=b>B</button><label id=lb><input type=checkbox style="display:none" id=hid>Styled</label>`)
	check := func(id string, on bool) (action.Result, error) {
		return action.Check(b.ctx, b.tab, b.ref(id), on, action.ClickOptions{Options: action.Options{Timeout: time.Second}})
	}
	for _, id := range []string{"#c", "#r2", "#sw", "#lb"} {
		if res, err := check(id, true); err != nil || res.State != "true" {
			t.Errorf("%s: %+v %v", id, res, err)
		}
	}
	b.want("[c.checked,r2.checked,sw.getAttribute('aria-checked'),hid.checked].join()", "true,true,true,true")
	if res, err := check("#c", true); err != nil || res.Note == "" {
		t.Errorf("again: %+v %v", res, err)
	}
	b.want("c.checked", "true")
	if _, err := check("#c", false); err != nil {
		t.Error(text(err))
	}
	b.want("c.checked", "false")
	_, err := check("#r2", false)
	wantCode(t, err, api.BadUsage, "radio")
	_, err = check("#stubborn", true)
	wantCode(t, err, api.NotVerified, "not checked")
	_, err = check("#b", true)
	wantCode(t, err, api.BadUsage, "cannot be checked")
}
