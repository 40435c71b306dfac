package chunks_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// small is a model of 300 items, with its parts by name.
var small = sync.OnceValues(func() (*model.Model, map[string][]byte) {
	const n, h = 300, 4
	r := rand.New(rand.NewPCG(1, 1))
	m := &model.Model{
		Objective: model.Objective{
			Loss:        gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1},
			Composition: gaussian.Composition{Weight: 2}, Radius: 1, LearnRate: 0.01,
			LinkPrior: 1,
		},
		Items:     gaussian.NewTable(n, h),
		Catalogue: &catalogue.Catalogue{Columns: []string{"price"}},
		ItemItem:  &model.ItemLinks{Gamma: 0.5, Offsets: []int32{0}},
	}
	for i := range n {
		row := m.Items.Row(i)
		for d := range row {
			row[d] = 0.4 * r.Float32()
			if d >= h {
				row[d] += gaussian.MinStddev
			}
		}
		m.Catalogue.Items = append(m.Catalogue.Items, catalogue.Item{
			ID: fmt.Sprint("i", i), Title: fmt.Sprint("Item ", i), Genres: []string{"even", "odd"}[i%2 : i%2+1],
			Values: []string{fmt.Sprint(i)}, Count: n - i,
		})
		if i > 0 {
			m.ItemItem.Sources = append(m.ItemItem.Sources, int32(i-1))
			m.ItemItem.Weights = append(m.ItemItem.Weights, 0.25)
		}
		m.ItemItem.Offsets = append(m.ItemItem.Offsets, int32(len(m.ItemItem.Sources)))
	}
	parts := map[string][]byte{}
	err := writer.Write(context.Background(), m, writer.Settings{Size: 10},
		func(name string, part []byte) error {
			parts[name] = part
			return nil
		})
	if err != nil {
		panic(err)
	}
	return m, parts
})

func open(t testing.TB) *chunks.Catalogue {
	_, parts := small()
	c, err := chunks.Open(parts[chunks.IndexName], recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fetch repeats ask and puts missing parts until none is missing. It returns the names of the parts.
func fetch(t testing.TB, c *chunks.Catalogue, ask func() error) (names []string) {
	_, parts := small()
	for range 6 {
		err := ask()
		missing, ok := errors.AsType[*chunks.Missing](err)
		if err == nil {
			return names
		} else if !ok {
			t.Fatal(err)
		}
		for _, name := range missing.Names {
			if err := c.Put(name, parts[name]); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, missing.Names...)
	}
	t.Fatalf("the same parts keep missing: %q", names)
	return nil
}

// gather puts the parts that a question needs, and returns their names too.
func gather(t testing.TB, c *chunks.Catalogue, q chunks.Question) (r *recommend.Recommender, names []string) {
	names = fetch(t, c, func() (err error) { r, err = c.Gather(q); return err })
	return r, names
}

// search puts the parts that a search needs, and returns their names too.
func search(t testing.TB, c *chunks.Catalogue, query string, limit int) (found []chunks.TitleFound, names []string) {
	names = fetch(t, c, func() (err error) { found, err = c.Search(query, limit); return err })
	return found, names
}

// A neutral visitor needs only the index. Unknown ids fetch their part of ids. Asking again fetches nothing.
func TestWhatIsFetched(t *testing.T) {
	c := open(t)
	if _, names := gather(t, c, chunks.Question{People: []chunks.Person{{}}}); len(names) > 0 {
		t.Errorf("a neutral visitor fetches %q", names)
	}
	gone := chunks.Question{People: []chunks.Person{{Likes: []string{"gone"}}, {Item: "lost"}}}
	if r, names := gather(t, c, gone); len(names) != 2 || !strings.Contains(names[0], "/ids/") ||
		!strings.Contains(names[1], "/ids/") || r.Len() == 0 { // two parts hold all 300 ids
		t.Errorf("unknown ids fetch %q", names)
	}
	q := chunks.Question{People: []chunks.Person{{Likes: []string{"gone", "i299"}, Dislikes: []string{"i7"}}}, Items: 40}
	r, names := gather(t, c, q)
	for _, id := range []string{"i299", "i7"} {
		if _, ok := r.IDs()[id]; !ok {
			t.Errorf("%s is not gathered", id)
		}
	}
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "/cells/") }) {
		t.Errorf("no cell is among %q", names)
	}
	if again, names := gather(t, c, q); again != r || len(names) > 0 {
		t.Errorf("the same question fetches %q again", names)
	}
	if r.Len() >= c.Len() || r.About().Items != c.Len() {
		t.Errorf("gathered %d of %d items, but About says %d", r.Len(), c.Len(), r.About().Items)
	}
	for _, s := range r.Similar(r.IDs()["i299"], recommend.Visit{}, 3) {
		if !(s.Match > 0.5) {
			t.Errorf("the nearest items have match %v", s.Match)
		}
	}
}

