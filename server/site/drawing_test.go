package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/siteconfig"
)

// Drawings as programs save them are accepted; files that may run or load anything are not.
func TestDrawings(t *testing.T) {
	const open = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">`
	in := func(text string) string { return open + text + "</svg>" }
	for _, text := range []string{
		in(`<path d="M0 0" fill="url(#a)" style="fill:url('#a')"/>`),
		in(`<style>.a { fill: url(#b) } /* c */</style><use xlink:href="#x"/><use href="#x"/>`),
		in(`<image href="data:image/png;base64,iVBORw0KGgo="/>`),
		in(`<defs><linearGradient id="a"><stop offset="0"/></linearGradient><filter id="f"><feGaussianBlur/></filter></defs>`),
		`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" ` +
			`"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + "\n<!-- made by hand -->" + in("<text>a &amp; b</text>"),
		`<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:g/></svg:svg>`,
		strings.Replace(in(`<sodipodi:namedview/><metadata><rdf:RDF><cc:Work rdf:about=""/></rdf:RDF></metadata>`), "<svg ",
			`<svg xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:cc="http://creativecommons.org/ns#" `+
				`xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" `+
				`inkscape:export-filename="C:\a.png" `, 1),
	} {
		if err := checkDrawing([]byte(text)); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
	icons, err := filepath.Glob("../../assets/icons/*.svg")
	if err != nil || len(icons) == 0 {
		t.Fatal(icons, err)
	}
	for _, name := range append(icons, "../../core/cmd/pmlam/testdata/shop/logo.svg") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkDrawing(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{
		"", "plain text", "<svg/>", `<html xmlns="http://www.w3.org/1999/xhtml"/>`, in("<g>"), open,
		in(`<script>alert(1)</script>`), in(`<script href="x.js"/>`), in(`<g onload="alert(1)"/>`), in(`<g OnLoad="alert(1)"/>`),
		in(`<g xlink:onclick="x"/>`), strings.Replace(open, "<svg ", `<svg onload="alert(1)" `, 1) + "</svg>",
		in(`<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>`),
		in(`<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>`),
		in(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>`),
		in(`<metadata><h:script xmlns:h="http://www.w3.org/1999/xhtm&#108;">alert(1)</h:script></metadata>`),
		in(`<m:math xmlns:m="http://www.w3.org/1998/Math/MathML" href="javascript:alert(1)"/>`),
		in(`<x:y xmlns:x="http://unknown.example/"/>`), in(`<y xmlns=""/>`),
		in(`<a href="javascript:alert(1)"><path/></a>`), in(`<a xlink:href="&#106;avascript:alert(1)"><path/></a>`),
		in(`<use href="javascript:alert(1)"/>`), in(`<use href="other.svg#a"/>`), in(`<use href="https://evil.example/x.svg#a"/>`),
		in(`<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>`), in(`<image href="data:image/svg+xml,&lt;svg/>"/>`),
		in(`<image href="https://evil.example/pixel.png"/>`), in(`<image xlink:href="//evil.example/pixel.png"/>`),
		in(`<image href="data:text/html;base64,PHA+"/>`), in(`<feImage href="https://evil.example/pixel.png"/>`),
		in(`<animate attributeName="href" to="javascript:alert(1)"/>`), in(`<set attributeName="onload" to="alert(1)"/>`),
		in(`<handler/>`), in(`<iframe src="x"/>`), in(`<embed src="x"/>`), in(`<link rel="stylesheet" href="x.css"/>`),
		in(`<style>@import "https://evil.example/x.css";</style>`), in(`<style>@imp<![CDATA[ort "x.css"]]>;</style>`),
		in(`<style>@imp<!-- -->ort "x.css";</style>`), in(`<style>a { fill: url(https://evil.example/) }</style>`),
		in(`<style>a { fill: url( "https://evil.example/") }</style>`), in(`<style>a { fill: \75rl(x) }</style>`),
		in(`<style>a { background: image-set("x.png" 1x) }</style>`),
		in(`<path style="fill: url(https://evil.example/)"/>`), in(`<path fill="url(x.svg#a)"/>`), in(`<path fill="\75rl(x)"/>`),
		in(`<g xml:base="https://evil.example/"/>`),
		`<?xml-stylesheet href="x.xsl" type="text/xsl"?>` + in(""),
		`<!DOCTYPE svg [<!ENTITY x "&#60;script>alert(1)&#60;/script>">]>` + in("&x;"),
		`<!DOCTYPE html>` + in(""), `<!DOCTYPE svg SYSTEM "x.dtd">` + in(""),
		`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><!ENTITY x "y">` + in(""), in("&nbsp;"),
		`<?xml version="1.0" encoding="UTF-7"?>` + in(""), `<?xml version="1.0" encoding="ISO-8859-1"?>` + in(""),
		"\xff\xfe<\x00s\x00", in("\xff"), "<\x00s\x00v\x00g\x00",
	} {
		if err := checkDrawing([]byte(text)); err == nil {
			t.Errorf("%s\nis taken", text)
		}
	}
	c := owned(t, t.TempDir(), "[site]\nlogo = \"logo.svg\"\n")
	if _, err := branded(c.Project, iconName, []byte(in(`<script/>`))); err == nil ||
		!strings.Contains(err.Error(), "the logo logo.svg cannot be published: it contains <script>") {
		t.Errorf("a logo with a script: %v", err)
	}
	if _, err := branded(&siteconfig.Project{}, iconName, []byte(in(`<script/>`))); err != nil {
		t.Errorf("the default icon: %v", err)
	}
}

// FuzzDrawings feeds random files: accepted ones have none of the strings that scripts need.
func FuzzDrawings(f *testing.F) {
	for _, text := range []string{`<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>`, `<svg><script>`,
		`<svg xmlns="http://www.w3.org/2000/svg"><style>a{}</style></svg>`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if checkDrawing(content) != nil {
			return
		}
		text := string(content)
		for _, c := range []string{"<!--", "<![CDATA["} { // inside of these it is text
			if strings.Contains(text, c) {
				return
			}
		}
		for _, wrong := range []string{"<script", "<foreignObject", "<iframe", "<a ", "<!ENTITY", "<?xml-"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%q is accepted although it contains %s", text, wrong)
			}
		}
	})
}
