package dataset

import "io"

// readAdjacency reads lines `user item item …`, separated by blanks or tabs, as LightGCN and its successors publish
// their splits. A line with a user alone is an empty list.
func readAdjacency(s *source, c *collector) error {
	var e entry
	e.userName, e.itemName = "user", "item"
	for {
		line, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.fail(err)
		}
		user, rest := word(line)
		if len(user) == 0 {
			continue
		}
		c.report.Lines++
		if bad := checkID(user); bad != nil {
			if err := c.bad(s.bad(0, "user", user, bad.what)); err != nil {
				return err
			}
			continue
		}
		e.user = user
		for column := 1; ; column++ {
			var item []byte
			item, rest = word(rest)
			if len(item) == 0 {
				break
			}
			e.item, e.itemColumn = item, column
			if err := c.add(s, &e); err != nil {
				if err := c.bad(err); err != nil {
					return err
				}
			}
		}
	}
}

// word cuts the first run of anything but blanks and tabs off b.
func word(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	j := i
	for j < len(b) && b[j] != ' ' && b[j] != '\t' {
		j++
	}
	return b[i:j], b[j:]
}
