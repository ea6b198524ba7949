package page

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"gstack/internal/api"
	"gstack/internal/cdp"
)

// Print says how a page is put on paper (CDP Page.printToPDF). Lengths are in
// inches.
type Print struct {
	Width, Height            float64
	Top, Right, Bottom, Left float64
	Landscape                bool
	Background               bool
	PreferCSSPageSize        bool
	Tagged, Outline          bool
	Scale                    float64 // 0.1 to 2; 0 means 1
	Pages                    string  // "1-3,5"; "" means all
	Header, Footer           string  // HTML templates; both "" means none
}

// pdfChunk is how much of a document is fetched at once, in bytes. Each part
// travels as base64 in one protocol message.
const pdfChunk = 1 << 20

// PDF prints the page and writes the document to w, piece by piece (CDP
// Page.printToPDF with transferMode ReturnAsStream, IO.read). It returns the
// number of bytes written. A page that Chromium refuses to print, for a range
// without pages or margins wider than the paper, is [api.BadUsage].
func (t *Tab) PDF(ctx context.Context, p Print, w io.Writer) (int64, error) {
	if e := t.Gone(); e != nil {
		return 0, e
	}
	params := m{
		"paperWidth": p.Width, "paperHeight": p.Height,
		"marginTop": p.Top, "marginRight": p.Right, "marginBottom": p.Bottom, "marginLeft": p.Left,
		"landscape": p.Landscape, "printBackground": p.Background, "preferCSSPageSize": p.PreferCSSPageSize,
		"generateTaggedPDF": p.Tagged || p.Outline, "generateDocumentOutline": p.Outline,
		"pageRanges": p.Pages, "transferMode": "ReturnAsStream",
	}
	if p.Scale != 0 {
		params["scale"] = p.Scale
	}
	if p.Header != "" || p.Footer != "" {
		// An empty template stands for Chromium's own: date, title, address.
		params["displayHeaderFooter"] = true
		params["headerTemplate"] = orBlank(p.Header)
		params["footerTemplate"] = orBlank(p.Footer)
	}
	var printed struct {
		Stream string `json:"stream"`
	}
	if err := t.sess.Call(ctx, "Page.printToPDF", params, &printed); err != nil {
		var pe *cdp.Error
		if errors.As(err, &pe) && t.Gone() == nil && ctx.Err() == nil {
			return 0, api.Errorf(api.BadUsage, "browse help pdf", "Chromium does not print the page so: %s", api.Clean(pe.Message))
		}
		return 0, t.Broken(ctx, "the page was not printed", err)
	}
	defer t.sess.Start("IO.close", m{"handle": printed.Stream})
	var total int64
	for {
		var part struct {
			Data    string `json:"data"`
			Encoded bool   `json:"base64Encoded"`
			EOF     bool   `json:"eof"`
		}
		if err := t.sess.Call(ctx, "IO.read", m{"handle": printed.Stream, "size": pdfChunk}, &part); err != nil {
			return total, t.Broken(ctx, "the printed document was not read", err)
		}
		data := []byte(part.Data)
		if part.Encoded {
			var err error
			if data, err = base64.StdEncoding.DecodeString(part.Data); err != nil {
				return total, api.Errorf(api.Internal, "", "the printed document does not decode: %v", err)
			}
		}
		n, err := w.Write(data)
		total += int64(n)
		if err != nil {
			return total, fmt.Errorf("writing the document: %w", err)
		}
		if part.EOF {
			return total, nil
		}
	}
}

func orBlank(template string) string {
	if template == "" {
		return "<span></span>"
	}
	return template
}
