package importer

import (
	"archive/zip"
	"bytes"
	stdflate "compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"
)

func deflated(t testing.TB, b []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := stdflate.NewWriter(&out, level)
	if err == nil {
		_, err = w.Write(b)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// samples are bytes of several kinds.
func samples() [][]byte {
	r := rand.New(rand.NewPCG(3, 1))
	noise := make([]byte, 100_000)
	letters := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for i := range letters {
		letters[i] = 'a' + byte(r.IntN(7)*r.IntN(4))
	}
	return [][]byte{nil, []byte("a"), []byte(strings.Repeat("abc", 50_000)), noise, letters,
		[]byte(strings.Repeat("Heat,1995,5\n", 9)), bytes.Repeat([]byte{0}, 300_000)}
}

func TestCRC(t *testing.T) {
	for _, b := range samples() {
		if got, err := checksum(b, nil); err != nil || got != crc32.ChecksumIEEE(b) {
			t.Errorf("%x (%v), want %x", got, err, crc32.ChecksumIEEE(b))
		}
	}
	long, rests := make([]byte, 3<<20+5), 0
	if got, _ := checksum(long, func() error { rests++; return nil }); got != crc32.ChecksumIEEE(long) || rests != 3 {
		t.Errorf("%x after %d rests, want %x after 3", got, rests, crc32.ChecksumIEEE(long))
	}
	stopped := errors.New("stopped")
	if _, err := checksum(long, func() error { return stopped }); err != stopped {
		t.Errorf("stopped by %v, it returns %v", stopped, err)
	}
}

// bomb is a zip whose members each claim the given size.
func bomb(t testing.TB, members int, size uint32) []byte {
	t.Helper()
	packed := deflated(t, bytes.Repeat([]byte("title\n"), 1_000_000), 9)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for range members {
		w, err := z.CreateRaw(&zip.FileHeader{Name: "ratings.csv", Method: zip.Deflate,
			CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(size)})
		if err == nil {
			_, err = w.Write(packed)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHostileZips(t *testing.T) {
	good := zipped(t, map[string]string{"ratings.csv": strings.Repeat("title,rating\n", 40)})
	at := bytes.LastIndex(good, zipMember)
	change := func(offset int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at+offset:], v)
		return b
	}
	for name, c := range map[string]struct {
		zip  []byte
		want Reason
	}{
		"announces 4 GB":             {bomb(t, 1, 1<<32-2), TooLarge},
		"announces little":           {bomb(t, 1, 100), ZipDamaged},
		"announces much":             {bomb(t, 1, 31<<20), ZipDamaged},
		"many that are each allowed": {bomb(t, 9, 6_000_000), ZipDamaged}, // the checksum is wrong at the first
		"a wrong sum":                {change(16, 1), ZipDamaged},
		"packed beyond the end":      {change(20, 1<<30), ZipDamaged},
		"an offset beyond the end":   {change(42, 1<<31), ZipDamaged},
		"locked":                     {change(6, 1<<16|20), ZipLocked},
		"packed otherwise":           {change(10, 12), ZipLocked},
	} {
		l, err := Read([]File{{"a.zip", c.zip}}, inflate, nil)
		if e := AsError(err); e == nil || e.Reason != c.want {
			t.Errorf("%s: %v, %v, want %v", name, l != nil, err, c.want)
		}
	}
	// The unpacked members together exceed the limit, though each is allowed.
	big := strings.Repeat("title,rating\n", 500_000)
	files := map[string]string{}
	for i := range 6 {
		files[strings.Repeat("a", i+1)+".csv"] = big
	}
	if _, err := Read([]File{{"a.zip", zipped(t, files)}}, inflate, nil); AsError(err) == nil ||
		AsError(err).Reason != TooLarge {
		t.Errorf("39 MB in six files: %v", err)
	}
	for i := range len(good) {
		_, err := Read([]File{{"a.zip", good[:i]}}, inflate, nil)
		if err == nil {
			t.Fatalf("a zip cut at %d of %d is read", i, len(good))
		}
	}
}
