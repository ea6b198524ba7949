package capture

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gstack/internal/api"
	"gstack/internal/shield"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The protocol events that become console messages.
const (
	ConsoleEvent   = "Runtime.consoleAPICalled"
	ExceptionEvent = "Runtime.exceptionThrown"
	LogEvent       = "Log.entryAdded"
)

// maxText bounds the text of one message, in bytes.
const maxText = 16 << 10

// Message is one line of a page's console.
type Message struct {
	At time.Time
	// Level is log, debug, info, warning, error, or the name of another console
	// method, such as table.
	Level string
	// Text is the message as the console shows it, secrets masked.
	Text string
	// Source is "console", "exception", or what the browser itself reports on:
	// network, security, deprecation and so on.
	Source string
	// URL and Line are where it comes from; Line counts from 1, 0 is unknown.
	URL  string
	Line int
}

// Serious reports whether the message is an error or a warning.
func (m Message) Serious() bool { return m.Level == "error" || m.Level == "warning" }

// String is the line of the message in command and log. Further lines of its
// text are indented, so that no text can pass for a message of its own.
func (m Message) String() string {
	return "[" + Stamp(m.At) + "] [" + api.Clean(m.Level) + "] " + indent(m.Text)
}

// Stamp writes a time as all answers and logs do: RFC 3339 in UTC, with milliseconds.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// indent escapes control characters and indents all lines but the first.
func indent(text string) string {
	if !strings.ContainsAny(text, "\n\t") {
		return api.Clean(text)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = api.Clean(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n    ")
}

// entry is a message as it arrived; it is decoded when somebody looks.
type entry struct {
	event string
	raw   []byte // params of the event, nil when msg is set
	msg   *Message
}

func (e *entry) message() Message {
	if e.msg == nil {
		m := decode(e.event, e.raw)
		e.msg, e.raw = &m, nil
	}
	return *e.msg
}

// cost is what the entry takes, in bytes.
func (e *entry) cost() int {
	if e.msg == nil {
		return len(e.raw) + 96
	}
	return len(e.msg.Text) + len(e.msg.URL) + 176
}

type remoteObject struct {
	Type           string         `json:"type"`
	Subtype        string         `json:"subtype"`
	Value          jsontext.Value `json:"value"`
	Unserializable string         `json:"unserializableValue"`
	Description    string         `json:"description"`
	Preview        *preview       `json:"preview"`
}

type preview struct {
	Subtype     string     `json:"subtype"`
	Description string     `json:"description"`
	Overflow    bool       `json:"overflow"`
	Properties  []property `json:"properties"`
	Entries     []struct {
		Key   *preview `json:"key"`
		Value *preview `json:"value"`
	} `json:"entries"`
	Type string `json:"type"`
}

type property struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Subtype string   `json:"subtype"`
	Value   string   `json:"value"`
	Nested  *preview `json:"valuePreview"`
}

type stackTrace struct {
	Frames []struct {
		URL  string `json:"url"`
		Line int    `json:"lineNumber"`
	} `json:"callFrames"`
}

var decodeOptions = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

func decode(event string, raw []byte) Message {
	var m Message
	var err error
	switch event {
	case ExceptionEvent:
		m, err = decodeException(raw)
	case LogEvent:
		m, err = decodeLog(raw)
	default:
		m, err = decodeConsole(raw)
	}
	if err != nil {
		m = Message{At: time.Now(), Level: "error", Source: "browse", Text: "(a message that could not be read: " + err.Error() + ")"}
	}
	m.Text = shield.MaskText(short(m.Text))
	m.URL = shortURL(m.URL)
	return m
}

// short bounds a text, at a character.
func short(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes in all)", text[:n], len(text))
}

func milliseconds(ms float64) time.Time { return time.UnixMilli(int64(ms)) }

func decodeConsole(raw []byte) (Message, error) {
	var e struct {
		Type      string         `json:"type"`
		Args      []remoteObject `json:"args"`
		Timestamp float64        `json:"timestamp"`
		Stack     stackTrace     `json:"stackTrace"`
	}
	if err := json.Unmarshal(raw, &e, decodeOptions); err != nil {
		return Message{}, err
	}
	m := Message{At: milliseconds(e.Timestamp), Level: e.Type, Source: "console", Text: format(e.Args)}
	if e.Type == "assert" {
		m.Level, m.Text = "error", strings.TrimSuffix("Assertion failed: "+m.Text, ": ")
	}
	m.at(e.Stack)
	return m, nil
}

func (m *Message) at(s stackTrace) {
	if len(s.Frames) > 0 && s.Frames[0].URL != "" {
		m.URL, m.Line = s.Frames[0].URL, s.Frames[0].Line+1
	}
}

