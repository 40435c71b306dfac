package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonScanner reads the members of one JSON object without building it: of the long texts in review files, only a
// hundredth is needed. jsontext checks the grammar (RFC 8259).
type jsonScanner struct {
	decoder *jsontext.Decoder
	line    bytes.Buffer
	scratch []byte // strings of the current object whose escapes were undone
}

// object calls visit for each member of the JSON object in b, in order. Strings come without quotes and escapes, other
// values as written. Keys and values are valid until the next call, as long as b is. It returns a description of the
// fault in b, or "". Bytes that are not UTF-8 are accepted here; the users of values check them.
func (j *jsonScanner) object(b []byte, visit func(key, value []byte, kind jsontext.Kind)) string {
	switch first := bytes.TrimLeft(b, " \t\r\n"); {
	case bytes.HasPrefix(first, []byte("[")):
		return "the file holds a JSON array; write one object per line instead (jq -c '.[]')"
	case !bytes.HasPrefix(first, []byte("{")):
		return "each line of this file must be a JSON object in braces"
	}
	j.line = *bytes.NewBuffer(b)
	if j.decoder == nil {
		j.decoder = new(jsontext.Decoder)
	}
	j.decoder.Reset(&j.line, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	j.scratch = j.scratch[:0]
	if err := j.members(visit); err != nil {
		return jsonRule(b, err)
	}
	if _, err := j.decoder.ReadToken(); err != io.EOF {
		return "text follows the JSON object; write one object per line"
	}
	return ""
}

// members reads the object at the decoder's position.
func (j *jsonScanner) members(visit func(key, value []byte, kind jsontext.Kind)) error {
	if _, err := j.decoder.ReadToken(); err != nil { // the opening brace
		return err
	}
	for j.decoder.PeekKind() != '}' {
		name, err := j.decoder.ReadValue()
		if err != nil {
			return err
		}
		key := j.unquoted(name)
		value, err := j.decoder.ReadValue()
		if err != nil {
			return err
		}
		kind := value.Kind()
		if kind == '"' {
			value = j.unquoted(value)
		}
		visit(key, value, kind)
	}
	_, err := j.decoder.ReadToken()
	return err
}

// unquoted returns the text of a JSON string: a part of the line if nothing is escaped, otherwise a part of scratch.
func (j *jsonScanner) unquoted(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	from := len(j.scratch)
	out, err := jsontext.AppendUnquote(j.scratch, quoted)
	if err != nil && !utf8.Valid(text) {
		return text // unchanged, so the user of the value finds that it is not UTF-8
	}
	// A later append may move scratch; this text then keeps the old memory, which is not written again.
	j.scratch = out
	return out[from:len(out):len(out)]
}

// jsonRule describes the fault in the JSON of b, from the decoder's error.
func jsonRule(b []byte, err error) string {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return "the JSON object is not complete"
	}
	at := int(syntax.ByteOffset)
	if at < len(b) && b[at] == '\'' {
		return "JSON strings stand in double quotes; this looks like a Python dictionary"
	}
	return fmt.Sprintf("the JSON is wrong at byte %d: %v; is the line complete?", at+1, syntax.Err)
}
