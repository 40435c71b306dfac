package importer

import "strings"

// workbook reads the first sheet of an Excel workbook (.xlsx) from the members of a zip. is reports whether the zip is
// a workbook.
func (r *reader) workbook(all []member, left *int) (p part, is bool, err error) {
	var sheet, texts *member
	for i := range all {
		switch m := &all[i]; {
		case m.name == "mimetype" && strings.HasPrefix(string(m.packed), "application/vnd.oasis"):
			return p, true, &Error{Reason: NotText, Value: "OpenDocument"}
		case m.name == "xl/workbook.xml":
			is = true
		case m.name == "xl/sharedStrings.xml":
			texts = m
		case strings.HasPrefix(m.name, "xl/worksheets/sheet") && (sheet == nil || len(m.name) < len(sheet.name) ||
			len(m.name) == len(sheet.name) && m.name < sheet.name):
			sheet = m
		}
	}
	if !is {
		return p, false, nil
	}
	if sheet == nil {
		return p, true, &Error{Reason: NotText, Value: "Excel"}
	}
	var shared []string
	if texts != nil {
		b, err := r.member(texts, left)
		if err != nil {
			return p, true, err
		}
		for x := (markup{data: b}); x.next(); {
			switch n := len(shared); {
			case x.name == "si" && !x.closes:
				shared = append(shared, "")
			case x.name == "" && n > 0 && len(shared[n-1]) < maxText:
				shared[n-1] += x.text
			}
		}
	}
	b, err := r.member(sheet, left)
	p.grid = &grid{}
	if err == nil {
		err = p.grid.readCells(b, shared, r.step)
	}
	return p, true, err
}

var gzipMagic = []byte("\x1F\x8B\x08")

// gunzip unpacks a gzip file (RFC 1952). left is the number of bytes still allowed. The error is a Reason, or the error
// of pause.
func (r *reader) gunzip(b []byte, left *int) ([]byte, error) {
	if len(b) < 18 {
		return nil, ZipDamaged
	}
	flags, at := b[3], 10
	if flags&4 != 0 {
		at += 2 + int(b[10]) + int(b[11])<<8
	}
	for _, f := range [...]byte{8, 16} { // the name and the comment, each ended by a zero
		if flags&f != 0 {
			for at < len(b) && b[at] != 0 {
				at++
			}
			at++
		}
	}
	if flags&2 != 0 {
		at += 2
	}
	end := len(b) - 8
	if at > end {
		return nil, ZipDamaged
	}
	u32 := func(at int) uint32 {
		return uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 | uint32(b[at+3])<<24
	}
	return r.member(&member{packed: b[at:end], method: 8, crc: u32(end), size: u32(end + 4), unencrypted: true}, left)
}