func decodeException(raw []byte) (Message, error) {
	var e struct {
		Timestamp float64 `json:"timestamp"`
		Details   struct {
			Text      string        `json:"text"`
			URL       string        `json:"url"`
			Line      int           `json:"lineNumber"`
			Stack     stackTrace    `json:"stackTrace"`
			Exception *remoteObject `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := json.Unmarshal(raw, &e, decodeOptions); err != nil {
		return Message{}, err
	}
	d := e.Details
	m := Message{At: milliseconds(e.Timestamp), Level: "error", Source: "exception", Text: d.Text, URL: d.URL, Line: d.Line + 1}
	if d.Exception != nil {
		m.Text = strings.TrimSuffix(d.Text+" "+d.Exception.show(true), " ")
	}
	m.at(d.Stack)
	return m, nil
}

func decodeLog(raw []byte) (Message, error) {
	var e struct {
		Entry struct {
			Source    string         `json:"source"`
			Level     string         `json:"level"`
			Text      string         `json:"text"`
			Timestamp float64        `json:"timestamp"`
			URL       string         `json:"url"`
			Line      int            `json:"lineNumber"`
			Args      []remoteObject `json:"args"`
		} `json:"entry"`
	}
	if err := json.Unmarshal(raw, &e, decodeOptions); err != nil {
		return Message{}, err
	}
	d := e.Entry
	m := Message{At: milliseconds(d.Timestamp), Level: d.Level, Source: d.Source, Text: d.Text, URL: d.URL}
	if d.Line > 0 {
		m.Line = d.Line + 1
	}
	if m.Level == "verbose" {
		m.Level = "debug"
	}
	if d.Source == "network" && d.URL != "" {
		m.Text += " (" + shortURL(d.URL) + ")" // the text alone does not name the request
	}
	return m, nil
}

// format joins the arguments of a console call as the console does, with the
// substitutions of the Console Standard.
func format(args []remoteObject) string {
	if len(args) == 0 {
		return ""
	}
	var b strings.Builder
	rest := args[1:]
	if first := args[0].show(true); args[0].Type == "string" && strings.Contains(first, "%") {
		rest = substitute(&b, first, rest)
	} else {
		b.WriteString(first)
	}
	for i := range rest {
		b.WriteByte(' ')
		b.WriteString(rest[i].show(true))
	}
	return b.String()
}

func substitute(b *strings.Builder, pattern string, args []remoteObject) []remoteObject {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' || i+1 == len(pattern) {
			b.WriteByte(pattern[i])
			continue
		}
		kind := pattern[i+1]
		switch {
		case kind == '%':
			b.WriteByte('%')
		case !strings.ContainsRune("sdifoOc", rune(kind)) || len(args) == 0:
			b.WriteByte('%')
			continue
		default:
			if kind != 'c' { // a style
				b.WriteString(number(kind, args[0].show(kind == 's')))
			}
			args = args[1:]
		}
		i++
	}
	return args
}

// number cuts the argument of %d and %i to a whole number.
func number(kind byte, s string) string {
	if kind != 'd' && kind != 'i' {
		return s
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(float64(int64(f)), 'f', -1, 64)
	}
	return "NaN"
}

// show returns the value as the console prints it; bare strings have no quotes.
func (o *remoteObject) show(bare bool) string {
	switch o.Type {
	case "string":
		s := string(o.Value)
		if v, err := jsontext.AppendUnquote(nil, o.Value); err == nil {
			s = string(v)
		}
		if bare {
			return s
		}
		return strconv.Quote(s)
	case "undefined":
		return "undefined"
	case "number", "boolean", "bigint":
		if o.Unserializable != "" {
			return o.Unserializable
		}
		return string(o.Value)
	}
	switch {
	case o.Subtype == "null":
		return "null"
	case o.Subtype == "error" || o.Preview == nil:
		return o.Description
	}
	return o.Preview.show()
}

// show is the short form of an object, such as {a: 1, b: "x", …} or [1, 2].
func (p *preview) show() string {
	switch p.Subtype {
	case "", "array", "typedarray", "map", "set", "weakmap", "weakset", "arraybuffer":
	default: // node, date, regexp, error, promise …
		return p.Description
	}
	if p.Type == "string" {
		return strconv.Quote(p.Description)
	}
	if p.Type != "object" && p.Type != "" {
		return p.Description
	}
	list := p.Subtype == "array" || p.Subtype == "typedarray"
	var parts []string
	for _, x := range p.Properties {
		if x.Name == "size" && p.Entries != nil {
			continue // of a map or set
		}
		s := x.show()
		if !list || !isIndex(x.Name) {
			s = x.Name + ": " + s
		}
		parts = append(parts, s)
	}
	for _, e := range p.Entries {
		s := e.Value.show()
		if e.Key != nil {
			s = e.Key.show() + " => " + s
		}
		parts = append(parts, s)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	body := strings.Join(parts, ", ")
	switch {
	case list:
		return "[" + body + "]"
	case p.Description != "" && p.Description != "Object":
		return p.Description + " {" + body + "}"
	}
	return "{" + body + "}"
}

func isIndex(name string) bool {
	_, err := strconv.Atoi(name)
	return err == nil
}

func (x property) show() string {
	switch {
	case x.Type == "string":
		return strconv.Quote(x.Value)
	case x.Nested != nil:
		return x.Nested.show()
	case x.Type == "accessor":
		return "(...)"
	case x.Type == "function":
		return "ƒ"
	}
	return x.Value
}
