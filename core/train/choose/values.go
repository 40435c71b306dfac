package choose

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Value returns the value of a setting as in a settings file, strings without quotes. It panics if there is no such
// setting.
func Value(c *Settings, name string) string {
	all := reflect.ValueOf(c).Elem()
	for _, field := range reflect.VisibleFields(all.Type()) {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			text, err := json.Marshal(all.FieldByIndex(field.Index).Interface())
			if err != nil {
				panic(err)
			}
			var word string
			if json.Unmarshal(text, &word) == nil {
				return word
			}
			return string(text)
		}
	}
	panic(fmt.Sprintf("choose: unknown setting %q", name))
}

// Apply returns c with some settings changed; values are written as in a settings file.
func Apply(c Settings, values map[string]string) (Settings, error) {
	for name, text := range values {
		v := json.RawMessage(text)
		if !json.Valid(v) { // a string
			v, _ = json.Marshal(text)
		}
		b, err := json.Marshal(map[string]json.RawMessage{name: v})
		if err == nil {
			err = json.Unmarshal(b, &c)
		}
		if err != nil {
			return c, fmt.Errorf("the setting %s is invalid (%s): %w", name, text, err)
		}
	}
	return c, nil
}

// digits is the number of significant digits kept of a sampled number; more would be noise, and people read them.
const digits = 3

// Readable rounds to a few significant digits.
func Readable(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return v
}
