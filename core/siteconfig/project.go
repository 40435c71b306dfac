package siteconfig

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/recommend"
)

// Name is how the file is called.
const Name = "pmlam.toml"

// Project is a file pmlam.toml. Paths in it are relative to its folder. What is not set is nil, "" or empty.
type Project struct {
	File   string           `toml:"-"` // its path
	Folder string           `toml:"-"` // where it lies
	Data   Data             `toml:"data"`
	Train  Train            `toml:"train"`
	Site   Site             `toml:"site"`
	Rules  recommend.Rules  `toml:"rules"` // what every list holds
	Words  map[string]Words `toml:"words"` // by language, "en" or "de"
}

// Data are flags of `pmlam train` about the data. Ratings is --data; every other key has the name of its flag.
type Data struct {
	Ratings      string   `toml:"ratings"`
	Items        string   `toml:"items"`
	Format       string   `toml:"format"`
	UserColumn   string   `toml:"user-column"`
	ItemColumn   string   `toml:"item-column"`
	RatingColumn string   `toml:"rating-column"`
	TimeColumn   string   `toml:"time-column"`
	TitleColumn  string   `toml:"title-column"`
	Delimiter    string   `toml:"delimiter"`
	Encoding     string   `toml:"encoding"`
	NoRatings    *bool    `toml:"no-ratings"`
	MinRating    *float64 `toml:"min-rating"`
	MinUser      *int     `toml:"min-user"`
	MinItem      *int     `toml:"min-item"`
	SkipBadLines *bool    `toml:"skip-bad-lines"`
	Columns      []string `toml:"columns"` // of the catalogue, that are published; nil: those that are known to be safe
	DataName     string   `toml:"name"`
	Licence      string   `toml:"licence"`
	Attribution  string   `toml:"attribution"`
}

// Train are further flags of `pmlam train`; Model is --out.
type Train struct {
	Model     string `toml:"model"`
	Preset    string `toml:"preset"`
	Epochs    *int   `toml:"epochs"`
	Measure   *bool  `toml:"measure"`
	ColdItems *bool  `toml:"cold-items"`
	Seed      *int   `toml:"seed"`
}

// Site is what the site builder writes into the page.
type Site struct {
	Out        string `toml:"out"`         // the folder to write
	Previous   string `toml:"previous"`    // the site that visitors have, which Out may be
	Title      string `toml:"title"`       // the site's name
	Accent     string `toml:"accent"`      // of buttons and links on light ground, as #rrggbb
	AccentDark string `toml:"accent-dark"` // on dark ground; needed with Accent
	Logo       string `toml:"logo"`        // an SVG file: the icon of the tab and of the installed page
	Links      []Link `toml:"links"`       // where a title is to be had
	Pictures   string `toml:"pictures"`    // an address with columns of the catalogue in braces
	Price      string `toml:"price"`       // a text with columns in braces, shown on cards: "{price} €"
	// sites of https: that pictures come from, where the catalogue's column holds whole addresses
	PictureOrigins []string `toml:"picture-origins"`
	Copy           []string `toml:"copy"`     // files and folders that are published as they are, such as "pictures"
	Services       []string `toml:"services"` // whose exports visitors are told of
	Notice         string   `toml:"notice"`   // a text published beside the model, such as the licence of the data
}

// Link is a name and an address with columns of the catalogue in braces.
type Link struct {
	Name    string `toml:"name"`
	Address string `toml:"address"`
}

// Words are what the titles are called in one language.
type Words struct {
	Things string              `toml:"things"` // "products"
	Known  string              `toml:"known"`  // the mark of what a visitor knows already: "Bought"
	Groups []string            `toml:"groups"` // one and several: ["category", "categories"]
	Genres map[string][]string `toml:"genres"` // by the catalogue's name: its name, and what titles of it are called
}

// maxFile bounds a project file, in bytes; real ones have 2,000.
const maxFile = 1 << 20

// Read reads the file at path. A key that is not known is an error that names the line and the nearest key.
func Read(path string) (*Project, error) {
	f, _, err := durable.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("the project file cannot be read: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("the project file cannot be read: %w", err)
	}
	if len(b) > maxFile {
		return nil, fmt.Errorf("%s is larger than any project file (%d bytes); is it the right file?", path, maxFile)
	}
	p, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s%w", path, err)
	}
	p.File, p.Folder = path, filepath.Dir(path)
	return p, nil
}

