package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mark is an empty file in every site folder. On GitHub Pages it says that the files are to be served as they are; here
// it also says that the folder was written by this package and may be replaced by it.
const mark = ".nojekyll"

// checkReplaceable returns an error for a folder that holds something other than a site, so that a wrong --out
// deletes nothing.
func checkReplaceable(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return fmt.Errorf("cannot look at %s, where the site is to be written: %w", out, err)
	}
	if _, err := os.Stat(filepath.Join(out, mark)); err != nil {
		return fmt.Errorf("%s holds something that is not a site written by this program; it would be lost: "+
			"name another folder, or empty it", out)
	}
	return nil
}

// write puts the files into a new folder beside out and then exchanges the two. The new one is on the disk by then, so
// that out is never a part of a site, even where the power fails.
func write(out string, files []*built) error {
	fresh, old := out+".new.tmp", out+".old.tmp"
	for _, leftover := range []string{fresh, old} {
		if err := os.RemoveAll(leftover); err != nil {
			return fmt.Errorf("cannot clear what an interrupted run left: %w", err)
		}
	}
	if err := writeAll(fresh, files); err != nil {
		_ = os.RemoveAll(fresh)
		return err
	}
	if err := os.Rename(out, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot set the older site aside: %w", err)
	}
	if err := os.Rename(fresh, out); err != nil {
		return fmt.Errorf("cannot put the site in its place: %w", err)
	}
	syncFolder(filepath.Dir(out))
	if err := os.RemoveAll(old); err != nil {
		return fmt.Errorf("the new site is in place, but the older one could not be removed: %w", err)
	}
	return nil
}

func writeAll(folder string, files []*built) error {
	put := func(name string, content []byte) error {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("cannot make a folder of the site: %w", err)
		}
		return writeFile(file, content)
	}
	for _, f := range files {
		if err := put(f.name, f.content); err != nil {
			return err
		}
		if f.br != nil {
			if err := put(f.name+".br", f.br); err != nil {
				return err
			}
		}
		if f.gz != nil {
			if err := put(f.name+".gz", f.gz); err != nil {
				return err
			}
		}
	}
	if err := put(mark, nil); err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			syncFolder(path)
		}
		return err
	})
}

// writeFile writes a whole file to a temporary beside it and renames that, so that no reader sees a partial file. The
// disk has it before it has its name.
func writeFile(name string, content []byte) error {
	temporary := name + ".tmp"
	f, err := os.Create(temporary)
	if err == nil {
		_, err = f.Write(content)
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

// syncFolder returns when the disk has the names of what lies in the folder. What cannot promise that (Windows, some
// network file systems) is taken as it is.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
