package dataset

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Load reads the interactions at path: a file, folder or archive in any known format, plain or compressed. It filters
// them by the options and attaches the catalogue. A folder with a published split is read as a whole, all parts
// together; LoadFixed keeps them apart.
//
// Errors: *FileError (missing, unreadable), *FormatError (unknown format), *ColumnError and *QuestionError (a column
// must be named), *ParseError (the first bad line, which includes personal ids and titles), *LimitError, *ScaleError,
// *EmptyError (no interactions left).
func Load(path string, o Options) (*Dataset, error) {
	p, err := detect(path, o)
	if err != nil {
		return nil, err
	}
	o = p.options(o)
	c, progress, err := p.collect(path, o, func(int) int { return partTrain })
	if err != nil {
		return nil, err
	}
	d, err := c.build(path, o)
	if err != nil {
		return nil, err
	}
	if err := p.finish(d, c, d.Positives, o, progress); err != nil {
		return nil, err
	}
	return d, nil
}

// LoadFixed reads a published pair of training and test interactions: two files, or one folder with both (train.txt,
// test.txt, perhaps val.txt), in which case test is "". The split is taken as it is: minima apply only if the options
// set them. Then they apply to the training part, and the test part loses the users and items that they drop. Pairs in
// train are left out of test. Users that occur only in test keep their rows, empty in train. Errors: as for Load.
func LoadFixed(train, test string, o Options) (*Dataset, Split, error) {
	p, err := detect(train, o)
	if err != nil {
		return nil, Split{}, err
	}
	if test != "" {
		q, err := detect(test, o)
		if err != nil {
			return nil, Split{}, err
		}
		if p.format != q.format {
			return nil, Split{}, &FormatError{Path: test, Format: q.format, Reason: "is of another format than " +
				train}
		}
		p.files[partTest] = q.files[partTrain]
		if len(p.files[partTest]) == 0 || same(train, test) {
			return nil, Split{}, &FormatError{Path: test, Reason: "is the training part itself; give the other file"}
		}
	}
	if len(p.files[partTest]) == 0 {
		return nil, Split{}, &FormatError{Path: train, Reason: "holds no test part; give a second file"}
	}
	o = p.options(o)
	c, progress, err := p.collect(train, o, func(part int) int { return part })
	if err != nil {
		return nil, Split{}, err
	}
	d, split, err := c.buildFixed(train, o)
	if err != nil {
		return nil, Split{}, err
	}
	if err := p.finish(d, c, split.Train, o, progress); err != nil {
		return nil, Split{}, err
	}
	return d, split, nil
}

// HasTest reports whether path is a folder with a training and a test part, which LoadFixed takes without a second
// file.
func HasTest(path string, o Options) bool {
	p, err := detect(path, o)
	return err == nil && len(p.files[partTest]) > 0
}

