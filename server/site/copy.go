package site

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/server"
)

// copied returns the files that the project publishes unchanged. notes lists skipped ones: names that begin with a dot,
// which our hosts do not serve, and drawings that contain scripts.
//
// Links are rejected because they could lead anywhere, as are repositories, the project's data and the site itself.
func (b *builder) copied(taken map[string]bool) (files []*built, notes []string, err error) {
	folder, err := os.OpenRoot(b.Project.Path("."))
	if err != nil {
		return nil, nil, fmt.Errorf("copy of site: %w", err)
	}
	defer folder.Close()
	private := append(b.secrets(), known("the site itself", b.Out)...)
	private = append(private, known("the previous site", b.Previous)...)
	left := int64(server.MaxSite)
	for _, named := range b.Project.Site.Copy {
		named = filepath.ToSlash(named)
		if !fs.ValidPath(named) || named == "." {
			return nil, nil, fmt.Errorf("copy of site names %q; it must be a folder or file next to pmlam.toml, "+
				"such as pictures", named)
		}
		for at, c := range named {
			if c == '/' {
				if err := plainFile(folder, named[:at]); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := plainFile(folder, named); err != nil {
			return nil, nil, err
		}
		err := fs.WalkDir(folder.FS(), named, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return fmt.Errorf("copy of site: %w", err)
			}
			base := path.Base(name)
			if err := plainFile(folder, name); err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			same := func(p notCopied) bool { return os.SameFile(p.info, info) }
			if k := slices.IndexFunc(private, same); k >= 0 {
				return fmt.Errorf("copy of site: %s is %s, which must not be published: list the other files "+
					"one by one, or move them to another folder", name, private[k].what)
			}
			if name != named && strings.HasPrefix(base, ".") && base != ".well-known" {
				notes = append(notes, "Not copied, because the name begins with a dot: "+printable(name))
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if d.IsDir() {
				return nil
			}
			if taken[name] {
				return fmt.Errorf("copy of site: %s is already a file of the site", name)
			}
			taken[name] = true
			content, err := readAtMost(folder, name, left)
			if err != nil {
				return fmt.Errorf("copy of site: %w", err)
			}
			left -= int64(len(content))
			if strings.EqualFold(path.Ext(name), ".svg") {
				if err := checkDrawing(content); err != nil {
					notes = append(notes, fmt.Sprintf("Not copied: %s, as %v", printable(name), err))
					return nil
				}
			}
			files = append(files, &built{source: name, name: name, content: content})
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return files, notes, nil
}

// plainFile rejects repositories and everything that is neither a file nor a folder.
func plainFile(folder *os.Root, name string) error {
	info, err := folder.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("copy of site: %s does not exist", name)
	case err != nil:
		return fmt.Errorf("copy of site: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("copy of site: %s is a link; replace it by the file itself", name)
	case !info.IsDir() && !info.Mode().IsRegular():
		return fmt.Errorf("copy of site: %s is neither a file nor a folder", name)
	case slices.Contains([]string{".git", ".hg", ".svn", ".jj", ".bzr"}, strings.ToLower(path.Base(name))):
		return fmt.Errorf("copy of site: %s is a repository, which must not be published: list the other files one by "+
			"one, or move them to another folder", name)
	}
	return nil
}

// notCopied is a file or folder of the project that must not be published.
type notCopied struct {
	what string
	info fs.FileInfo
}

// known describes the file at path, or returns nothing if it does not exist.
func known(what, path string) []notCopied {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return []notCopied{{what, info}}
}

// secrets returns the project's files that are never published under any name.
func (c *Config) secrets() []notCopied {
	if c.Project == nil {
		return nil
	}
	p := c.Project
	return slices.Concat(known("the project file", p.File), known("the data", p.Path(p.Data.Ratings)),
		known("the catalogue's file", p.Path(p.Data.Items)))
}

// checkSecrets returns an error if one of them is set as a file of the site, such as the model.
func (c *Config) checkSecrets() error {
	secrets := c.secrets()
	for _, m := range []map[string]string{c.With, c.Copy} {
		for _, address := range sortedKeys(m) {
			for _, file := range known("", m[address]) {
				same := func(s notCopied) bool { return os.SameFile(s.info, file.info) }
				if k := slices.IndexFunc(secrets, same); k >= 0 {
					return fmt.Errorf("%s would be published as %s, but it is %s: name the right file", m[address],
						address, secrets[k].what)
				}
			}
		}
	}
	return nil
}

// readAtMost reads a file in folder of at most `most` bytes.
func readAtMost(folder *os.Root, name string, most int64) ([]byte, error) {
	info, err := folder.Stat(name) // first: opening a pipe would block until a writer comes
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		err = fmt.Errorf("%s has more than %d bytes, too many for a site", name, most)
	}
	return content, err
}
