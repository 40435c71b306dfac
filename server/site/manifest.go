package site

import (
	"bytes"
	"errors"
	"io"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/json"
)

// scanManifest finds the files of a web manifest: icons and screenshots, by "src". start_url and scope are the site's
// own address and stay.
func scanManifest(content []byte) ([]reference, error) {
	input := parse.NewInputBytes(bytes.Clone(content))
	parser := json.NewParser(input)
	var refs []reference
	for source := false; ; {
		isKey := parser.State() == json.ObjectKeyState
		kind, data := parser.Next()
		if kind == json.ErrorGrammar {
			if err := parser.Err(); !errors.Is(err, io.EOF) {
				return nil, mistakef(input.Offset(), "the manifest is not JSON: %v", err)
			}
			return refs, nil
		}
		if kind == json.WhitespaceGrammar {
			continue
		}
		if kind == json.StringGrammar && source && !isKey {
			end := input.Offset()
			refs = append(refs, unquoted(content, end-len(data), end))
		}
		source = kind == json.StringGrammar && isKey && string(data) == `"src"`
	}
}
