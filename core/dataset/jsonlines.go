package dataset

import (
	"bytes"
	"io"
)

// keys say which members of a JSON object are meant.
type keys struct {
	names       [roles]string // "": none
	zeroUnrated bool
}

// The keys of known review files.
var (
	amazonKeys    = keys{names: [roles]string{"reviewerID", "asin", "overall", "unixReviewTime"}}
	goodreadsKeys = keys{names: [roles]string{"user_id", "book_id", "rating", "date_added"}, zeroUnrated: true}
)

// readAmazonReviews reads review JSON lines of 2014 and 2018; those of 2023 have common names.
func readAmazonReviews(s *source, c *collector, o Options) error { return readKeys(s, c, amazonKeys) }

// readGoodreads reads goodreads_interactions_*.json; a rating of 0 stands for none there.
func readGoodreads(s *source, c *collector, o Options) error { return readKeys(s, c, goodreadsKeys) }

// readJSONLines reads objects with keys asked for, or with common names.
func readJSONLines(s *source, c *collector, o Options) error {
	k, err := findKeys(s, o.Columns)
	if err != nil {
		return err
	}
	return readKeys(s, c, k)
}

// findKeys looks for the roles among the keys of the first lines.
func findKeys(s *source, columns Columns) (keys, error) {
	var k keys
	var have, plain []string
	var j jsonScanner
	for _, line := range completeLines(s.peek(sniffed), 20) {
		var found []string
		bad := j.object(line, func(key, _ []byte, _ jsonKind) {
			if len(found) < 100 {
				found = append(found, shorten(key))
			}
		})
		if bad != "" {
			continue // if it is not skipped, it will be an error with its line when it is read
		}
		for _, f := range found {
			if named(have, nil, f) < 0 && len(have) < 100 {
				have, plain = append(have, f), append(plain, plainName(f))
			}
		}
	}
	if len(have) == 0 {
		// No line here can be read: reading them tells why, with the line.
		k.names = [roles]string{"user", "item", "rating", "time"}
		return k, nil
	}
	for r := range roles {
		asked := columns.asked(r)
		switch {
		case asked == "-" && r >= roleRating:
		case asked != "":
			i := named(have, plain, asked)
			if i < 0 {
				return k, &ColumnError{s.path, roleNames[r], asked, numbered(have, true)}
			}
			k.names[r] = have[i]
		default:
			i := common(plain, r)
			if i < 0 && r <= roleItem {
				return k, &ColumnError{s.path, roleNames[r], "", numbered(have, true)}
			}
			if i >= 0 {
				k.names[r] = have[i]
			}
		}
	}
	return k, nil
}

// readKeys reads one object a line. A rating or time that is missing or null is not known.
func readKeys(s *source, c *collector, k keys) error {
	e := entry{
		userColumn: -1, itemColumn: -1, ratingColumn: -1, timeColumn: -1, zeroUnrated: k.zeroUnrated,
		userName: k.names[roleUser], itemName: k.names[roleItem], ratingName: k.names[roleRating], timeName: k.names[roleTime],
		hasRating: k.names[roleRating] != "", hasTime: k.names[roleTime] != "",
	}
	var j jsonScanner
	var want [roles][]byte
	for r, n := range k.names {
		want[r] = []byte(n)
	}
	values := [roles]*[]byte{&e.user, &e.item, &e.rating, &e.time}
	var wrong role
	var wrongValue []byte
	visit := func(key, value []byte, kind jsonKind) {
		for r := range roles {
			if len(want[r]) == 0 || !bytes.Equal(key, want[r]) {
				continue
			}
			switch kind {
			case jsonNull:
				*values[r] = nil
			case jsonOther:
				wrong, wrongValue = r, value
			default:
				*values[r] = value
			}
		}
	}
	for {
		line, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.fail(err)
		}
		if len(trim(line)) == 0 {
			continue
		}
		c.report.Lines++
		e.user, e.item, e.rating, e.time = nil, nil, nil, nil
		wrong = roles
		if rule := j.object(line, visit); rule != "" {
			err = s.bad(-1, "", line, rule)
		} else if wrong < roles {
			err = s.bad(-1, k.names[wrong], wrongValue, "the value must be a string or a number")
		} else if e.user == nil {
			err = s.bad(-1, e.userName, line, "the line lacks this key, which holds the user")
		} else if e.item == nil {
			err = s.bad(-1, e.itemName, line, "the line lacks this key, which holds the item")
		} else {
			err = c.add(s, &e)
		}
		if err != nil {
			if err := c.bad(err); err != nil {
				return err
			}
		}
	}
}
