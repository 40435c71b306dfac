package site

import (
	"bytes"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// scanCSS finds the files that a style sheet refers to: url(…), quoted or not, and @import "…".
func scanCSS(content []byte) ([]reference, error) {
	input := parse.NewInputBytes(bytes.Clone(content))
	lexer := css.NewLexer(input)
	var refs []reference
	for imports := false; ; {
		kind, data := lexer.Next()
		end := input.Offset()
		start := end - len(data)
		switch kind {
		case css.ErrorToken:
			return refs, nil // the end: any text is a sequence of CSS tokens
		case css.WhitespaceToken, css.CommentToken:
			continue
		case css.URLToken:
			start += bytes.IndexByte(data, '(') + 1
			refs = append(refs, unquoted(content, start, end-bytes.Count(data[len(data)-1:], []byte(")"))))
		case css.StringToken:
			if imports {
				refs = append(refs, unquoted(content, start, end))
			}
		}
		imports = kind == css.AtKeywordToken && strings.EqualFold(string(data), "@import")
	}
}

// unquoted returns the reference to the address at [start, end), without spaces and quotes around it.
func unquoted(content []byte, start, end int) reference {
	for start < end && strings.IndexByte(" \t\r\n\f", content[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(" \t\r\n\f", content[end-1]) >= 0 {
		end--
	}
	if start < end && (content[start] == '"' || content[start] == '\'') {
		if quote := content[start]; end-start > 1 && content[end-1] == quote {
			end--
		}
		start++
	}
	return reference{start: start, end: end, address: string(content[start:end])}
}
