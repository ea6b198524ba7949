package action_test

import (
	"testing"
	"time"

	"gstack/internal/action"
)

// TestBigPage logs what locators cost on a page of 50,000 nodes, and that none
// of them takes what a person would notice.
func TestBigPage(t *testing.T) {
	b := open(t, `<!doctype html><div id=app></div><script>
let h='';for(let i=0;i<5000;i++)h+='<div class=row data-testid=r'+i+'><h3>Item '+i+'</h3><p>Some <b>text</b> of '+i+'</p><button>Add '+i+'</button><a href=#'+i+'>Details '+i+'</a><label>Q <input value='+i+'></label></div>';
app.innerHTML=h</script>`)
	b.want("document.querySelectorAll('*').length > 40000", "true")
	for _, l := range []string{"#app", "div.row:nth-child(4000) button", `role=button[name="Add 4000"]`, "role=link[name=/^Details 4999$/]", "text=Add 4321", `text="Item 77"`, "testid=r4500", "//button[text()='Add 12']", `role=heading[name="Item 9"][level=3]`} {
		start := time.Now()
		if _, err := action.Find(b.ctx, b.tab, l, action.FindOptions{NoWait: true}); err != nil {
			t.Fatal(text(err))
		}
		d := time.Since(start)
		t.Logf("%-45s %v", l, d)
		if d > 2*time.Second {
			t.Errorf("%s takes %v", l, d)
		}
	}
	start := time.Now()
	b.click("text=Add 4321")
	t.Logf("click %v", time.Since(start))
}