// A search fetches the directory and pages of titles, and nothing when repeated. Pages are refused before the directory
// is there.
func TestSearch(t *testing.T) {
	m, parts := small()
	c := open(t)
	found, names := search(t, c, "item 29", 20)
	if len(found) != 11 || found[0].ID != "i29" || found[0].Score != 1 || found[0].Count != m.Catalogue.Items[29].Count {
		t.Errorf("found %+v", found)
	}
	if len(names) < 2 || !strings.HasSuffix(names[0], "/directory/0.bin") || !strings.Contains(names[1], "/titles/") {
		t.Errorf("a search fetches %q", names)
	}
	if again, more := search(t, c, "item 29", 20); len(more) > 0 || !slices.Equal(found, again) {
		t.Errorf("the same search fetches %q again, and finds %+v", more, again)
	}
	if err := open(t).Put(names[1], parts[names[1]]); err == nil {
		t.Errorf("%s was accepted without a directory", names[1])
	}
	for _, limit := range []int{0, -1} {
		if found, _ := search(t, c, "item", limit); len(found) > 0 {
			t.Errorf("found %d titles with a limit of %d", len(found), limit)
		}
	}
}

// The same question gives the same list, whatever was asked before.
func TestWhatWasAskedBeforeChangesNothing(t *testing.T) {
	q := chunks.Question{People: []chunks.Person{{Likes: []string{"i150", "i151"}}}, Items: 30}
	list := func(c *chunks.Catalogue) (ids []string) {
		r, _ := gather(t, c, q)
		v := recommend.Visit{Likes: []int{r.IDs()["i150"], r.IDs()["i151"]}}
		for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 20}) {
			ids = append(ids, fmt.Sprintf("%s %.7f", r.Item(s.Item).ID, s.Match))
		}
		return ids
	}
	fresh, used := open(t), open(t)
	for i := range 60 {
		gather(t, used, chunks.Question{People: []chunks.Person{{Likes: []string{fmt.Sprint("i", 5*i)}}}})
	}
	if a, b := list(fresh), list(used); !slices.Equal(a, b) {
		t.Errorf("got %q after other questions, and %q at first", b, a)
	}
}

// A part truncated at any byte is refused, and the catalogue stays unchanged.
func TestShortParts(t *testing.T) {
	_, parts := small()
	c := open(t)
	for name, part := range parts {
		for n := 0; n < len(part); n += 1 + n/50 {
			var err error
			if name == chunks.IndexName {
				_, err = chunks.Open(part[:n], recommend.Options{})
			} else {
				err = c.Put(name, part[:n])
			}
			if _, ok := errors.AsType[*chunks.PartError](err); !ok {
				t.Fatalf("%d of %d bytes of %s: %v", n, len(part), name, err)
			}
		}
	}
}

