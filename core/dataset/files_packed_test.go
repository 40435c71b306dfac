package dataset

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// packers write text in a packing.
var packers = map[string]func(text []byte) []byte{
	"gzip": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	},
	"zstd": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z })
	},
	"lz4": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) })
	},
	"lz4 legacy": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser {
			z := lz4.NewWriter(w)
			z.Apply(lz4.LegacyOption(true))
			return z
		})
	},
	"zlib": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	},
	"zlib fast": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser { z, _ := zlib.NewWriterLevel(w, 1); return z })
	},
	"snappy": func(text []byte) []byte {
		return packedBy(text, func(w io.Writer) io.WriteCloser { return s2.NewWriter(w, s2.WriterSnappyCompat()) })
	},
	"tar": func(text []byte) []byte { return tarred("r.csv", string(text)) },
}

func packedBy(text []byte, by func(io.Writer) io.WriteCloser) []byte {
	var b bytes.Buffer
	w := by(&b)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// tarred writes files, given as name, text, name, text, …
func tarred(files ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg})
		io.WriteString(w, files[i+1])
	}
	w.Close()
	return b.Bytes()
}

// zippedFiles is tarred for zip.
func zippedFiles(files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, _ := w.Create(files[i])
		io.WriteString(f, files[i+1])
	}
	w.Close()
	return b.Bytes()
}

const packedTable = "user,item\nu1,a\nu1,b\nu2,a\nu3,é\n"

// TestPackings reads one table however it is packed, and says how.
func TestPackings(t *testing.T) {
	in := func(kinds ...string) []byte {
		b := []byte(packedTable)
		for _, k := range kinds {
			b = packers[k](b)
		}
		return b
	}
	skippable := binary.LittleEndian.AppendUint32([]byte("\x50\x2a\x4d\x18"), 5)
	skippable = append(skippable, "12345"...)
	half := len("user,item\nu1,a\n")
	for _, c := range []struct {
		name, file string
		b          []byte
		as         string
	}{
		{"gzip", "r.csv.gz", in("gzip"), "gzip"},
		{"gzip under another name", "r.csv.Z", in("gzip"), "gzip"},
		{"two members", "r.csv.gz", append(packers["gzip"]([]byte(packedTable[:half])),
			packers["gzip"]([]byte(packedTable[half:]))...), "gzip"},
		{"padded", "r.csv.gz", append(in("gzip"), make([]byte, 5000)...), "gzip"},
		{"padded by one zero", "r.csv.gz", append(in("gzip"), 0), "gzip"},
		{"zeros between members", "r.csv.gz", append(append(packers["gzip"]([]byte(packedTable[:half])), 0, 0),
			packers["gzip"]([]byte(packedTable[half:]))...), "gzip"},
		{"gzip twice", "r.csv.gz.gz", in("gzip", "gzip"), "gzip in gzip"},
		{"zstd in gzip", "r.csv.gz", in("zstd", "gzip"), "zstd in gzip"},
		{"four times", "r.csv.gz", in("gzip", "zstd", "lz4", "gzip"), "gzip in zstd in lz4 in gzip"},
		{"zstd", "r.csv.zst", in("zstd"), "zstd"},
		{"zstd behind a skippable frame", "r.csv.zst", append(append([]byte{}, skippable...), in("zstd")...), "zstd"},
		{"lz4 behind two", "r.csv.lz4", append(append(append([]byte{}, skippable...), skippable...), in("lz4")...), "lz4"},
		{"lz4", "r.csv.lz4", in("lz4"), "lz4"},
		{"lz4 of old", "r.lz4", in("lz4 legacy"), "lz4"},
		{"zlib", "r.csv.zlib", in("zlib"), "zlib"},
		{"zlib under another name", "r.csv.Z", in("zlib fast"), "zlib"},
		{"snappy", "r.csv.sz", in("snappy"), "snappy"},
		{"bzip2", "r.csv.bz2", []byte("BZh91AY&SY\xde\xf6\xa9\xa9\x00\x00\x0e\xdb\x80\x00\x10@\x00@\x00\x10 \x01" +
			"\x04\x00\x00"), ""},
		{"tar", "r.tar", in("tar"), "tar"},
		{"tar.gz", "r.tar.gz", in("tar", "gzip"), "tar"},
		{"tgz", "r.tgz", in("tar", "gzip"), "tar"},
		{"tar.zst", "r.tar.zst", in("tar", "zstd"), "tar"},
		{"tar.lz4", "r", in("tar", "lz4"), "tar"},
		{"gzip in tar", "r.tar", tarred("r.csv.gz", string(in("gzip"))), "gzip in tar"},
		{"gzip in zip", "r.zip", zippedFiles("r.csv.gz", string(in("gzip"))), "gzip in zip"},
		{"in a folder of a tar", "r.tar", tarred("./ml/._r.csv", "x", "./ml/README", "x", "./ml/r.csv", packedTable), "tar"},
		{"later file of a tar", "r.tar", tarred("r.csv", "nothing", "r.csv", packedTable), "tar"},
		{"text that begins like zlib", "r.csv", []byte("x^,item\nu1,a\nu1,b\nu2,a\nu3,é\n"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := none
			if c.name == "text that begins like zlib" {
				o.Columns = Columns{User: "x^", Item: "item"}
			}
			if c.name == "bzip2" {
				return // see TestBzip2
			}
			d, err := Load(write(t, t.TempDir(), c.file, string(c.b)), o)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(pairs(d, d.Positives), ";"); got != "u1 a;u1 b;u2 a;u3 é" {
				t.Errorf("%s", got)
			}
			if got := d.Read.Readings[0].Packed; got != c.as {
				t.Errorf("packed as %q; want %q", got, c.as)
			}
		})
	}
}

