package titles

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Colour vision without one kind of cone, as matrices on linear RGB: G. M. Machado, M. M. Oliveira and L. A. F.
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009.
var sights = map[string][3][3]float64{
	"all cones":  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutanopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

type colour [3]float64 // linear RGB in [0,1]

func parseColour(t *testing.T, hex string) (c colour) {
	t.Helper()
	for i := range c {
		v, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		x := float64(v) / 255
		if c[i] = x / 12.92; x > 0.04045 {
			c[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return c
}

func (c colour) seen(m [3][3]float64) (out colour) {
	for i, row := range m {
		out[i] = min(max(row[0]*c[0]+row[1]*c[1]+row[2]*c[2], 0), 1)
	}
	return out
}

// oklab converts to Oklab (B. Ottosson, 2020), where distances match perceived differences.
func (c colour) oklab() [3]float64 {
	l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
	m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
	s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
	return [3]float64{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, 1.9779984951*l - 2.4285922050*m +
		0.4505937099*s, 0.0259040371*l + 0.7827717662*m - 0.8086757660*s}
}

func (c colour) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b colour) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// The genre colours of assets/css/tokens.css differ for everybody, with all cones or without one kind: any two by at
// least 0.1 in Oklab (about 0.02 is just visible side by side). They stand out from the page's background (3:1, WCAG
// 1.4.11), and white letters are readable on the tiles (4.5:1).
func TestGenreColoursStayApart(t *testing.T) {
	css, err := os.ReadFile("../../assets/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	const color = `(#[0-9a-f]{6})`
	rule := regexp.MustCompile(`\.g(\d) \{ --genre: light-dark\(` + color + `, ` + color + `\); --tile: ` + color)
	found := rule.FindAllStringSubmatch(string(css), -1)
	if len(found) != GenreColours {
		t.Fatalf("the styles have %d genre colours, the page expects %d", len(found), GenreColours)
	}
	for part, p := range map[int]struct {
		name, ground string
		least        float64
	}{2: {"light", "#f2f0ec", 3}, 3: {"dark", "#1c1b19", 3}, 4: {"tile", "#ffffff", 4.5}} {
		var colours []colour
		for i, f := range found {
			c := parseColour(t, f[part])
			if f[1] != fmt.Sprint(i) {
				t.Errorf("genre colour %d has the class g%s", i, f[1])
			}
			if k := contrast(c, parseColour(t, p.ground)); k < p.least {
				t.Errorf("%s: g%d stands out by %.2f, want %v", p.name, i, k, p.least)
			}
			colours = append(colours, c)
		}
		for sight, m := range sights {
			if p.name == "tile" {
				break // the title is written on it
			}
			for i, a := range colours {
				for j, b := range colours[:i] {
					x, y := a.seen(m).oklab(), b.seen(m).oklab()
					d := math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
					if d < 0.1 {
						t.Errorf("%s: with %s g%d and g%d differ by %.3f", p.name, sight, j, i, d)
					}
				}
			}
		}
	}
}

// With forced colours browsers put a plate in the paper's colour behind all text, so text in that colour vanishes unless
// its rule turns this off.
func TestPaperTextWithForcedColours(t *testing.T) {
	rule := regexp.MustCompile(`(?s)([^{}]+)\{([^{}]*[^-]color: var\(--paper\)[^{}]*)\}`)
	found := 0
	for _, pattern := range []string{"../../assets/css/*.css", "../studio/*.css"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", pattern, err)
		}
		for _, file := range files {
			css, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rule.FindAllSubmatch(css, -1) {
				found++
				if !strings.Contains(string(r[2]), "forced-color-adjust: none") {
					t.Errorf("%s: %s has no forced-color-adjust: none", file, strings.TrimSpace(string(r[1])))
				}
			}
		}
	}
	if found < 5 {
		t.Errorf("found %d rules with text in the paper's colour", found)
	}
}