// Parts under another name, or from another model, are refused.
func TestMisplacedParts(t *testing.T) {
	_, parts := small()
	c := open(t)
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	slices.Sort(names)
	for k, name := range names {
		other := names[(k+1)%len(names)]
		if err := c.Put(name, parts[other]); err == nil {
			t.Errorf("%s was accepted as %s", other, name)
		}
		if name != chunks.IndexName {
			foreign := slices.Clone(parts[name])
			foreign[len(foreign)-1] ^= 1 // in its proof
			if err := c.Put(name, foreign); err == nil {
				t.Errorf("%s of another set was accepted", name)
			}
		}
	}
	for _, name := range []string{"", "index.bin", "../index.bin", names[0] + "x"} {
		if err := c.Put(name, parts[names[0]]); err == nil {
			t.Errorf("%q was accepted as a part", name)
		}
	}
}

// A part with any bit flipped is refused, and the catalogue stays unchanged. For parts above 2 KiB, only some thousand
// bits are tried, including all in the first and last bytes.
func TestFlippedBits(t *testing.T) {
	_, parts := small()
	c := open(t)
	if err := c.Put(directoryOf(parts)); err != nil { // pages of titles need it first
		t.Fatal(err)
	}
	type count struct{ tried, taken int }
	counts := map[string]*count{}
	for name, part := range parts {
		kind := strings.Split(name+"/index", "/")[1]
		if counts[kind] == nil {
			counts[kind] = &count{}
		}
		flipped, n := slices.Clone(part), len(part)
		for at := 0; at < n; at++ {
			if n > 2048 && at > 64 && at < n-256 && at%(n/128) > 0 {
				continue
			}
			for bit := range 8 {
				flipped[at] ^= 1 << bit
				var err error
				if name == chunks.IndexName {
					_, err = chunks.Open(flipped, recommend.Options{})
				} else {
					err = c.Put(name, flipped)
				}
				counts[kind].tried++
				if _, refused := errors.AsType[*chunks.PartError](err); !refused {
					counts[kind].taken++
				}
				flipped[at] ^= 1 << bit
			}
		}
	}
	for kind, of := range counts {
		say := t.Logf
		if of.taken > 0 || of.tried == 0 {
			say = t.Errorf
		}
		say("%s: %d of %d flipped bits were accepted", kind, of.taken, of.tried)
	}
}

// For any number of parts, each proof fits only its own part, and no part can be forged from two.
func TestProofs(t *testing.T) {
	const w = len(chunks.Digest{})
	for _, n := range []int{1, 2, 3, chunks.MaxRoots, chunks.MaxRoots + 1, 127, 128, 129, 1000, 1025} {
		var tree chunks.Tree
		content := func(i int) []byte { return fmt.Appendf(nil, "part %d", i) }
		for i := range n {
			tree.Add(content(i))
		}
		set, levels := tree.Set(), 0
		for most := n; most > chunks.MaxRoots; most = (most + 1) / 2 {
			levels++
		}
		if roots := len(set.Roots()) / w; roots > chunks.MaxRoots || roots < min(n, chunks.MaxRoots/2) {
			t.Errorf("%d parts have %d roots", n, roots)
		}
		for i := range n {
			proof := tree.Proof(i)
			if !set.Proves(content(i), proof) || len(proof) > levels*w {
				t.Fatalf("part %d of %d: a proof of %d bytes", i, n, len(proof))
			}
			wrong := map[string]bool{
				"another part":  set.Proves(content(i+n), proof),
				"an extra byte": set.Proves(content(i), append(slices.Clone(proof), 0)),
				"an extra pair": set.Proves(content(i), append(slices.Clone(proof), make([]byte, w)...)),
			}
			if len(proof) > 0 {
				leaf := chunks.Sum(content(i))
				node := slices.Concat([]byte("node"), leaf[:], proof[:w])
				if bytes.Compare(leaf[:], proof[:w]) > 0 {
					node = slices.Concat([]byte("node"), proof[:w], leaf[:])
				}
				wrong["a missing pair"] = set.Proves(content(i), proof[:len(proof)-w])
				wrong["a node as the part"] = set.Proves(leaf[:], proof)
				// A pair itself would be proved, which is why no part may begin like one.
				if !set.Proves(node, proof[w:]) {
					t.Errorf("the first pair of part %d of %d is not proved as expected", i, n)
				}
			}
			for what, proves := range wrong {
				if proves {
					t.Fatalf("part %d of %d is proved by %s", i, n, what)
				}
			}
		}
	}
}

