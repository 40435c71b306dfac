package publish

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// listName is the name of the list in this package's subfolder.
const listName = "files.json"

// mostList is the size limit of a list in bytes. The list of a million files has 150 MB.
const mostList = 256 << 20

type entry struct {
	Name   string `json:"name"` // slash-separated, relative to the folder
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// files are the files of a list by name. While a folder is being written, a name may have two contents.
type files map[string][]entry

func (f files) add(e entry) {
	if !slices.Contains(f[e.Name], e) {
		f[e.Name] = append(f[e.Name], e)
	}
}

// encode formats a list, sorted, one file a line, so that versions of it can be compared.
func (f files) encode() ([]byte, error) {
	var all []entry
	for _, of := range f {
		all = append(all, of...)
	}
	slices.SortFunc(all, func(a, b entry) int {
		return strings.Compare(a.Name+"\x00"+a.SHA256, b.Name+"\x00"+b.SHA256)
	})
	var b bytes.Buffer
	b.WriteString("{\"files\":[")
	for i, e := range all {
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

// decode parses a list. A name that cannot have been written is an error.
func decode(text []byte, private string) (files, error) {
	var list struct{ Files []entry }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	all := files{}
	for _, e := range list.Files {
		if err := checkName(e.Name, private); err != nil {
			return nil, err
		}
		if sum, err := hex.DecodeString(e.SHA256); err != nil || len(sum) != 32 || e.Size < 0 {
			return nil, fmt.Errorf("%q has no size and digest", e.Name)
		}
		all.add(e)
	}
	return all, nil
}

// checkName returns an error for a name that leads out of the folder, into private, or into a repository.
func checkName(name, private string) error {
	if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) ||
		strings.ContainsAny(name, "\\\x00") {
		return fmt.Errorf("%q is not the name of a file within the folder", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if isRepository(part) || strings.EqualFold(part, private) {
			return fmt.Errorf("%q cannot be written: %s belongs to another program", name, part)
		}
	}
	return nil
}

// repositories are the folders of version control systems. Git's may be a file.
var repositories = []string{".git", ".hg", ".svn", ".jj", ".bzr"}

// isRepository reports whether a name is one of repositories, even on file systems that ignore case.
func isRepository(name string) bool { return slices.Contains(repositories, strings.ToLower(name)) }

// errNoList says that a folder has no list.
var errNoList = errors.New("no list")

// readList reads the list of a folder; errNoList without one.
func readList(disk durable.FS, folder, private string) (files, error) {
	own := filepath.Join(folder, private)
	path := filepath.Join(own, listName)
	for _, at := range []struct {
		path string
		want durable.Kind
	}{{own, durable.Folder}, {path, durable.Regular}} {
		switch kind, err := disk.Kind(at.path); {
		case err != nil:
			return nil, err
		case kind != at.want:
			return nil, errNoList
		}
	}
	r, size, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > mostList {
		return nil, fmt.Errorf("%s has %d bytes, above the limit of a list", path, size)
	}
	text, err := io.ReadAll(io.LimitReader(r, mostList))
	if err != nil {
		return nil, err
	}
	all, err := decode(text, private)
	if err != nil {
		return nil, fmt.Errorf("%s, the list of files that were written, is damaged: %w; move %s away and run this "+
			"again", path, err, folder)
	}
	return all, nil
}

// HasList reports whether a folder has a list written by a program of this kind.
func HasList(folder, kind string) bool {
	_, err := readList(Disk, folder, (&Target{Kind: kind}).private())
	return err == nil
}

func writeList(disk durable.FS, folder, private string, all files) error {
	text, err := all.encode()
	if err != nil {
		return err
	}
	return durable.WriteFile(disk, filepath.Join(folder, private, listName), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
