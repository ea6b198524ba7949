package action_test

import (
	"testing"
	"time"

	"gstack/internal/action"
)

// TestWheelElsewhere: the wheel is for what it is turned over, not for what it
// was turned over before.
func TestWheelElsewhere(t *testing.T) {
	b := open(t, `<!doctype html><div id=map style="width:200px;height:80px">map</div><p id=flat>flat</p><div id=low style="height:3000px"></div>
<script>got=[];addEventListener('wheel',e=>got.push(e.target.id+':'+e.clientY),true)</script>`)
	o := action.Options{Timeout: 5 * time.Second}
	for _, id := range []string{"#low", "#flat", "#map", "#flat"} {
		if _, err := action.Wheel(b.ctx, b.tab, b.find(id), 0, 20, o); err != nil {
			t.Fatal(text(err), b.js("got.join(' ')"))
		}
	}
	b.want("got.map(s=>s.split(':')[0]).join()", "low,flat,map,flat")
}

// TestWheelAfterPointer: the wheel where the pointer is, and then over an element.
func TestWheelAfterPointer(t *testing.T) {
	b := open(t, `<!doctype html><p id=flat>flat</p><div style="position:relative;height:40px" id=d><button id=under>Under</button></div><div id=low style="height:3000px"></div>
<script>got=[];addEventListener('wheel',e=>got.push(e.target.id+':'+e.clientY+':'+scrollY),true)</script>`)
	o := action.Options{Timeout: 5 * time.Second}
	if _, err := action.Mouse(b.ctx, b.tab, "move", "left", &action.Point{X: 300, Y: 500}, o); err != nil {
		t.Fatal(text(err))
	}
	if _, err := action.Wheel(b.ctx, b.tab, nil, 0, 60, o); err != nil {
		t.Fatal(text(err))
	}
	if _, err := action.Wheel(b.ctx, b.tab, b.find("#flat"), 0, 50, o); err != nil {
		t.Fatal(text(err), b.js("got.join(' ')"))
	}
	b.want("got.map(s=>s.split(':')[0]).join()", "low,flat")
}
