package synth

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func draw(t *testing.T, c Config) []Interaction {
	t.Helper()
	var all []Interaction
	if err := Draw(c, func(i Interaction) error { all = append(all, i); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// The number of interactions is as asked, nobody likes an item twice, and each user's interactions are in the order of
// time and within the bounds, even with nearly as many as possible per user, or as few items as possible.
func TestWhatIsDrawn(t *testing.T) {
	for _, c := range []Config{
		{Users: 1, Items: 20, Interactions: 5},
		{Users: 300, Items: 20, Interactions: 1500, Tastes: 20},
		{Users: 7, Items: 40, Interactions: 70, Tastes: 1},
		{Users: 50, Items: 100, Interactions: 1250, Seed: 3},
		{Users: 2000, Items: 3000, Interactions: 100_000, Seed: 1},
	} {
		all := draw(t, c)
		if len(all) != c.Interactions {
			t.Fatalf("%+v: %d interactions", c, len(all))
		}
		seen, counts := map[[2]int]bool{}, make([]int, c.Users)
		for k, i := range all {
			if i.User < 0 || i.User >= c.Users || i.Item < 0 || i.Item >= c.Items || i.Time <= begin {
				t.Fatalf("%+v: %+v", c, i)
			}
			if pair := [2]int{i.User, i.Item}; seen[pair] {
				t.Fatalf("%+v: user %d likes item %d twice", c, i.User, i.Item)
			} else {
				seen[pair] = true
			}
			if k > 0 && (all[k-1].User > i.User || all[k-1].User == i.User && all[k-1].Time >= i.Time) {
				t.Fatalf("%+v: %+v stands before %+v", c, all[k-1], i)
			}
			counts[i.User]++
		}
		if least, most := slices.Min(counts), slices.Max(counts); least < Least || most > c.Items/2 {
			t.Errorf("%+v: users have %d to %d interactions", c, least, most)
		}
	}
}

// Two draws are the same to the byte, and another seed gives others.
func TestSameSeed(t *testing.T) {
	c := Config{Users: 100, Items: 200, Interactions: 2000, Seed: 5}
	var a, b, other bytes.Buffer
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := WriteCSV(w, c, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the same seed gives other bytes")
	}
	c.Seed++
	if err := WriteCSV(&other, c, nil); err != nil || bytes.Equal(a.Bytes(), other.Bytes()) {
		t.Errorf("another seed gives the same bytes (%v)", err)
	}
	if lines := strings.Count(a.String(), "\n"); lines != 2001 || !strings.HasPrefix(a.String(), "user,item,timestamp\n") {
		t.Errorf("%d lines, which begin with %.40q", lines, a.String())
	}
}

// The shape resembles real data. A tenth of the items has 59% of the likes in MovieLens small (ratings ≥ 4, nothing
// filtered), 39% in MovieLens-1M and Gowalla, 43% in Yelp2018; a tenth of the users has 41, 38, 39 and 34% (training
// parts of the published splits).
func TestShape(t *testing.T) {
	c := Config{Users: 6000, Items: 3700, Interactions: 600_000, Seed: 1}
	all := draw(t, c)
	users, items := make([]int, c.Users), make([]int, c.Items)
	for _, i := range all {
		users[i.User]++
		items[i.Item]++
	}
	for _, of := range []struct {
		what        string
		counts      []int
		least, most float64
	}{{"items", items, 0.35, 0.65}, {"users", users, 0.35, 0.5}} {
		if got := head(of.counts); got < of.least || got > of.most {
			t.Errorf("a tenth of the %s has %.2f of the interactions, want %g to %g", of.what, got, of.least, of.most)
		}
	}
}

// head returns the share of the largest tenth.
func head(counts []int) float64 {
	counts = slices.Sorted(slices.Values(counts))
	slices.Reverse(counts)
	sum, first := 0, 0
	for k, n := range counts {
		sum += n
		if k < len(counts)/10 {
			first += n
		}
	}
	return float64(first) / float64(sum)
}

// People like what others of their taste like: of two likes of one user far more are of one taste than of two users.
func TestTastes(t *testing.T) {
	c := Config{Users: 500, Items: 2000, Interactions: 20_000, Tastes: 20, Seed: 2}
	w := newWorld(c)
	taste := make([]int, c.Items)
	for k := range c.Tastes {
		for _, i := range w.items[w.first[k]:w.first[k+1]] {
			taste[i] = k
		}
	}
	all := draw(t, c)
	same, pairs, apart := 0, 0, 0
	for k := 1; k < len(all); k++ {
		if all[k].User == all[k-1].User {
			pairs++
			if taste[all[k].Item] == taste[all[k-1].Item] {
				same++
			}
		}
		if taste[all[k].Item] == taste[all[(k+len(all)/2)%len(all)].Item] {
			apart++
		}
	}
	if within, between := float64(same)/float64(pairs), float64(apart)/float64(len(all)); within < 3*between {
		t.Errorf("two likes of one user are of one taste in %.3f of the cases, of two users in %.3f", within, between)
	}
}

// What cannot be drawn is said before anything is, and an error of the receiver ends it.
func TestRefuses(t *testing.T) {
	good := Config{Users: 10, Items: 40, Interactions: 60}
	for _, change := range []struct {
		set  func(*Config)
		want string
	}{
		{func(c *Config) { c.Users = 0 }, "0 users"},
		{func(c *Config) { c.Items = 9 }, "9 items"},
		{func(c *Config) { c.Tastes = 41 }, "41 tastes"},
		{func(c *Config) { c.Tastes = -1 }, "-1 tastes"},
		{func(c *Config) { c.Interactions = 49 }, "too few"},
		{func(c *Config) { c.Interactions = 101 }, "too many"},
	} {
		c := good
		change.set(&c)
		err := Draw(c, func(Interaction) error { t.Fatal("something is drawn"); return nil })
		if err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%+v: %v, want %q", c, err, change.want)
		}
	}
	full := errors.New("full")
	if err := Draw(good, func(Interaction) error { return full }); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
}
