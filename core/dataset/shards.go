package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/durable"
)

// Manifest is the file ManifestName in a folder of shards: interactions that another program, such as server/batch,
// filtered and numbered, in many Parquet files. It is written last, so a folder without it is incomplete.
//
//	users-00000-of-00016.txt …           ids, one a line: all files in order give the users' numbers
//	items-00000-of-00001.txt …           likewise
//	interactions-00000-of-00016.parquet  columns user, item, and perhaps rating and time
//	train-… and test-…                   instead, where the interactions are split
type Manifest struct {
	Version      int         `json:"version"` // 1
	Users        int         `json:"users"`
	Items        int         `json:"items"`
	Interactions int         `json:"interactions"` // rows of all Parquet files
	Ratings      bool        `json:"ratings"`      // there is a column rating
	Times        bool        `json:"times"`        // there is a column time
	MinRating    float64     `json:"min_rating"`   // smallest rating of a positive; of no use without ratings
	Files        []ShardFile `json:"files"`
}

// ShardFile is one file of a folder of shards.
type ShardFile struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// ManifestName is the name of the manifest in its folder.
const ManifestName = "pmlam-shards.json"

// Limits of a manifest.
const (
	maxManifest = 64 << 20 // bytes
	maxShards   = 100_000  // files
)

var shardName = regexp.MustCompile(`^(users|items|interactions|train|test)-(\d{5})-of-(\d{5})\.(txt|parquet)$`)

// ShardName returns the name of file number i of n of a kind: users, items, interactions, train or test. It panics with
// ArgumentError for more than 99,999.
func ShardName(kind string, i, n int) string {
	ending := "parquet"
	if kind == "users" || kind == "items" {
		ending = "txt"
	}
	name := fmt.Sprintf("%s-%05d-of-%05d.%s", kind, i, n, ending)
	if !shardName.MatchString(name) || i < 0 || i >= n {
		panic(ArgumentError{"ShardName", name})
	}
	return name
}

// holdsShards reports whether a folder has files with these names; then it has no other format.
func holdsShards(folder string) bool {
	for _, name := range listed(folder) {
		if name == ManifestName || shardName.MatchString(name) {
			return true
		}
	}
	return false
}

// ReadManifest reads the manifest of a folder and checks that its files exist, complete and in the right number. Its
// errors are *FileError.
func ReadManifest(folder string) (*Manifest, error) {
	path := filepath.Join(folder, ManifestName)
	bad := func(reason string, err error) error { return &FileError{Path: path, Reason: reason, Err: err} }
	f, _, err := durable.OpenRegular(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &FileError{Path: folder, Reason: "has no " + ManifestName + ": not a folder of shards, " +
			"or an incomplete one; write it again", Err: os.ErrNotExist}
	} else if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil || len(text) > maxManifest {
		return nil, bad("cannot be read, or is too long; write the shards again", err)
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, bad("is damaged; write the shards again", err)
	}
	switch {
	case m.Version != 1:
		return nil, bad(fmt.Sprintf("is of version %d; this program reads version 1", m.Version), nil)
	case m.Users < 0 || m.Items < 0 || m.Interactions < 0 || len(m.Files) > maxShards:
		return nil, bad("has impossible numbers; write the shards again", nil)
	}
	have := map[string]int{} // of a kind
	for _, file := range m.Files {
		parts := shardName.FindStringSubmatch(file.Name)
		if parts == nil || file.Name != fmt.Sprintf("%s-%05d-of-%s.%s", parts[1], have[parts[1]], parts[3], parts[4]) ||
			(parts[4] == "txt") != (parts[1] == "users" || parts[1] == "items") {
			return nil, bad(fmt.Sprintf("lists the unexpected file %q; write the shards again",
				brief.Text(file.Name)), nil)
		}
		have[parts[1]]++
		info, err := os.Stat(filepath.Join(folder, file.Name))
		if err != nil {
			return nil, openError(filepath.Join(folder, file.Name), err)
		}
		if info.Size() != file.Bytes || !info.Mode().IsRegular() {
			return nil, &FileError{Path: filepath.Join(folder, file.Name), Reason: fmt.Sprintf("has %d bytes where "+
				"the manifest says %d; write or copy it again", info.Size(), file.Bytes)}
		}
	}
	for _, file := range m.Files {
		parts := shardName.FindStringSubmatch(file.Name)
		if fmt.Sprintf("%05d", have[parts[1]]) != parts[3] {
			return nil, bad(fmt.Sprintf("names %d of %s files of the kind %q; write the shards again", have[parts[1]],
				parts[3], parts[1]), nil)
		}
	}
	if have["users"] == 0 || have["items"] == 0 || have["interactions"]+have["train"] == 0 ||
		have["interactions"] > 0 && have["train"]+have["test"] > 0 {
		return nil, bad("lists no users, items or interactions; write the shards again", nil)
	}
	return m, nil
}

