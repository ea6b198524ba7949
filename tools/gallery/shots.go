package main

// shot is one picture: the page, what is done to it, and what takes the picture.
type shot struct {
	// name is the name of the file, without its ending.
	name, title string
	// look says what a person is to look for.
	look string
	page string
	// before are the commands between goto and the picture.
	before [][]string
	// take is the command; the path of the file is added as its last word, after
	// -o for a snapshot.
	take []string
}

// shots are all modes, in the order of the page.
var shots = []shot{
	{"full", "Full page", "The whole page from top to bottom, once, with nothing cut at the window's edge.", "article.html", nil, []string{"screenshot"}},
	{"viewport", "Viewport", "Only what the window shows: 1280 by 720.", "article.html", nil, []string{"screenshot", "--viewport"}},
	{"viewport-scrolled", "Viewport, scrolled", "The part that was scrolled to.", "article.html", [][]string{{"scroll", "down", "900"}}, []string{"screenshot", "--viewport"}},
	{"element", "Element", "The card alone, to its edges.", "article.html", nil, []string{"screenshot", "--selector", "#card-2"}},
	{"element-tall", "Element taller than the window", "All 40 lines and the borders above and below; the page around it is not in it.", "tall.html", nil, []string{"screenshot", "--selector", "#tall"}},
	{"clip", "Clip", "A rectangle of 500 by 300 from (100, 60): the heading and the beginning of the text.", "article.html", nil, []string{"screenshot", "--clip", "100,60,500,300"}},
	{"scale-1", "Scale 1", "Text as on an ordinary screen.", "article.html", [][]string{{"viewport", "640x400", "--scale", "1"}}, []string{"screenshot", "--viewport"}},
	{"scale-2", "Scale 2", "The same window in twice the pixels: finer text, same layout.", "article.html", [][]string{{"viewport", "640x400", "--scale", "2"}}, []string{"screenshot", "--viewport"}},
	{"scale-3", "Scale 3", "The same window in three times the pixels.", "article.html", [][]string{{"viewport", "640x400", "--scale", "3"}}, []string{"screenshot", "--viewport"}},
	{"phone", "Phone", "The layout of a narrow screen, scale 3.", "article.html", [][]string{{"viewport", "390x844", "--scale", "3", "--mobile", "--touch"}}, []string{"screenshot", "--viewport"}},

	{"annotated", "Annotated", "A box around each control and its ref beside it; no label hides another or the text of a control where there is room.", "article.html", nil, []string{"screenshot", "--annotate"}},
	{"annotated-scrolled", "Annotated, scrolled", "Boxes fit although the page is scrolled.", "article.html", [][]string{{"scroll", "down", "700"}}, []string{"screenshot", "--annotate", "--viewport"}},
	{"annotated-zoomed", "Annotated, zoomed and turned", "Boxes fit what is zoomed, scaled and moved; around what is turned they are upright.", "zoomed.html", nil, []string{"screenshot", "--annotate"}},
	{"annotated-frames", "Annotated, in frames", "Controls in frames of this and of another site have boxes; what is scrolled out of a frame has none.", "frames.html", [][]string{{"wait", "text=Innermost"}, {"scroll", "down", "150"}}, []string{"screenshot", "--annotate"}},
	{"annotated-rtl", "Annotated, from right to left", "Boxes fit on a page that starts at the right and is scrolled to the left.", "rtl.html", [][]string{{"js", "scrollTo(-300, 0)"}}, []string{"screenshot", "--annotate"}},
	{"annotated-scale-2", "Annotated, scale 2", "Lines and labels as large as at scale 1, and sharper.", "article.html", [][]string{{"viewport", "900x600", "--scale", "2"}}, []string{"screenshot", "--annotate", "--viewport"}},
	{"annotated-dense", "Annotated, dense", "Labels of many small controls in a row: they avoid each other where they can.", "dense.html", nil, []string{"screenshot", "--annotate"}},
	{"annotated-snapshot", "Picture of a snapshot", "The boxes of snapshot -i -a.", "article.html", nil, []string{"snapshot", "-i", "-a"}},
	{"heatmap", "Heatmap", "The first four controls in green, yellow, red and blue; what they say can still be read.", "article.html", [][]string{{"snapshot", "-i"}}, []string{"snapshot", "-i", "-H", heat}},

	{"dark", "Dark", "What the page shows to those who prefer a dark scheme.", "article.html", [][]string{{"emulate", "--color-scheme", "dark"}}, []string{"screenshot"}},
	{"print", "Print", "As it would be printed: no navigation, links with their address.", "article.html", [][]string{{"emulate", "--media", "print"}}, []string{"screenshot"}},
	{"fixed", "Fixed header and footer", "The header once, at the top, and the footer once, where the window ends; no repetition below.", "fixed.html", nil, []string{"screenshot"}},
	{"fixed-scrolled", "Fixed header, scrolled", "The same from a page that was scrolled half way.", "fixed.html", [][]string{{"scroll", "down", "1500"}}, []string{"screenshot"}},
	{"lazy", "Lazy images", "Twelve numbered pictures: the page was scrolled to its end before.", "lazy.html", [][]string{{"scroll", "--times", "9", "--wait", "300"}, {"scroll", "top"}}, []string{"screenshot"}},
	{"long", "30,000 pixels", "Scaled down to 2000 pixels in height, as the answer says; the marks go on to 29,500.", "long.html", nil, []string{"screenshot"}},
	{"long-end", "The end of 30,000 pixels, not scaled", "The marks from 14,000 to 29,500 at their size, evenly, no seam, no repetition.", "long.html", nil, []string{"screenshot", "--no-limit", "--clip", "0,13900,1280,16100"}},

	{"pdf", "PDF", "The article on A4, with page numbers.", "article.html", nil, []string{"pdf", "--format", "a4", "--page-numbers", "--print-background"}},
	{"pdf-landscape", "PDF, landscape", "The long table across the paper; its head is on every page.", "table.html", nil, []string{"pdf", "--format", "a5", "--landscape", "--margins", "10mm"}},
}

// heat stands for the colours of the first controls of the latest snapshot.
const heat = "{heat}"
