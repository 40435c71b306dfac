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

// Name is the name of the project file.
const Name = "pmlam.toml"

// Project is the content of a pmlam.toml. Paths in it are relative to its folder. Settings that are not given are nil,
// "" or empty.
type Project struct {
	File   string           `toml:"-"` // its path
	Folder string           `toml:"-"` // the folder of the file
	Data   Data             `toml:"data"`
	Train  Train            `toml:"train"`
	Site   Site             `toml:"site"`
	Rules  Rules            `toml:"rules"` // rules for every list
	Words  map[string]Words `toml:"words"` // by language, "en" or "de"

	doubts map[string]*doubt // by column: texts that the rules could not read
}

// Rules are the rules for every list, and settings for reading their columns.
type Rules struct {
	recommend.Rules
	// SoldOut lists texts of the InStock column that mean sold out; other unknown texts mean available. nil: unknown
	// texts are an error (Project.Doubts)
	SoldOut []string `toml:"sold-out"`
}

// Data holds the flags of `pmlam train` about the data. Ratings is --data; every other key has the name of its flag.
type Data struct {
	Ratings      string   `toml:"ratings"`
	Items        string   `toml:"items"`
	Format       string   `toml:"format"`
	UserColumn   string   `toml:"user-column"`
	ItemColumn   string   `toml:"item-column"`
	RatingColumn string   `toml:"rating-column"`
	TimeColumn   string   `toml:"time-column"`
	TitleColumn  string   `toml:"title-column"`
	EventColumn  string   `toml:"event-column"`
	Events       []string `toml:"events"`
	Delimiter    string   `toml:"delimiter"`
	Encoding     string   `toml:"encoding"`
	NoRatings    *bool    `toml:"no-ratings"`
	MinRating    *float64 `toml:"min-rating"`
	MinUser      *int     `toml:"min-user"`
	MinItem      *int     `toml:"min-item"`
	SkipBadLines *bool    `toml:"skip-bad-lines"`
	Columns      []string `toml:"columns"` // columns of the catalogue to publish; nil: those known to be safe
	DataName     string   `toml:"name"`
	Licence      string   `toml:"licence"`
	Attribution  string   `toml:"attribution"`
}

// Train holds further flags of `pmlam train`; Model is --out.
type Train struct {
	Model     string   `toml:"model"`
	Preset    string   `toml:"preset"`
	Epochs    *int     `toml:"epochs"`
	Measure   *bool    `toml:"measure"`
	ColdItems *bool    `toml:"cold-items"`
	ColdShare *float64 `toml:"cold-share"`
	Again     *bool    `toml:"again"` // whether people buy items again; nil: as the data show
	Seed      *int     `toml:"seed"`
}

// Site holds the settings of the site builder.
type Site struct {
	Out        string `toml:"out"`         // the folder to write
	Previous   string `toml:"previous"`    // the site that visitors have now; may be the same as Out
	Title      string `toml:"title"`       // the site's name
	Accent     string `toml:"accent"`      // of buttons and links on a light background, as #rrggbb
	AccentDark string `toml:"accent-dark"` // on a dark background; required with Accent
	Logo       string `toml:"logo"`        // an SVG file: the icon of the tab and of the installed app
	Links      []Link `toml:"links"`       // where to get a title
	Pictures   string `toml:"pictures"`    // an address with columns of the catalogue in braces
	Price      string `toml:"price"`       // a text with columns in braces, shown on cards: "{price} €"
	// https: origins of pictures, for catalogues with whole addresses in the column
	PictureOrigins []string `toml:"picture-origins"`
	Copy           []string `toml:"copy"`     // files and folders to publish unchanged, such as "pictures"
	Services       []string `toml:"services"` // services whose exports the page mentions
	Import         *bool    `toml:"import"`   // whether visitors can import ratings; nil: they can
	Notice         string   `toml:"notice"`   // a text published with the model, such as the licence of the data
}

// Link is a name and an address with columns of the catalogue in braces.
type Link struct {
	Name    string `toml:"name"`
	Address string `toml:"address"`
}

