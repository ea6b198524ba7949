package cdp

// Transport carries protocol messages, one JSON object each, in both
// directions. Read and Write may run at the same time as each other and as
// Close; Read is called by one goroutine at a time, and so is Write.
type Transport interface {
	// Read blocks until a whole message is there. The slice is valid until the
	// next Read. Read returns an error once the transport is closed, by either
	// side; after an error it is not called again.
	Read() ([]byte, error)
	// Write sends one message. It may block for as long as the other side does
	// not read. It may use the capacity of the slice beyond its length, and
	// does not keep the slice.
	Write([]byte) error
	// Close ends the transport at once: a Read or a Write that blocks returns
	// an error. Close may be called more than once.
	Close() error
}

// yielding is a Transport that can part with the memory of a message.
type yielding interface {
	// yield makes the slice that Read returned last the property of the
	// caller: the transport never touches it again. It may refuse, when its
	// buffer is worth more than the copy.
	yield() bool
}
