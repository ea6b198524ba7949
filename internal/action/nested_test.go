package action_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gstack/internal/action"
	"gstack/internal/api"
	"gstack/internal/page"
)

// TestNestedControl: a click on a card that is a link never presses a button that
// lies in it, be it there all the time or only under the pointer.
func TestNestedControl(t *testing.T) {
	const head = `<!doctype html><style>body{margin:50px}.card{display:block;position:relative;width:300px;height:200px;overflow:hidden}
.card button{position:absolute;left:0;top:0;width:300px;height:200px}`
	const body = `</style><a class=card href="#opened">Report <button onclick="event.preventDefault();window.pressed=1">Delete</button></a>`
	for name, css := range map[string]string{"there": "", "slides in": ".card button{transform:translateY(200px)} .card:hover button{transform:none}"} {
		t.Run(name, func(t *testing.T) {
			b := open(t, head+css+body)
			for _, el := range []*page.Element{b.find(".card"), b.ref("role=link")} {
				_, err := action.Click(b.ctx, b.tab, el, action.ClickOptions{Options: action.Options{Timeout: time.Second}})
				wantCode(t, err, api.Covered, "Delete")
			}
			b.want("String(window.pressed)", "undefined")
		})
	}
	// What an item of a menu does is what the link in it does.
	b := open(t, `<!doctype html><ul role=menu><li role=menuitem id=i style="width:200px"><a href="#opened" style="display:block">Open</a></li></ul>`)
	if _, err := action.Click(b.ctx, b.tab, b.find("#i"), action.ClickOptions{}); err != nil {
		t.Fatal(text(err))
	}
	b.want("location.hash", "#opened")
}

// TestPointerStays: the pointer is where the last click was.
func TestPointerStays(t *testing.T) {
	b := open(t, `<!doctype html><style>body{margin:0}button{position:absolute;width:100px;height:50px}</style><button style="left:0;top:0" id=a>Far</button><button style="left:300px;top:300px" id=b>Handle</button>
<script>for (const x of [a,b]) x.onmousedown=()=>{window.last=x.id}</script>`)
	if _, err := action.Click(b.ctx, b.tab, b.find("#b"), action.ClickOptions{}); err != nil {
		t.Fatal(text(err))
	}
	b.js("window.last=''")
	for _, what := range []string{"down", "up"} {
		if _, err := action.Mouse(b.ctx, b.tab, what, "left", nil, action.Options{}); err != nil {
			t.Fatal(text(err))
		}
	}
	b.want("window.last", "b")
}

// TestForcedDrop: without the checks a drop is a drop all the same.
func TestForcedDrop(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, `<!doctype html><div id=z style="width:300px;height:100px">zone</div><div id=src draggable=true style="width:100px;height:50px">drag me</div>
<script>z.ondragover=e=>e.preventDefault();z.ondrop=e=>{e.preventDefault();window.got=e.dataTransfer.files.length+' '+e.dataTransfer.getData('text/plain')};src.ondragstart=e=>e.dataTransfer.setData('text/plain','payload')</script>`)
	force := action.Options{Force: true}
	if _, err := action.Drop(b.ctx, b.tab, b.find("#z"), []action.File{{Path: file, Name: "a.txt", Size: 5}}, force); err != nil {
		t.Error(text(err))
	}
	b.want("window.got", "1 ")
	if _, err := action.Drag(b.ctx, b.tab, b.find("#src"), b.find("#z"), action.DragOptions{Options: force}); err != nil {
		t.Error(text(err))
	}
	b.want("window.got", "0 payload")
}

// TestSelectorAcrossShadow: a long selector that nothing matches is answered at
// once, whatever number of ways there are to try it.
func TestSelectorAcrossShadow(t *testing.T) {
	b := open(t, `<!doctype html><div id=h></div>`+strings.Repeat("<div>", 40)+"<span>x</span>"+strings.Repeat("</div>", 40)+`<script>h.attachShadow({mode:'open'}).innerHTML='<i>s</i>'</script>`)
	_, err := action.Find(b.ctx, b.tab, "main div div div div div div div span", action.FindOptions{NoWait: true})
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.NotFound {
		t.Errorf("%v", err)
	}
}
