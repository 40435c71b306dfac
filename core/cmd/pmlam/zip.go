package main

import (
	"archive/zip"
	"io"
	"io/fs"
	"path"
	"slices"
)

// packed are the ends of names of files that do not get smaller.
var packed = []string{".br", ".gz", ".png", ".jpg", ".jpeg", ".webp", ".avif", ".woff2"}

// zipFolder packs the files of a folder, ascending by name. It returns their number and their size. The same files give
// the same bytes: no times are stored.
func zipFolder(w io.Writer, folder fs.FS) (files int, size int64, err error) {
	z := zip.NewWriter(w)
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" {
			return err
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		if slices.Contains(packed, path.Ext(name)) {
			h.Method = zip.Store
		}
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		from, err := folder.Open(name)
		if err != nil {
			return err
		}
		defer from.Close()
		n, err := io.Copy(to, from)
		files, size = files+1, size+n
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return files, size, z.Close()
}