// directoryOf returns the directory of titles and its name.
func directoryOf(parts map[string][]byte) (name string, part []byte) {
	for name, part := range parts {
		if strings.Contains(name, "/directory/") {
			return name, part
		}
	}
	return "", nil
}

// forge replaces the content of one part, and returns the parts with an index that has its digest.
func forge(t testing.TB, parts map[string][]byte, name string, content []byte) (set chunks.Set, forged map[string][]byte) {
	return forgeAll(t, parts, func(of string, content0 []byte) []byte {
		if of == name {
			return content
		}
		return content0
	})
}

// forgeAll replaces the contents of all parts, the index included, and returns them with the new digests.
func forgeAll(t testing.TB, parts map[string][]byte, replace func(name string, content []byte) []byte) (set chunks.Set,
	forged map[string][]byte) {
	x, err := chunks.ReadIndex(parts[chunks.IndexName])
	if err != nil {
		t.Fatal(err)
	}
	var tree chunks.Tree
	names := slices.Sorted(maps.Keys(parts))
	names = slices.DeleteFunc(names, func(name string) bool { return name == chunks.IndexName })
	contents := make([][]byte, len(names))
	for k := range names {
		contents[k] = replace(names[k], x.Set.Content(parts[names[k]]))
		tree.Add(contents[k])
	}
	set, forged = tree.Set(), map[string][]byte{}
	for k, of := range names {
		forged[strings.Replace(of, x.Set.String(), set.String(), 1)] = chunks.Seal(contents[k], tree.Proof(k))
	}
	index := slices.Clone(parts[chunks.IndexName])
	index = bytes.Replace(index[:len(index)-1-len(chunks.Digest{})], x.Set.Roots(), set.Roots(), 1)
	index = replace(chunks.IndexName, index)
	sum := chunks.Sum(index)
	forged[chunks.IndexName] = chunks.Seal(index, sum[:])
	return set, forged
}

// FuzzIndex opens any bytes, sealed with their digest. Open must not panic, and an opened catalogue must answer.
func FuzzIndex(f *testing.F) {
	_, parts := small()
	whole := parts[chunks.IndexName]
	f.Add(whole[:len(whole)-1-len(chunks.Digest{})])
	f.Fuzz(func(t *testing.T, b []byte) {
		sum := chunks.Sum(b)
		c, err := chunks.Open(chunks.Seal(b, sum[:]), recommend.Options{})
		if err != nil {
			return
		}
		r, err := c.Gather(chunks.Question{})
		if err != nil {
			t.Fatal(err)
		}
		r.Recommend(recommend.Visit{}, r.Taste(recommend.Visit{}, nil), recommend.Request{K: 10})
	})
}

// FuzzPart replaces one part of a question by any bytes, with their digest in the index. Neither Put nor the question
// may panic.
func FuzzPart(f *testing.F) {
	_, parts := small()
	x, err := chunks.ReadIndex(parts[chunks.IndexName])
	if err != nil {
		f.Fatal(err)
	}
	q := chunks.Question{People: []chunks.Person{{Likes: []string{"i150", "i3"}, Dislikes: []string{"i20"}}}, Items: 20}
	_, needed := gather(f, open(f), q)
	_, titles := search(f, open(f), "item 29", 20)
	needed = append(needed, titles...)
	for k, name := range needed {
		f.Add(uint(k), x.Set.Content(parts[name]))
	}
	f.Fuzz(func(t *testing.T, k uint, b []byte) {
		set, forged := forge(t, parts, needed[k%uint(len(needed))], b)
		c, err := chunks.Open(forged[chunks.IndexName], recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range needed {
			name = strings.Replace(name, x.Set.String(), set.String(), 1)
			if err := c.Put(name, forged[name]); err != nil {
				return
			}
		}
		if found, err := c.Search("item 29", 20); err == nil && len(found) > 20 {
			t.Fatalf("found %d titles", len(found))
		}
		r, err := c.Gather(q)
		if err != nil {
			return // other parts are missing then, or do not match
		}
		v := recommend.Visit{}
		for _, id := range q.People[0].Likes {
			if i, ok := r.IDs()[id]; ok {
				v.Likes = append(v.Likes, i)
			}
		}
		r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 10})
	})
}

