package site

import (
	"bytes"
	stdgzip "compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"

	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// packedAlready lists the extensions of formats that are already compressed.
var packedAlready = []string{".avif", ".br", ".gif", ".gz", ".jpeg", ".jpg", ".png", ".webp", ".woff2", ".zst"}

// smallest is the size below which compression is pointless: the file fits in one packet anyway.
const smallest = 256

// compressAll adds the compressed forms, several files in parallel.
func compressAll(files []*built, quality int, cache string) error {
	if cache != "" {
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return fmt.Errorf("cannot create the cache folder: %w", err)
		}
	}
	var group sync.WaitGroup
	errs := make([]error, len(files))
	slots := make(chan bool, runtime.GOMAXPROCS(0))
	for i, f := range files {
		if len(f.content) < smallest || slices.Contains(packedAlready, strings.ToLower(path.Ext(f.name))) {
			continue
		}
		group.Go(func() {
			slots <- true
			defer func() { <-slots }()
			sum := fingerprint.Sum(f.content)
			name := fmt.Sprintf("%s.q%d.br", sum, quality)
			f.br, errs[i] = cached(cache, name, "br", f.content, func(w io.Writer) io.WriteCloser {
				return brotli.NewWriterLevel(w, quality)
			})
			if errs[i] != nil {
				return
			}
			f.gz, errs[i] = cached(cache, sum+".gz", "gzip", f.content, func(w io.Writer) io.WriteCloser {
				z, err := stdgzip.NewWriterLevel(w, stdgzip.BestCompression) // writes no name or time by default
				if err != nil {
					panic(err) // only for an invalid level
				}
				return z
			})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// cached returns the compressed content, from the cache if possible, and nil if compression saves nothing. Cached
// entries are checked by decompressing them.
func cached(cache, key, coding string, content []byte, compressor func(io.Writer) io.WriteCloser) ([]byte, error) {
	file := filepath.Join(cache, key)
	if cache != "" {
		if packed, err := os.ReadFile(file); err == nil && server.UnpacksTo(coding, packed, content) {
			return smaller(packed, content), nil
		}
	}
	var b bytes.Buffer
	w := compressor(&b)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if cache != "" {
		if err := writeFile(file, b.Bytes()); err != nil {
			return nil, err
		}
	}
	return smaller(b.Bytes(), content), nil
}

func smaller(packed, content []byte) []byte {
	if len(packed) >= len(content) {
		return nil
	}
	return packed
}
