package reproduce

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Insert puts tables as Markdown into the page at path, in place of what stands between the lines
//
//	<!-- generated: NAME -->
//	<!-- end -->
//
// and returns whether the page has such a place; one without is left alone. The page is written whole. The error says
// where a place begins and does not end.
func Insert(path, name string, tables []Table) (bool, error) {
	page, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("the page cannot be read: %w", err)
	}
	begin, end := []byte("<!-- generated: "+name+" -->\n"), []byte("<!-- end -->")
	at := bytes.Index(page, begin)
	if at < 0 {
		return false, nil
	}
	from := at + len(begin)
	length := bytes.Index(page[from:], end)
	if next := bytes.Index(page[from:], []byte("<!-- generated: ")); length < 0 || next >= 0 && next < length {
		return false, fmt.Errorf("%s: what is generated as %q does not end; put the line %q behind it", path, name, end)
	}
	var text bytes.Buffer
	for i := range tables {
		fmt.Fprintf(&text, "\n%s", tables[i].Markdown())
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
		return false, fmt.Errorf("the page %s could not be written: %w", path, err)
	}
	return true, nil
}
