package cdp

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// decodeOptions are lenient where pages are: a script can put half of a
// surrogate pair into any string that the protocol reports, and the rest of
// the message must not be lost for it. A command is held to the same rule, so
// that text that came from a page can be sent back.
var decodeOptions = json.JoinOptions(
	json.DefaultOptionsV2(),
	jsontext.AllowInvalidUTF8(true),
	jsontext.AllowDuplicateNames(true),
)

// keepBytes is the capacity up to which a buffer is kept for reuse. A buffer
// that had to hold a screenshot is left to the collector.
const keepBytes = 64 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func putBuffer(b *bytes.Buffer) {
	if b != nil && b.Cap() <= keepBytes {
		b.Reset()
		buffers.Put(b)
	}
}

// encode appends a command to b. The params are those bytes of b from the
// returned offset to the last byte but one; the offset is 0 when there are none.
func encode(b *bytes.Buffer, id int64, sessionMember, method string, params any) (int, error) {
	h := append(b.AvailableBuffer(), headID...)
	h = strconv.AppendInt(h, id, 10)
	h = append(h, sessionMember...)
	h = append(h, `,"method":`...)
	h = appendString(h, method)
	at := 0
	if params != nil {
		h = append(h, headParams...)
		at = len(h)
	}
	b.Write(h)
	if params != nil {
		if err := json.MarshalWrite(b, params, decodeOptions); err != nil {
			return 0, err
		}
	}
	b.WriteByte('}')
	return at, nil
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if !plain(s[i]) {
			// The error only says that bytes which are not UTF-8 were replaced.
			q, _ := jsontext.AppendQuote(b, s)
			return q
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
