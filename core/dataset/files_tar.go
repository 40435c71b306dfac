package dataset

import (
	"archive/tar"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
)

// tarBlock is the length of a header of a tar archive.
const tarBlock = 512

// maxUnpacked bounds the bytes of a packed tar archive that are unpacked.
const maxUnpacked = 64 << 30

// isTar reports whether a block is the header of a file in a tar archive: its checksum is right.
func isTar(block []byte) bool {
	want, err := strconv.ParseInt(strings.Trim(string(block[148:156]), " \x00"), 8, 64)
	if err != nil || block[0] == 0 {
		return false
	}
	var sum int64
	for i, c := range block {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}

// openTar lists the files of a tar archive. Files in a plain archive are read directly from the disk; reading a file in
// a packed one unpacks the archive again.
func openTar(a *archive, f diskFile, size int64) error {
	a.stream.disk = func() io.Reader { return io.NewSectionReader(f, 0, size) }
	_, u, err := a.stream.begin()
	if err != nil {
		return &FileError{Path: a.path, Reason: "cannot be read", Err: err}
	}
	defer u.close()
	plain := len(u.kinds) == 0
	place := &countedReader{r: u.r}
	s := tar.NewReader(place)
	members := map[string]*member{}
	var order []string
	for n := 0; ; n++ {
		h, err := s.Next()
		if err == io.EOF {
			break
		}
		switch {
		case errors.Is(err, errUnpacked):
			return &LimitError{File: a.path, What: "the archive is too long, in bytes; unpack it and give the folder",
				Limit: maxUnpacked}
		case err != nil:
			return &FileError{Path: a.path, Reason: "begins like a tar archive but is damaged; download it again",
				Err: err}
		case n == maxMembers:
			return &LimitError{File: a.path, What: "the tar archive holds too many files; unpack it and give the " +
				"folder", Limit: maxMembers}
		}
		m := &member{info: h.FileInfo()}
		if h.Typeflag == tar.TypeReg {
			if plain && h.PAXRecords["GNU.sparse.major"] == "" && h.PAXRecords["GNU.sparse.name"] == "" {
				at := io.NewSectionReader(f, place.n, h.Size)
				m.at = at
				m.open = func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(at, 0, h.Size)), nil }
			} else {
				m.open = func() (io.ReadCloser, error) { return a.stream.open(n) }
			}
		}
		if members[h.Name] == nil {
			order = append(order, h.Name)
		}
		members[h.Name] = m // of two files with one name the later one counts, as tar unpacks them
	}
	for _, name := range order {
		a.add(name, members[name])
	}
	return nil
}

// tarStream reads the files of a packed tar archive in sequence.
type tarStream struct {
	sync.Mutex
	disk func() io.Reader
	// where the last reading stopped, so a later file can be read without starting again; nil if there was none
	tar  *tar.Reader
	next int // number of the header that comes next
	free func()
}

// begin starts to read the archive.
func (t *tarStream) begin() (*tar.Reader, *unpacked, error) {
	u, err := unpack(t.disk())
	if err != nil {
		return nil, nil, err
	}
	u.r = &limitedUnpacked{u.r, maxUnpacked}
	return tar.NewReader(u.r), u, nil
}

// open returns the file with that number.
func (t *tarStream) open(number int) (io.ReadCloser, error) {
	t.Lock()
	r, next, free := t.tar, t.next, t.free
	t.tar = nil
	t.Unlock()
	if r != nil && next > number {
		free()
		r = nil
	}
	if r == nil {
		fresh, u, err := t.begin()
		if err != nil {
			return nil, err
		}
		r, next, free = fresh, 0, u.close
	}
	for ; next <= number; next++ {
		if _, err := r.Next(); err != nil {
			free()
			return nil, err
		}
	}
	return &streamed{r, t, next, free}, nil
}

// streamed is an open file of a tarStream.
type streamed struct {
	*tar.Reader
	of   *tarStream
	next int
	free func()
}

// Close leaves the stream to the file that is opened next.
func (s *streamed) Close() error {
	s.of.Lock()
	defer s.of.Unlock()
	if s.free == nil {
		return nil
	}
	if s.of.tar != nil {
		s.of.free()
	}
	s.of.tar, s.of.next, s.of.free = s.Reader, s.next, s.free
	s.free = nil
	return nil
}

// countedReader counts bytes. It does not read ahead.
type countedReader struct {
	r io.Reader
	n int64
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

var errUnpacked = errors.New("too long once it is unpacked")

// limitedUnpacked reads at most left bytes, and is an error beyond.
type limitedUnpacked struct {
	r    io.Reader
	left int64
}

func (l *limitedUnpacked) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errUnpacked
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}
