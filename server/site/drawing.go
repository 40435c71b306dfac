package site

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

const svgSpace = "http://www.w3.org/2000/svg"

// drawn lists the SVG elements that load and run nothing, in lower case.
var drawn = strings.Fields(`svg g defs symbol use switch title desc metadata view style path rect circle ellipse line
	polyline polygon text tspan textpath image marker pattern clippath mask lineargradient radialgradient stop filter
	feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap
	fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur femerge femergenode femorphology
	feoffset fepointlight fespecularlighting fespotlight fetile feturbulence`)

// editors matches the namespaces that drawing programs add. Browsers ignore their elements.
var editors = regexp.MustCompile(`^(http://sodipodi\.sourceforge\.net/|http://www\.inkscape\.org/|` +
	`http://www\.w3\.org/1999/02/22-rdf-syntax-ns#$|http://purl\.org/dc/|http://creativecommons\.org/ns#|` +
	`http://web\.resource\.org/cc/|https?://ns\.adobe\.com/|http://www\.bohemiancoding\.com/sketch/|` +
	`https?://www\.figma\.com/|https?://boxy-svg\.com|http://www\.serif\.com/|http://vectornator\.io)`)

var (
	elsewhereInStyle = regexp.MustCompile(`(?i)@import|\\|url\(\s*["']?\s*[^\s"'#)]|image-set\(|` +
		`expression\(|-moz-binding`)
	doctype       = regexp.MustCompile(`^DOCTYPE svg(\s+PUBLIC\s+"-//W3C//DTD SVG [^"<>]*"\s+"[^"<>]*")?\s*$`)
	pictureWithin = regexp.MustCompile(`^data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$`)
)

// checkDrawing returns an error, without a position, for an SVG file that contains scripts or event handlers, loads
// anything, or could be parsed differently by a browser. Opened at its own address, such a file would run as part of
// the site. Unknown elements are rejected.
func checkDrawing(content []byte) error {
	if bytes.HasPrefix(content, []byte("\xfe\xff")) || bytes.HasPrefix(content, []byte("\xff\xfe")) {
		return errors.New("it is not in UTF-8; save it as plain SVG")
	}
	d := xml.NewDecoder(bytes.NewReader(content))
	elements, styles := 0, 0
	var style strings.Builder // the concatenated text of all <style> elements
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			switch {
			case elements == 0:
				return errors.New("it contains no drawing")
			case elsewhereInStyle.MatchString(style.String()):
				return errors.New("its <style> is invalid or loads a file; save it as plain SVG")
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is not valid SVG: %w; save it as plain SVG", err)
		}
		switch t := token.(type) {
		case xml.ProcInst:
			if t.Target != "xml" {
				return fmt.Errorf("it contains <?%s …?>; save it as plain SVG", t.Target)
			}
		case xml.Directive:
			if !doctype.Match(t) {
				return errors.New("it declares entities or another document type; save it as plain SVG")
			}
		case xml.StartElement:
			elements++
			if elements == 1 && (t.Name.Space != svgSpace || t.Name.Local != "svg") {
				return fmt.Errorf("its first element is not <svg xmlns=%q>", svgSpace)
			}
			if err := checkElement(t); err != nil {
				return err
			}
			if t.Name.Space == svgSpace && t.Name.Local == "style" {
				styles++
			}
		case xml.EndElement:
			if t.Name.Space == svgSpace && t.Name.Local == "style" {
				styles--
			}
		case xml.CharData:
			if styles > 0 {
				style.Write(t)
			}
		}
	}
}

// checkElement checks an element and its attributes.
func checkElement(t xml.StartElement) error {
	switch {
	case t.Name.Space == svgSpace:
		if !slices.Contains(drawn, strings.ToLower(t.Name.Local)) {
			return fmt.Errorf("it contains <%s>, which is not part of a drawing; save it as plain SVG without it",
				t.Name.Local)
		}
	case !editors.MatchString(t.Name.Space):
		return fmt.Errorf("it contains <%s> of %q, which is not part of a drawing; save it without it", t.Name.Local,
			t.Name.Space)
	}
	for _, a := range t.Attr {
		name := strings.ToLower(a.Name.Local)
		value := strings.TrimSpace(a.Value)
		switch {
		case strings.HasPrefix(name, "on"):
			return fmt.Errorf("it contains %s, which runs a script; save it as plain SVG without it", a.Name.Local)
		case name == "href" && value != "" && value[0] != '#' && !pictureWithin.MatchString(value),
			name == "base" || name == "src":
			return fmt.Errorf("its %s %.40q points outside the file; save it as plain SVG with embedded pictures",
				a.Name.Local, a.Value)
		case a.Name.Space == "" && t.Name.Space == svgSpace && elsewhereInStyle.MatchString(a.Value):
			return fmt.Errorf("its %s %.40q is invalid or loads a file; save it as plain SVG", a.Name.Local,
				a.Value)
		}
	}
	return nil
}
