package main

import (
	_ "embed"
	"html/template"
	"os"
)

//go:embed gallery.html
var galleryText string

var gallery = template.Must(template.New("gallery").Parse(galleryText))

// write writes the page with the pictures.
func write(path string, hung []hungShot) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := gallery.Execute(f, hung); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
