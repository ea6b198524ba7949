package page

import "context"

// Audit is the structure of a page as a visitor sees it at first sight; the
// bounds of its lists are in audit.js.
type Audit struct {
	URL         string         `json:"url"`
	Title       string         `json:"title"`
	SiteID      *AuditBrand    `json:"siteId"`
	PageName    *string        `json:"pageName"` // the first h1
	Navigation  []AuditNav     `json:"navigation"`
	YouAreHere  []AuditHere    `json:"youAreHere"`
	Search      *AuditSearch   `json:"search"`
	Breadcrumbs []string       `json:"breadcrumbs"`
	Headings    []AuditHeading `json:"headings"`
	Interactive []AuditControl `json:"interactive"`
	TextBlocks  []AuditBlock   `json:"textBlocks"`
	TotalWords  int            `json:"totalWords"`
}

// AuditBrand is what says whose site it is.
type AuditBrand struct {
	Text string `json:"text"`
	Tag  string `json:"tag"`
}

// AuditNav is a navigation with its first links.
type AuditNav struct {
	Label string   `json:"label,omitempty"`
	Links []string `json:"links"`
	Total int      `json:"total"`
}

// AuditHere is what is marked as the current page, step or place.
type AuditHere struct {
	Text    string `json:"text"`
	Current string `json:"current"`
	Tag     string `json:"tag"`
}

// AuditSearch is the search of the site.
type AuditSearch struct {
	Tag   string `json:"tag"`
	Role  string `json:"role"`
	Label string `json:"label,omitempty"`
}

// AuditHeading is a heading with its size.
type AuditHeading struct {
	Tag      string `json:"tag"`
	Text     string `json:"text"`
	FontSize string `json:"fontSize"`
}

// AuditControl is something to use, with its size in CSS pixels.
type AuditControl struct {
	Tag  string `json:"tag"`
	Text string `json:"text"`
	Type string `json:"type,omitempty"`
	Role string `json:"role,omitempty"`
	W    int    `json:"w"`
	H    int    `json:"h"`
}

// AuditBlock is a block of text, cut, with its words counted.
type AuditBlock struct {
	Text      string `json:"text"`
	WordCount int    `json:"wordCount"`
}

// Audit describes the top document.
func (t *Tab) Audit(ctx context.Context) (Audit, error) {
	var a Audit
	err := t.Main().Call(ctx, "", "audit", &a)
	return a, err
}
