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

// chooseBackup chooses a file in the input that the label belongs to.
func (v *visitor) chooseBackup(file string) {
	v.Helper()
	v.must(v.driver.choose(`document.getElementById("backup-file")`, file))
}

// chooseImport chooses files where the page asks for them, like the browser's own dialog.
func (v *visitor) chooseImport(paths ...string) {
	v.Helper()
	v.must(v.driver.choose(`visitor.find("button", `+quote(v.Language.BringChoose)+`)[0]`, paths...))
}

// downloads makes the browser save the page's downloads in a folder.
func (v *visitor) downloads() (folder string) {
	v.Helper()
	folder, err := v.driver.downloads()
	v.must(err)
	return folder
}

// file waits for a download with this suffix, and returns its path and content.
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

// complete tells from its end whether b is a whole file. WebKit writes downloads piece by piece at their final path, so
// an existing file may be incomplete. (Chromium and Firefox rename complete files.)
func complete(end string, b []byte) bool {
	switch end {
	case ".png":
		return bytes.HasSuffix(b, []byte("IEND\xaeB`\x82")) // the last chunk's name and checksum
	case ".json":
		return json.Valid(b)
	case ".zip":
		_, err := zip.NewReader(bytes.NewReader(b), int64(len(b))) // its directory is at the end
		return err == nil
	case ".txt":
		return bytes.HasSuffix(b, []byte("\n"))
	}
	return len(b) > 0
}

// written returns the path of a new file with these bytes.
func written(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// export returns the path of a fixture; folders become a zip, like Letterboxd's exports.
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
