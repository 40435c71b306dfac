package site

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pmlam/pmlam/core/publish"
)

// mark is an empty file that tells GitHub Pages to serve all files unchanged.
const mark = ".nojekyll"

// kind identifies site folders for package publish.
const kind = "site"

// target returns the folder to write. It must not contain the site's sources.
func (c *Config) target() publish.Target {
	t := publish.Target{Path: c.Out, Kind: kind, FS: c.disk}
	add := func(what, path string) { t.Protected = append(t.Protected, publish.Protected{What: what, Path: path}) }
	if p := c.Project; p != nil {
		add("the project file", p.File)
		add("the model", p.Path(p.Train.Model))
		add("the data", p.Path(p.Data.Ratings))
		add("the catalogue", p.Path(p.Data.Items))
		add("the logo", p.Path(p.Site.Logo))
		add("the notice", p.Path(p.Site.Notice))
		for _, name := range p.Site.Copy {
			add("files that are copied into the site", p.Path(name))
		}
	}
	add("the page's source", filepath.Join(c.Tree, page))
	add("the page's sources", filepath.Join(c.Tree, "assets"))
	for _, m := range []map[string]string{c.With, c.Copy} {
		for _, address := range sortedKeys(m) {
			add("the file to publish as "+address, m[address])
		}
	}
	add("the cache", c.Cache)
	return t
}

// check returns an error if writing the site would destroy data.
func (c *Config) check() error { return c.explain(c.target().Check()) }

// explain adds advice to an error about a folder of an earlier version: how its visitors keep their files.
func (c *Config) explain(err error) error {
	var unlisted *publish.UnlistedError
	if errors.As(err, &unlisted) && c.Previous != "" {
		return fmt.Errorf("%w. For one build, set previous to the folder's new place, so that visitors still download "+
			"only the changes", err)
	}
	return err
}

// write makes Out hold the files, and adds to the report which files changed and which others are there. The page and
// its service worker, which refer to all others, are moved into place last.
func (c *Config) write(files []*built, worker string, report *Report) error {
	folder, err := c.target().Open()
	if err != nil {
		return c.explain(err)
	}
	defer folder.Close()
	for _, f := range append(files, &built{name: mark}) {
		if err := folder.Put(f.name, f.content); err != nil {
			return err
		}
		for suffix, packed := range map[string][]byte{".br": f.br, ".gz": f.gz} {
			if packed == nil {
				continue
			}
			if err := folder.Put(f.name+suffix, packed); err != nil {
				return err
			}
		}
	}
	var last []string
	for _, name := range []string{page, worker} {
		last = append(last, name+".br", name+".gz", name)
	}
	report.Others, err = folder.Finish(last...)
	report.Written, report.Removed = folder.Placed(), folder.Removed()
	return err
}

// writeFile writes a file atomically: to a temporary file next to it, which is synced and then renamed.
func writeFile(name string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err == nil {
		_, err = f.Write(content)
		err = errors.Join(err, f.Sync(), f.Close())
		if err == nil {
			err = os.Rename(f.Name(), name)
		}
		if err != nil {
			os.Remove(f.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}
