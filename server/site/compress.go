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
			packed, err := Brotli(f.content, quality, cache)
			if err != nil {
				errs[i] = err
				return
			}
			f.br = smaller(packed, f.content)
			packed, errs[i] = cached(cache, sum+".gz", "gzip", f.content, func(w io.Writer) io.WriteCloser {
				z, err := stdgzip.NewWriterLevel(w, stdgzip.BestCompression) // writes no name or time by default
				if err != nil {
					panic(err) // only for an invalid level
				}
				return z
			})
			f.gz = smaller(packed, f.content)
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

// CacheName returns the name that the brotli form of content has in a cache (Config.Cache).
func CacheName(content []byte, quality int) string {
	return fmt.Sprintf("%s.q%d.br", fingerprint.Sum(content), quality)
}

// Brotli returns content as brotli compresses it at this quality, 0 to 11, from the cache if that has it intact.
// cache is a folder, or "".
func Brotli(content []byte, quality int, cache string) ([]byte, error) {
	return cached(cache, CacheName(content, quality), "br", content, func(w io.Writer) io.WriteCloser {
		return brotli.NewWriterLevel(w, quality)
	})
}

// cached returns the compressed content, from the cache if possible. Cached entries are checked by decompressing them.
func cached(cache, key, coding string, content []byte, compressor func(io.Writer) io.WriteCloser) ([]byte, error) {
	file := filepath.Join(cache, key)
	if cache != "" {
		if packed, err := os.ReadFile(file); err == nil && server.UnpacksTo(coding, packed, content) {
			return packed, nil
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
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return nil, fmt.Errorf("cannot create the cache folder: %w", err)
		}
		if err := writeFile(file, b.Bytes()); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func smaller(packed, content []byte) []byte {
	if len(packed) >= len(content) {
		return nil
	}
	return packed
}