// SplitsUsers reports whether path is a folder with a split by users: test users give likes in test_in.txt, and those
// to predict are in test.txt. See SplitUsers.
func SplitsUsers(path string, o Options) bool {
	p, err := detect(path, o)
	return err == nil && p.byUser
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

// collect reads all files of the plan; to maps a part of the plan to a part of the collector.
func (p *plan) collect(path string, o Options, to func(part int) int) (*collector, *progress, error) {
	c := newCollector(o)
	o.described = p.items != ""
	c.described = o.described
	files := p.all()
	progress := newProgress(o.Progress, files)
	c.report.Files = files
	c.report.Format = p.format
	c.report.OtherTables = p.others
	read, err := p.reader(path, o)
	if err != nil {
		return nil, nil, err
	}
	as := p.reading(o)
	c.mayBeEmpty = len(files) > 1 && p.partitions != nil
	if p.manifest != nil {
		if err := c.number(p); err != nil {
			return nil, nil, err
		}
	}
	for part, files := range p.files {
		c.part = to(part)
		for _, file := range files {
			c.partitions = p.partitions[file]
			if err := c.read(file, read, as, progress); err != nil {
				return nil, nil, err
			}
			if read == nil && c.report.Format != "parquet" {
				read = readers[c.report.Format] // the test part has the training part's format
			}
		}
	}
	if p.manifest != nil {
		c.report.Format = p.format
		if err := c.checkShards(path, p.manifest); err != nil {
			return nil, nil, err
		}
	}
	if p.items != "" {
		c.known = c.items.ids(nil)
		var spelled map[int]string
		c.withheld, spelled, c.like = scanned(p.items, c.known, c.pages != nil, o)
		c.withhold(spelled)
		if c.pages != nil {
			c.leaveOutPages(spelled, true, filepath.Base(p.items))
		}
	} else if len(o.Publish.Columns) > 0 {
		return nil, nil, &FileError{Path: path, Reason: "comes without a catalogue, so it has no columns to " +
			"publish; name the file of the items"}
	} else if c.pages != nil {
		c.leaveOutPages(nil, false, "")
	}
	return c, progress, nil
}

// options returns o with the settings of the plan.
func (p *plan) options(o Options) Options {
	if p.manifest != nil {
		return p.manifest.shardOptions(o)
	}
	return o
}

// reading returns o with the columns that several tables share.
func (p *plan) reading(o Options) Options {
	if p.fixed != nil {
		o.Columns = *p.fixed
	}
	return o
}

// reader returns the reader of the plan's format, nil if each file's first lines decide.
func (p *plan) reader(path string, o Options) (func(*source, *collector, Options) error, error) {
	if p.format == "shards" && p.manifest == nil {
		return nil, &FormatError{Path: path, Format: "shards", Reason: "give the folder that holds " + ManifestName}
	}
	if p.format != "indexed" {
		return readers[p.format], nil
	}
	if p.lists[0] == "" {
		return nil, &FormatError{Path: path, Format: "indexed",
			Reason: "give the folder that holds interactions, users.txt and items.txt"}
	}
	var lists [2][]string
	for i, path := range p.lists {
		var err error
		if lists[i], err = readList(path, o, nil); err != nil {
			return nil, err
		}
	}
	return readIndexed(lists[0], lists[1]), nil
}

// read reads one file. If read is nil, the file's first bytes select the reader.
func (c *collector) read(file string, read func(*source, *collector, Options) error, o Options, p *progress) error {
	if (read == nil || o.Format == "parquet") && isParquet(file) {
		return readParquetFile(file, c, o)
	}
	s, err := openSource(file, p, o.Encoding)
	if err != nil {
		return err
	}
	defer s.close()
	s.partitions = c.partitions
	before := len(c.report.Readings)
	err = c.readSource(s, read, o)
	for i := range c.report.Readings[before:] {
		c.report.Readings[before+i].Encoding = s.encoding()
	}
	return err
}

func (c *collector) readSource(s *source, read func(*source, *collector, Options) error, o Options) error {
	if len(s.peek(1)) == 0 {
		if s.err != nil && s.err != io.EOF {
			return s.fail(s.err)
		}
		if c.mayBeEmpty {
			return nil
		}
		return &FileError{Path: s.path, Reason: "is empty; check that it was downloaded or written completely"}
	}
	if d := excelDelimiter(s.peek(16)); d != "" {
		if _, err := s.next(); err != nil {
			return s.fail(err)
		}
		o.Delimiter = d
	}
	c.report.NotRows += s.skipPreamble(o)
	defer func() { c.report.NotRows += s.notRows }()
	if read == nil {
		c.report.Format = sniff(s, o)
		read = readers[c.report.Format]
	}
	return read(s, c, o)
}

// nameItems gives items the titles that the interactions have of them, and returns which these are.
func (c *collector) nameItems(d *Dataset, by *describer) (named []int) {
	end := commonEnd(c.titles)
	for i, title := range c.titles {
		if at, ok := d.Items.Index(string(c.items.at(int32(i)))); ok && title != "" {
			item := &d.Catalogue.Items[at]
			title = strings.TrimSuffix(title, end)
			if name, year := SplitTitle(by.cleaner.title(at, []byte(title))); name != "" {
				item.Title, item.Year = name, year
				named = append(named, at)
			}
		}
	}
	return named
}

// commonEnd returns what nearly all titles of pages end with behind a dash or a bar, such as " – Slow Weekly"; "" where
// there is no such end.
func commonEnd(titles []string) string {
	count, all := map[string]int{}, 0
	best := ""
	for _, t := range titles {
		if t == "" {
			continue
		}
		all++
		at := -1
		for _, sign := range []string{" – ", " — ", " | ", " - ", " · ", " :: "} {
			at = max(at, strings.LastIndex(t, sign))
		}
		if at > 0 {
			if count[t[at:]]++; count[t[at:]] > count[best] {
				best = t[at:]
			}
		}
	}
	if all < 3 || count[best]*10 < all*8 {
		return ""
	}
	return best
}

// dropTitles discards titles that differ between the lines of one item, and so are not the items' titles.
func (c *collector) dropTitles(r *Report) {
	if c.titleSure || !manyDiffer(c.titleDiffers, c.titleAgain) {
		return
	}
	c.titles = nil
	if r.DroppedTitle = c.titleName; c.described {
		r.DroppedTitle = ""
	}
	for i := range r.Readings {
		for k := range r.Readings[i].Columns {
			if column := &r.Readings[i].Columns[k]; column.Role == "title" {
				column.Role = ""
			}
		}
	}
}

// finish names the data set and describes its items. train supplies the counts of the catalogue.
func (p *plan) finish(d *Dataset, c *collector, train *Matrix, o Options, progress *progress) error {
	d.Name, d.Licence, d.Attribution = p.name, p.licence, p.credit
	d.Read = c.report
	d.Catalogue = newCatalogue(d.Items, train)
	by := newDescriber(d.Items, d.Catalogue, &d.Read, o)
	by.usePages(c.pages != nil)
	d.Read.Of = d.Items.Len()
	by.withheld, by.like = c.withheld, c.like
	if c.known != nil {
		by.known = c.known
		by.likes, by.touched = c.popularity()
	}
	c.dropTitles(&d.Read)
	named := c.nameItems(d, by)
	if d.Read.Described = len(named); len(c.titles) > 0 {
		d.Read.Titles = "the column " + strconv.Quote(c.titleName)
	}
	if p.items != "" {
		d.Read.Titles = p.items
		d.Read.Described = 0
		if err := d.describe(by, p.items, o, nil); err != nil {
			return err
		}
		for _, at := range named {
			if !by.seen[at] {
				d.Read.NamedByLines++
			}
		}
	}
	d.spell(by.spelled)
	progress.done()
	return nil
}
