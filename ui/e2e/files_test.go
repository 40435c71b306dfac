//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// press's kin for what has no button of its own: chooses a file in the input that the label stands for.
func (v *visitor) chooseBackup(file string) {
	v.Helper()
	v.must(v.driver.choose(`document.getElementById("backup-file")`, file))
}

// chooseImport chooses files where the page asks for them, as the browser's own dialogue does.
func (v *visitor) chooseImport(paths ...string) {
	v.Helper()
	v.must(v.driver.choose(`visitor.find("button", `+quote(v.Language.BringChoose)+`)[0]`, paths...))
}

// downloads has the browser put what the page hands over into a folder.
func (v *visitor) downloads() (folder string) {
	v.Helper()
	folder, err := v.driver.downloads()
	v.must(err)
	return folder
}

// file waits for a download that ends so, and returns its path and content.
func (v *visitor) file(folder, end string) (path string, b []byte) {
	v.Helper()
	v.wait("the download of a file "+end, func() string {
		found, _ := filepath.Glob(filepath.Join(folder, "*"+end))
		if len(found) == 0 {
			return "there is none"
		}
		path = found[0]
		var err error
		if b, err = os.ReadFile(path); err != nil || !complete(end, b) {
			return fmt.Sprintf("it is not complete, at %d bytes", len(b))
		}
		return ""
	})
	return path, b
}

// complete tells whether b is a whole file of a kind, by how such a file ends: WebKit writes a download where it will
// lie, a piece at a time, so that a file which is there may be one that is being written. (Chromium and Firefox rename
// a whole one.)
func complete(end string, b []byte) bool {
	switch end {
	case ".png":
		return bytes.HasSuffix(b, []byte("IEND\xaeB`\x82")) // the last chunk's name and checksum
	case ".json":
		return json.Valid(b)
	case ".txt":
		return bytes.HasSuffix(b, []byte("\n"))
	}
	return len(b) > 0
}

// written is the path of a new file with these bytes.
func written(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// export is the path of a fixture; a folder of them becomes a zip, as Letterboxd sends it.
func export(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(exports, name))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		return path
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(path)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return written(t, name+".zip", b.Bytes())
}

const exports = root + "/core/importer/testdata"
