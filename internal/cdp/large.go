package cdp

import (
	"bytes"
	"strconv"
)

// maxMessage bounds a message from the browser, in bytes: a page's script can
// make an answer of any size. The largest screenshots stay well below it. A
// longer message is thrown away while it is read, and its command fails with
// [ErrTooLarge].
const maxMessage = 128 << 20

// codeTooLarge is the code of the error in place of an answer that was too
// large. It is in the range that JSON-RPC 2.0 leaves to implementations, and
// Chromium does not use it.
const codeTooLarge = -32099

// headBytes is how much of a message is looked at to tell whose answer it is.
const headBytes = 64

// instead returns the message in place of one that began with head and was too
// large: a failure of the command that it answers. In place of an event it is an
// empty object, which the connection reports.
func instead(head []byte) []byte {
	digits, ok := bytes.CutPrefix(head, headID)
	n := 0
	for n < len(digits) && digits[n]-'0' <= 9 {
		n++
	}
	if !ok || n == 0 {
		return []byte("{}")
	}
	b := append([]byte(nil), headID...)
	b = append(b, digits[:n]...)
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, codeTooLarge, 10)
	b = append(b, `,"message":"the answer is over `...)
	b = strconv.AppendInt(b, maxMessage>>20, 10)
	return append(b, ` MB"}}`...)
}
