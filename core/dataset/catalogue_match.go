package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pmlam/pmlam/core/brief"
)

// likeness maps ids of the catalogue to ids of the interactions if the two are written differently throughout: 504.0
// and 504, or SKU-1 and sku-1.
type likeness struct {
	name string // "as numbers", "regardless of case"
	key  func(id string) string
	ids  map[string]string // key → id of the interactions; "" where several have it
}

// id returns the id of the interactions for an id of the catalogue, which it returns unchanged if none matches.
func (l *likeness) id(id []byte) []byte {
	if l == nil {
		return id
	}
	if same := l.ids[l.key(string(id))]; same != "" {
		return []byte(same)
	}
	return id
}

var wholeNumber = regexp.MustCompile(`^\+?0*(\d+)(?:\.0*)?$`)

// numberKey returns the digits of a whole number; "" for any other text.
func numberKey(id string) string {
	id = strings.Trim(id, `="' `)
	if m := wholeNumber.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	if strings.ContainsAny(id, "eE") && len(id) <= 24 { // as spreadsheets write long numbers
		if v, err := strconv.ParseFloat(id, 64); err == nil && v >= 1 && v < 1e15 && v == math.Trunc(v) {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return ""
}

// caseKey returns an id without case, quotes and the blanks within it.
func caseKey(id string) string {
	return strings.Join(strings.Fields(fold(strings.Trim(id, `="' `))), " ")
}

// findLikeness compares the ids in the first rows of a catalogue with the ids of the interactions. It returns nil if
// some are equal, or hardly any alike.
func findLikeness(rows [][]string, column int, known *IDs) *likeness {
	var ids []string
	for _, row := range rows {
		id, _ := itemID([]byte(row[column]))
		if _, ok := known.Index(string(id)); ok {
			return nil
		}
		ids = append(ids, string(id))
	}
	for _, l := range []*likeness{{name: "as numbers", key: numberKey}, {name: "regardless of case", key: caseKey}} {
		l.ids = map[string]string{}
		for i := range known.Len() {
			id := known.ID(i)
			key := l.key(id)
			if _, twice := l.ids[key]; twice || key == "" {
				id = ""
			}
			l.ids[key] = id
		}
		alike := 0
		for _, id := range ids {
			if l.ids[l.key(id)] != "" {
				alike++
			}
		}
		if alike > 0 && (alike*10 >= len(ids) || alike >= 20) {
			return l
		}
	}
	return nil
}

// fewItems is the share of the items that a catalogue must describe, one in twenty, unless most of its lines are about
// items.
const fewItems = 20

// mostLookups bounds describer.lookups, to keep reading fast.
const mostLookups = 1000

// checkMatch returns an error if a catalogue describes hardly any item because its ids differ.
func (d *describer) checkMatch(path string) error {
	met, like := 0, -1
	for i, is := range d.met {
		if is {
			met++
		} else if like < 0 {
			like = i
		}
	}
	if n := len(d.met); n == 0 || met > 0 && (met*fewItems >= n || d.hits >= d.misses) {
		return nil
	}
	other := ""
	if d.other != "" {
		other = fmt.Sprintf(" and the catalogue such as %q (column %q)", brief.Text(d.other), brief.Text(d.idName))
	}
	return &FileError{Path: path, Reason: fmt.Sprintf("describes %d of the %d items: the interactions have ids such "+
		"as %q%s; is it the right file, and do both have the same ids?", met, len(d.met),
		brief.Text(d.items.ID(like)), other)}
}

// jsonTable is a catalogue of JSON lines. Its columns are the keys of the first objects; lists and objects are texts in
// JSON.
type jsonTable struct {
	s      *source
	j      jsonScanner
	names  []string
	places map[string]int
	fields [][]byte
}

func newJSONTable(s *source) (*jsonTable, *sample) {
	body := sampleKeysWith(s, true)
	t := &jsonTable{s: s, names: body.names, places: map[string]int{}, fields: make([][]byte, len(body.names))}
	for i, name := range t.names {
		t.places[name] = i
	}
	return t, body
}

func (t *jsonTable) next() ([][]byte, error) {
	for {
		line, err := t.s.next()
		if err == io.EOF {
			return nil, err
		}
		if err != nil {
			return nil, t.s.fail(err)
		}
		if len(trim(line)) == 0 {
			continue
		}
		clear(t.fields)
		if rule := t.j.object(line, func(key, value []byte, kind jsontext.Kind) {
			if i, ok := t.places[string(key)]; ok && kind != 'n' {
				t.fields[i] = value
			}
		}); rule != "" {
			return nil, t.s.bad(-1, "", line, rule)
		}
		return t.fields, nil
	}
}

func (t *jsonTable) at() *source   { return t.s }
func (t *jsonTable) cutBy() string { return "" }

// isJSON reports whether a catalogue is JSON lines, or JSON in another form, which is not read.
func isJSON(head []byte) (lines, other bool) {
	first := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(first) == 0 || first[0] != '{' && first[0] != '[' {
		return false, false
	}
	line, _, _ := bytes.Cut(first, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	return line[0] == '{' && len(line) > 1 && line[len(line)-1] == '}' || line[0] == '{' && len(first) >= sniffed, true
}