// A part above the set's size limit is refused unread, and so is an index above its own.
func TestLongParts(t *testing.T) {
	_, parts := small()
	c := open(t)
	most := 0
	for name, part := range parts {
		if name != chunks.IndexName {
			most = max(most, len(part))
		}
	}
	if c.Most() < most || c.Most() > most+2*len(chunks.Digest{}) {
		t.Errorf("the limit is %d bytes, but the largest part has %d", c.Most(), most)
	}
	name, part := directoryOf(parts)
	err := c.Put(name, append(part[:len(part):len(part)], make([]byte, c.Most())...))
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the limit is %d", c.Most())) {
		t.Error(err)
	}
	if _, err := chunks.ReadIndex(make([]byte, chunks.MaxIndex+1)); err == nil ||
		!strings.Contains(err.Error(), "the limit is 67108864") {
		t.Error(err)
	}
}

// Parts of format 4 end their groups after the cells' sizes. They answer as today's parts do if counts have no weight.
func TestFormat4(t *testing.T) {
	_, parts := small()
	set, older := forgeAll(t, parts, func(name string, content []byte) []byte {
		content = append([]byte("pmlamc4"), content[len("pmlamc4"):]...)
		if strings.Contains(name, "/groups/") {
			x, err := chunks.ReadIndex(parts[chunks.IndexName])
			if err != nil {
				t.Fatal(err)
			}
			group, err := strconv.Atoi(strings.TrimSuffix(path.Base(name), ".bin"))
			if err != nil {
				t.Fatal(err)
			}
			n := x.Cells[group]
			head, ok := bytes.CutSuffix(content[:len(content)-5*n], binary.AppendUvarint(nil, uint64(5*n)))
			if !ok {
				t.Fatalf("%s: the last section has not the size and the counts of %d cells", name, n)
			}
			sizes := content[len(content)-5*n : len(content)-n]
			content = slices.Concat(head, binary.AppendUvarint(nil, uint64(4*n)), sizes)
		}
		return content
	})
	q := chunks.Question{People: []chunks.Person{{Likes: []string{"i150", "i151", "i299"}}}, Items: 60}
	c, err := chunks.Open(older[chunks.IndexName], recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := c.Gather(q)
		if missing, ok := errors.AsType[*chunks.Missing](err); ok {
			for _, name := range missing.Names {
				if !strings.HasPrefix(name, set.String()) {
					t.Fatalf("missing %s of another set", name)
				}
				if err := c.Put(name, older[name]); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want, _ := gather(t, open(t), q)
		if r.Len() != want.Len() || r.Len() >= c.Len() {
			t.Errorf("gathered %d of %d items, in the present format %d", r.Len(), c.Len(), want.Len())
		}
		return
	}
}

// The error for another version of the format names it and says how to go on.
func TestAnotherVersion(t *testing.T) {
	older := append([]byte("pmlamc3\n"), make([]byte, 100)...)
	_, err := chunks.ReadIndex(older)
	if e, ok := errors.AsType[*chunks.PartError](err); !ok || e.What != `its format is "pmlamc3", not "pmlamc5": `+
		"cut the model again with pmlam chunk" {
		t.Error(err)
	}
	if _, err = chunks.ReadIndex(older[:6]); err == nil || strings.Contains(err.Error(), "anew") {
		t.Errorf("a file that is too short: %v", err)
	}
}
