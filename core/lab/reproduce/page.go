package reproduce

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Insert writes tables as Markdown into the page at path, replacing the text between the lines
//
//	<!-- generated: NAME -->
//	<!-- end -->
//
// It leaves out sentences of a Legend that the page already has above. It reports whether the page has these lines; a
// page without them stays as it is. The page is written atomically. The error names a part without an end.
func Insert(path, name string, tables []Table) (bool, error) {
	page, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("cannot read the page: %w", err)
	}
	begin, end := []byte("<!-- generated: "+name+" -->\n"), []byte("<!-- end -->")
	at := bytes.Index(page, begin)
	if at < 0 {
		return false, nil
	}
	from := at + len(begin)
	length := bytes.Index(page[from:], end)
	if next := bytes.Index(page[from:], []byte("<!-- generated: ")); length < 0 || next >= 0 && next < length {
		return false, fmt.Errorf("%s: the generated part %q has no end; put the line %q after it", path, name, end)
	}
	var text bytes.Buffer
	for _, t := range tables {
		t.Legend = slices.DeleteFunc(slices.Clone(t.Legend), func(s string) bool {
			said := []byte("\n" + markdown.Replace(s) + "\n")
			return bytes.Contains(page[:from], said) || bytes.Contains(text.Bytes(), said)
		})
		fmt.Fprintf(&text, "\n%s", t.Markdown())
	}
	text.WriteByte('\n')
	err = durable.WriteFile(durable.OS, path, func(w io.Writer) error {
		for _, part := range [][]byte{page[:from], text.Bytes(), page[from+length:]} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("cannot write the page %s: %w", path, err)
	}
	return true, nil
}
