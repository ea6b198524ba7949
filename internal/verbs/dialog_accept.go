package verbs

import (
	"context"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/command"
	"gstack/internal/page"
)

var dialogAcceptVerb = define(command.Spec{
	Name: "dialog-accept", Group: "Interaction", Scope: command.Write, Effect: command.Serves, Output: command.Ack, Nestable: true, FreeText: true,
	Summary: "Accept the next dialog of the tab",
	Doc: `Say it before the command that causes the dialog. A prompt is answered with the text, or with its
default. It is for the next dialog in this tab only, and for dialogs of this client; those after
it are answered by default again. A later dialog-accept or dialog-dismiss replaces it; with --then
it is for the dialog after.`,
	Examples: []string{"dialog-accept", "dialog-accept Ann Lee", "dialog-accept --count 2", "dialog-accept --then 42"},
}, func(_ context.Context, env *Env, in dialogAcceptIn) (Result, error) {
	a := page.DialogAnswer{Accept: true}
	did := "accepted"
	if in.Text != nil {
		text := strings.Join(in.Text, " ")
		a.Text = &text
		did = "accepted with text: " + quote(text)
	}
	return armDialogs(env, in.armIn(), a, did)
})

type dialogAcceptIn struct {
	Count int      `flag:"count" default:"1" help:"how many dialogs"`
	Then  bool     `flag:"then" help:"after those that have been spoken of, instead of in their place"`
	Text  []string `arg:"text" rest:"true" optional:"true" help:"answer to a prompt"`
}

func (in dialogAcceptIn) armIn() armIn { return armIn{in.Count, in.Then} }

// armIn is for how many dialogs an answer is, and for which.
type armIn struct {
	Count int  `flag:"count" default:"1" help:"how many dialogs"`
	Then  bool `flag:"then" help:"after those that have been spoken of, instead of in their place"`
}

// maxArm bounds --count.
const maxArm = 50

// armDialogs says how the next dialogs of the tab are answered.
func armDialogs(env *Env, in armIn, a page.DialogAnswer, did string) (Result, error) {
	if in.Count < 1 || in.Count > maxArm {
		return Result{}, api.Errorf(api.BadUsage, "browse dialog-accept --count 2", "--count is %d, want 1 to %d", in.Count, maxArm)
	}
	answers := make([]page.DialogAnswer, in.Count)
	for i := range answers {
		answers[i] = a
	}
	if !env.Tab.ArmDialogs(env.Session, in.Then, answers...) {
		return Result{}, api.Errorf(api.Failed, "browse dialog --clear forgets them", "too many dialogs of tab %d have been spoken of already", env.Tab.ID)
	}
	which := "the next one in this tab"
	switch {
	case in.Count > 1:
		which = fmt.Sprintf("the next %d in this tab", in.Count)
	case in.Then:
		which = "the one after in this tab"
	}
	return Result{Text: "Dialogs will be " + did + " (" + which + ")", Data: map[string]any{"accept": a.Accept, "count": in.Count}}, nil
}