// Words holds the words for titles in one language.
type Words struct {
	Thing  string              `toml:"thing"`  // "product"
	Things string              `toml:"things"` // "products"
	Known  string              `toml:"known"`  // the mark of a title that the visitor knows: "Bought"
	Groups []string            `toml:"groups"` // singular and plural: ["category", "categories"]
	Genres map[string][]string `toml:"genres"` // by genre in the catalogue: its name here, and the word for its titles
	Moods  map[string][]string `toml:"moods"`  // filters in plain words, by name: genres in the catalogue
}

// maxFile is the size limit of a project file in bytes; a usual one has 2,000.
const maxFile = 1 << 20

// Read reads the file at path. For an unknown key, the error names the line and the nearest key.
func Read(path string) (*Project, error) {
	f, _, err := durable.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the project file: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the project file: %w", err)
	}
	if len(b) > maxFile {
		return nil, fmt.Errorf("%s is over %d bytes, the limit of a project file; is it the right file?", path, maxFile)
	}
	p, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s%w", path, err)
	}
	p.File, p.Folder = path, filepath.Dir(path)
	return p, nil
}

// Parse reads the text of a project file. Its errors begin with ":LINE: ", ready to follow the file's name.
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

// Languages are the languages of the page.
var Languages = []string{"de", "en"}

// check returns an error for invalid values.
func (p *Project) check() error {
	for tag, w := range p.Words {
		if !slices.Contains(Languages, tag) {
			return fmt.Errorf(": [words.%s]: the page does not speak that language yet; it speaks %s "+
				"(docs/deploy.md, Languages)", brief.Text(tag), strings.Join(Languages, " and "))
		}
		if w.Thing != "" && w.Things == "" {
			return fmt.Errorf(": words.%s.thing is %q; give the plural too, as things", tag, brief.Text(w.Thing))
		}
		if len(w.Groups) != 0 && len(w.Groups) != 2 {
			return fmt.Errorf(": words.%s.groups is %q; give two: singular and plural", tag, w.Groups)
		}
		for genre, names := range w.Genres {
			if len(names) != 1 && len(names) != 2 {
				return fmt.Errorf(": %q in words.%s.genres has %d names; give one, or two: the genre's name and "+
					"the word for its titles", genre, tag, len(names))
			}
		}
	}
	for tag, w := range p.Words {
		for mood, genres := range w.Moods {
			if mood == "" || len(genres) == 0 {
				return fmt.Errorf(": %q in words.%s.moods has no name or no genres; give both", mood, tag)
			}
		}
	}
	for _, l := range p.Site.Links {
		if l.Name == "" || l.Address == "" {
			return errors.New(": every entry of site.links needs a name and an address")
		}
	}
	if len(p.Site.Services) > 0 && p.Site.Import != nil && !*p.Site.Import {
		return errors.New(": site.services names services to import from, but site.import is false; remove one of them")
	}
	if err := p.Rules.Check(); err != nil {
		return fmt.Errorf(": [rules] %w", err)
	}
	return nil
}

// Path returns the path of a file that the project names; "" stays "".
func (p *Project) Path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Folder, filepath.FromSlash(name))
}

// Vanished reports ids in the rules that are not in the model's catalogue, as when a product is no longer sold.
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

// Flags returns the project's settings as flags of `pmlam train`, in the file's order of keys.
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

// asList joins the values of a flag that takes several, as a line of CSV.
func asList(values []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(values) // a strings.Builder never fails
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// unknownKey describes an unknown key and suggests the nearest one of its table.
func unknownKey(key []string) string {
	t := reflect.TypeFor[Project]()
	at := 0
	for ; at < len(key); at++ {
		if t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
			t = t.Elem()
			if t.Kind() == reflect.Struct {
				continue // the map's own key; an array of tables has none, which at most skips a name
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
	what := "unknown key " + strconv.Quote(brief.Text(word))
	if at == 0 {
		what = "unknown table or key " + strconv.Quote(brief.Text(word))
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
		// The keys of an inline table, { n = 2 }, come without the key of the table itself.
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
	return what + "; choose from " + strings.Join(known, ", ")
}

// distance is the Levenshtein distance in bytes: insertions, deletions and replacements. O(|a|·|b|).
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