// TestBzip2: Go has no writer, so the bytes are bzip2's.
func TestBzip2(t *testing.T) {
	const packed = "BZh91AY&SY\x17\xf2\xf1\xd8\x00\x00\x04\xd9\x80\x00\x10@\x01\x04\x00\x2b"
	if u, err := unpack(strings.NewReader(packed)); err != nil || len(u.kinds) != 1 || u.kinds[0] != "bzip2" {
		t.Fatal(u, err)
	}
}

// TestPackedOtherwise: what is not read is named, in a file and in an archive.
func TestPackedOtherwise(t *testing.T) {
	for magic, says := range map[string]string{
		"\xfd7zXZ\x00\x00\x04": "compressed with xz", "7z\xbc\xaf\x27\x1c": "with 7z", "Rar!\x1a\x07\x00": "with rar",
		"\x1f\x9d\x90abc": "compress (.Z)", "\x89LZO\x00": "lzop", "LZIP\x01": "lzip", "\x5d\x00\x00\x80\x00": "lzma",
		"MSCF\x00": "cab", "%PDF-1.7": "PDF", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "older Excel", "Obj\x01": "Avro",
		"ORC\x08": "ORC", "ARROW1\x00\x00": "Arrow", "SQLite format 3\x00": "SQLite", "\x80\x04\x95\x00": "pickle",
		"\x93NUMPY": "NumPy", "\x89HDF\r\n": "HDF5",
	} {
		text := magic + strings.Repeat("x", 100)
		for _, path := range []string{write(t, t.TempDir(), "a.csv", text),
			write(t, t.TempDir(), "a.zip", string(zippedFiles("a.csv", text))),
			write(t, t.TempDir(), "a.csv.gz", string(packers["gzip"]([]byte(text))))} {
			var file *FileError
			if _, err := Load(path, none); !errors.As(err, &file) || !strings.Contains(err.Error(), says) {
				t.Errorf("%s, %q: %v", filepath.Base(path), magic, err)
			}
		}
	}
	deep := []byte(packedTable)
	for range maxPackings + 1 {
		deep = packers["gzip"](deep)
	}
	for name, c := range map[string]struct {
		b    []byte
		says string
	}{
		"r.gz":      {deep, "packed more than 4 times"},
		"cut.gz":    {packers["gzip"]([]byte(packedTable))[:30], "breaks off"},
		"cut.tgz":   {packers["gzip"](tarred("r.csv", strings.Repeat(packedTable, 99)))[:120], "again"},
		"cut.tar":   {tarred("r.csv", packedTable, "s.csv", packedTable)[:1100], "damaged"},
		"inner.tar": {tarred("r.tar", string(tarred("r.csv", packedTable))), ""},
		"inner.zip": {zippedFiles("r.csv", string(tarred("r.csv", packedTable))), "a tar archive within another archive"},
		"more.gz":   {append(packers["gzip"]([]byte(packedTable)), "more"...), "breaks off"},
	} {
		if _, err := Load(write(t, t.TempDir(), name, string(c.b)), none); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %q", name, err, c.says)
		}
	}
}

// TestTarOrder: the files of a packed tar archive are read in the order of their names, whatever their order in it is.
func TestTarOrder(t *testing.T) {
	b := tarred("b.csv", "user,item\nu2,b\n", "c.csv", "user,item\nu3,c\n", "a.csv", "user,item\nu1,a\n")
	for _, kind := range []string{"", "gzip", "lz4"} {
		if kind != "" {
			b = packers[kind](b)
		}
		d, err := Load(write(t, t.TempDir(), "r.tar", string(b)), none)
		if err != nil || strings.Join(d.Users.Strings(), " ") != "u1 u2 u3" {
			t.Errorf("%s: %v, %v", kind, d, err)
		}
	}
}

// TestStandardInput: "-" reads standard input, a pipe and a file, plain, packed and an archive.
func TestStandardInput(t *testing.T) {
	stdin := os.Stdin
	reset := func(f *os.File) {
		if input.file != nil && input.file != os.Stdin {
			input.file.Close()
		}
		os.Stdin, input.file, input.info, input.err = f, nil, nil, nil
		lastArchive.archive = nil
	}
	defer func() { reset(stdin) }()
	for name, b := range map[string][]byte{"plain": []byte(packedTable), "gzip": packers["gzip"]([]byte(packedTable)),
		"tar": tarred("r.csv", packedTable), "zip": zippedFiles("r.csv", packedTable),
		"tgz": packers["gzip"](tarred("r.csv", packedTable))} {
		for _, pipe := range []bool{true, false} {
			var f *os.File
			if pipe {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				go func() { w.Write(b); w.Close() }()
				f = r
			} else {
				var err error
				if f, err = os.Open(write(t, t.TempDir(), "in", string(b))); err != nil {
					t.Fatal(err)
				}
			}
			reset(f)
			for range 2 {
				d, err := Load("-", none)
				if err != nil || d.Positives.Len() != 4 || d.Name != "standard input" {
					t.Errorf("%s, %t: %v, %v", name, pipe, d, err)
				}
			}
			f.Close()
		}
	}
}

// FuzzArchives: archives and packed streams of any bytes end in a typed error or in data.
func FuzzArchives(f *testing.F) {
	f.Add(tarred("r.csv", packedTable))
	for _, by := range packers {
		f.Add(by([]byte(packedTable)))
		f.Add(by(tarred("a.csv", packedTable, "b=1/c.csv", packedTable)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := Load(path, none); err == nil {
			check(t, d)
		} else {
			typed(t, err)
		}
	})
}
