package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/recommend/query"
)

// decode reads the parts of a JSON text that the shape covers. See Turn.Request.
func decode(text []byte, shape *query.Shape, marks int) (query.JSON, error) {
	// Duplicate names are checked here, where they matter: nothing is stored of skipped values, including their names.
	d := decoder{jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true)), marks}
	v, err := d.value(shape, "", "")
	if err == nil {
		if _, err = d.ReadToken(); err == nil {
			err = errors.New("more text follows it")
		} else if err == io.EOF {
			return query.JSON{V: v}, nil
		}
	}
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		return query.JSON{}, wrong
	}
	sentence := fmt.Sprintf("the body is not JSON: %s, at byte %d", reason(err), d.InputOffset())
	return query.JSON{}, &Error{http.StatusBadRequest, sentence}
}

// reason explains why a text is not JSON, without the path of names, which may be as long as the text.
func reason(err error) string {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		err = s.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return "it ends too early"
	}
	return brief.Text(err.Error())
}

type decoder struct {
	*jsontext.Decoder
	marks int
}

// value reads the next value: the option of a request, or its part that errors call name. Lists and objects outside the
// shape are returned empty.
func (d *decoder) value(s *query.Shape, option, name string) (any, error) {
	switch d.PeekKind() {
	case '{':
		switch {
		case s.Item:
			return d.item(option)
		case s.Fields == nil && s.Others == nil:
			return map[string]any(nil), d.SkipValue()
		}
		return d.object(s, option, name)
	case '[':
		if s.Entries == nil {
			return []any(nil), d.SkipValue()
		}
		return d.list(s.Entries, option, name)
	}
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case 't', 'f':
		return t.Bool(), nil
	case '"':
		text := t.String()
		if len(text) > MaxText {
			return nil, query.TooLong(option, MaxText)
		}
		return text, nil
	case '0':
		x, err := strconv.ParseFloat(t.String(), 64)
		if err != nil {
			return nil, errors.New("a number is too large")
		}
		return x, nil
	}
	return nil, nil
}

func (d *decoder) list(entry *query.Shape, option, name string) ([]any, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	out := []any{}
	for d.PeekKind() != ']' {
		if len(out) == d.marks {
			return nil, query.TooMany(option, name, d.marks)
		}
		v, err := d.value(entry, option, name)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.ReadToken()
	return out, err
}

func (d *decoder) object(s *query.Shape, option, name string) (map[string]any, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	out := map[string]any{}
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		field := t.String()
		inner, known := s.Fields[field]
		if !known {
			if inner = s.Others; inner == nil {
				return nil, s.Refuse(field)
			}
		}
		inOption := option
		if inOption == "" {
			inOption = field
		}
		if _, twice := out[field]; twice {
			return nil, query.Twice(inOption, field)
		}
		if len(out) == d.marks {
			return nil, query.TooMany(option, name, d.marks)
		}
		if out[field], err = d.value(inner, inOption, field); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return out, err
}

// item reads an object as an item: a query.Item, or an empty object if its id is neither a text nor a number.
func (d *decoder) item(option string) (item any, err error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	item = map[string]any(nil)
	named := false
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		switch {
		case err != nil:
			return nil, err
		case name.String() != "id":
			err = d.SkipValue()
		case named:
			return nil, query.Twice(option, "id")
		default:
			var id any
			named = true
			if id, err = d.value(&query.Shape{}, option, "id"); err == nil {
				switch id.(type) {
				case string, float64:
					item = query.Item{ID: id}
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	_, err = d.ReadToken()
	return item, err
}