// Of returns the paths of the files of a kind, in order.
func (m *Manifest) Of(folder, kind string) (paths []string) {
	for _, f := range m.Files {
		if strings.HasPrefix(f.Name, kind+"-") {
			paths = append(paths, filepath.Join(folder, f.Name))
		}
	}
	return paths
}

// shards is the plan of a folder of shards.
func (p *plan) shards(folder string, o Options) (*plan, error) {
	m, err := ReadManifest(folder)
	if err != nil {
		return nil, err
	}
	p.format, p.manifest = "shards", m
	p.numbered = [2][]string{m.Of(folder, "users"), m.Of(folder, "items")}
	p.files[partTrain] = append(m.Of(folder, "interactions"), m.Of(folder, "train")...)
	p.files[partTest] = m.Of(folder, "test")
	p.catalogueOf(folder)
	return p, nil
}

// number interns the ids of a folder of shards in their order, which fixes the numbers of users and items.
func (c *collector) number(p *plan) error {
	for kind, files := range p.numbered {
		in, want := c.users, p.manifest.Users
		if kind == 1 {
			in, want = c.items, p.manifest.Items
		}
		for _, path := range files {
			if info, err := os.Stat(path); err == nil && info.Size() == 0 {
				continue // a shard without users
			}
			ids, err := readList(path, Options{}, nil)
			if err != nil {
				return err
			}
			for _, id := range ids {
				if _, err := in.add([]byte(id)); err != nil {
					return &FileError{Path: path, Reason: err.what}
				}
			}
		}
		if in.len() != want {
			return &FileError{Path: files[0], Reason: fmt.Sprintf("the shards of this kind have %d different ids, "+
				"but the manifest says %d; write the shards again", in.len(), want)}
		}
	}
	return nil
}

// shardOptions are the options for the Parquet files of a folder of shards.
func (m *Manifest) shardOptions(o Options) Options {
	o.Columns = Columns{User: "user", Item: "item", Rating: "-", Time: "-", Title: "-"}
	if m.Ratings {
		o.Columns.Rating = "rating"
		if o.MinRating == nil {
			o.MinRating = &m.MinRating
		}
	}
	if m.Times {
		o.Columns.Time = "time"
	}
	return o
}

// AskedRating returns the smallest rating of a like if it is fixed in advance for the data at path: by o, or by the
// manifest of a folder of shards; otherwise nil. Errors: Files'.
func AskedRating(path string, o Options) (*float64, error) {
	p, err := detect(path, o)
	if err != nil {
		return nil, err
	}
	return p.options(o).MinRating, nil
}

// checkShards compares the totals of all shards with the manifest.
func (c *collector) checkShards(path string, m *Manifest) error {
	if c.users.len() != m.Users || c.items.len() != m.Items ||
		c.report.Interactions+c.report.Skipped != m.Interactions {
		return &FileError{Path: path, Reason: fmt.Sprintf("its shards hold %d interactions of %d users and %d items "+
			"where the manifest says %d, %d and %d; write the shards again", c.report.Interactions, c.users.len(),
			c.items.len(), m.Interactions, m.Users, m.Items)}
	}
	return nil
}
