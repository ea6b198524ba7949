package verbs

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"gstack/internal/api"
	"gstack/internal/page"
	"gstack/internal/safe"
)

// scriptFrame is the frame that a script runs in: the named one, else the one that
// the client has entered, else the top frame.
func scriptFrame(ctx context.Context, env *Env, word string) (*page.Frame, error) {
	if word != "" {
		return frameNamed(ctx, env, word)
	}
	return env.Top()
}

// maxResult bounds the text of a result, in bytes, so that a slip of a script does
// not fill the memory of daemon and client.
const maxResult = 64 << 20

// scriptOptions say where a script runs and where its result goes.
type scriptOptions struct {
	verb, label, frame string
	out                []string
}

// runScript evaluates a script for js and eval.
func runScript(ctx context.Context, env *Env, script string, o scriptOptions) (Result, error) {
	if strings.TrimSpace(script) == "" {
		return Result{}, api.Errorf(api.BadUsage, "browse help "+o.verb, "%s: the script is empty", o.verb)
	}
	if len(o.out) > 1 {
		return Result{}, api.Errorf(api.BadUsage, "name one file", "%s: --out is given %d times", o.verb, len(o.out))
	}
	path := ""
	if len(o.out) == 1 {
		var err error
		if path, err = env.Paths.WriteBelow(o.out[0]); err != nil {
			return Result{}, err
		}
	}
	ctx, cancel := env.Bound(ctx)
	defer cancel()
	f, err := scriptFrame(ctx, env, o.frame)
	if err != nil {
		return Result{}, err
	}
	v, err := f.Eval(ctx, script)
	if err != nil {
		return Result{}, err
	}
	if len(v.Text) > maxResult {
		return Result{}, api.Errorf(api.TooLarge, "let the script return less, or a part at a time", "%s: the result has %d bytes, more than %d", o.verb, len(v.Text), maxResult)
	}
	if path != "" {
		return writeResult(v.Text, path, env.Raw, o)
	}
	var data any
	if v.JSON != nil {
		data = v.JSON
	}
	return Result{Text: v.Text, Data: data, Simple: v.Simple}, nil
}

// writeResult writes a result to a file: the bytes that a data: URL with base64
// stands for, unless raw is set, else the text.
func writeResult(text, path string, raw bool, o scriptOptions) (Result, error) {
	data := []byte(text)
	if !raw {
		decoded, is, err := dataURL(text)
		if err != nil {
			return Result{}, api.Errorf(api.Failed, "--raw writes it as it is", "%s: the result begins like a data: URL, but %v", o.verb, err)
		}
		if is {
			data = decoded
		}
	}
	if err := safe.WriteFile(path, data); err != nil {
		return Result{}, fileFailed(path, err)
	}
	return Result{Text: fmt.Sprintf("%s result written: %s (%d bytes)", o.label, path, len(data)), Data: map[string]any{"path": path, "bytes": len(data)}, Ours: true}, nil
}

// dataURL decodes a data: URL with base64 (RFC 2397). is is false for any other
// text.
func dataURL(text string) (data []byte, is bool, err error) {
	head, body, found := strings.Cut(text, ",")
	if head = strings.ToLower(head); !found || len(head) > 500 || !strings.HasPrefix(head, "data:") || !strings.HasSuffix(head, ";base64") {
		return nil, false, nil
	}
	body = strings.TrimRight(strings.TrimSpace(body), "=")
	data, err = base64.RawStdEncoding.DecodeString(body)
	if err != nil {
		return nil, true, fmt.Errorf("what follows is not base64: %w", err)
	}
	return data, true, nil
}