// Parse reads the text of a project file. Its errors begin with ":LINE: ", to stand behind the file's name.
func Parse(text []byte) (*Project, error) {
	p := &Project{}
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(p)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		e := unknown.Errors[0]
		line, _ := e.Position()
		return nil, fmt.Errorf(":%d: %s", line, unknownKey(e.Key()))
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		return nil, fmt.Errorf(":%d: column %d: %s", line, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	case err != nil:
		return nil, fmt.Errorf(": %w", err)
	}
	return p, p.check()
}

// check finds values that cannot be.
func (p *Project) check() error {
	for tag, w := range p.Words {
		if len(w.Groups) != 0 && len(w.Groups) != 2 {
			return fmt.Errorf(": groups of words.%s are %q; there must be two: one and several", tag, w.Groups)
		}
		for genre, names := range w.Genres {
			if len(names) != 1 && len(names) != 2 {
				return fmt.Errorf(": %q of words.%s.genres has %d names; give its name, or that and what titles of "+
					"it are called", genre, tag, len(names))
			}
		}
	}
	for _, l := range p.Site.Links {
		if l.Name == "" || l.Address == "" {
			return errors.New(": each of site.links needs a name and an address")
		}
	}
	if err := p.Rules.Check(); err != nil {
		return fmt.Errorf(": [rules] %w", err)
	}
	return nil
}

// Path is where a file that the project names lies; "" stays "".
func (p *Project) Path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Folder, filepath.FromSlash(name))
}

// Vanished says which ids of the rules the model's catalogue does not have, as when a product is no longer sold.
func Vanished(ids []string) string {
	const most = 10
	text := ""
	for i, id := range ids {
		if i == most {
			text += fmt.Sprintf(" and %d more", len(ids)-most)
			break
		}
		text += fmt.Sprintf(" %.60q", id)
	}
	return "excluded or pinned, and not in the catalogue:" + text + " (ignored until they return; [rules] names them)"
}

// Flag is a flag of `pmlam train` and its value.
type Flag struct{ Name, Value string }

// Flags are what the project says to `pmlam train`, in the file's order of keys.
func (p *Project) Flags() (flags []Flag) {
	for _, table := range []any{p.Data, p.Train} {
		v := reflect.ValueOf(table)
		for i := range v.NumField() {
			name, f := v.Type().Field(i).Tag.Get("toml"), v.Field(i)
			if f.IsZero() {
				continue
			}
			value := fmt.Sprint(reflect.Indirect(f).Interface())
			if list, ok := f.Interface().([]string); ok {
				value = asList(list)
			}
			switch name {
			case "ratings":
				name, value = "data", p.Path(value)
			case "model":
				name, value = "out", p.Path(value)
			case "items":
				value = p.Path(value)
			}
			flags = append(flags, Flag{name, value})
		}
	}
	return flags
}

// asList is the value of a flag that takes several: a line of CSV.
func asList(values []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(values) // strings.Builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// unknownKey describes a key that no table has, with the one that is nearest to it in its table.
func unknownKey(key []string) string {
	t := reflect.TypeFor[Project]()
	at := 0
	for ; at < len(key); at++ {
		if t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
			t = t.Elem()
			if t.Kind() == reflect.Struct {
				continue // the map's own key; an array of tables has none, and at most a name is passed over
			}
		}
		if t.Kind() != reflect.Struct {
			break
		}
		i := slices.IndexFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
			return f.Tag.Get("toml") == key[at]
		})
		if i < 0 {
			break
		}
		t = t.Field(i).Type
	}
	word := key[min(at, len(key)-1)]
	what := "there is no key " + strconv.Quote(brief.Text(word))
	if at == 0 {
		what = "there is no table or key " + strconv.Quote(brief.Text(word))
	}
	if t.Kind() != reflect.Struct {
		return what
	}
	var known []string
	best, least := "", 1+(len(word)+1)/2
	near := func(name string) {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	for _, f := range reflect.VisibleFields(t) {
		name := f.Tag.Get("toml")
		if name == "-" {
			continue
		}
		known = append(known, name)
		near(name)
		// What stands in an inline table, { n = 2 }, is named without the key of that table.
		within := f.Type
		if within.Kind() == reflect.Slice {
			within = within.Elem()
		}
		if within.Kind() == reflect.Struct {
			for _, f := range reflect.VisibleFields(within) {
				near(f.Tag.Get("toml"))
			}
		}
	}
	if best != "" {
		return what + "; did you mean " + strconv.Quote(best) + "?"
	}
	return what + "; there are " + strings.Join(known, ", ")
}

// distance is how many characters must be put in, taken out or changed to make b of a (Levenshtein). O(|a|·|b|).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
