package after

import (
	"slices"
	"strconv"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/keep"
)

// Likes of the latest run whose order is known count: marked alone or with a day. Marks of other kinds and titles that
// the catalogue lacks are passed over.
func TestLatest(t *testing.T) {
	find := func(id string) (int, bool) {
		i, err := strconv.Atoi(id)
		return i, err == nil
	}
	alone := func(id string, at uint64) keep.Entry { return keep.Entry{ID: id, Mark: keep.Liked, At: at} }
	dated := func(id string, at uint64) keep.Entry {
		return keep.Entry{ID: id, Mark: keep.Liked, At: 7, Details: keep.Details{When: uint32(at / 1000)}}
	}
	seen := alone("9", 9000)
	seen.Mark = keep.Seen
	for _, c := range []struct {
		name  string
		diary []keep.Entry
		want  []int
	}{
		{"nothing", nil, nil},
		{"one by one", []keep.Entry{alone("1", 1000), alone("2", 2000)}, []int{1, 2}},
		{"after many at once", []keep.Entry{alone("1", 1000), alone("2", 1001), alone("3", 5000)}, []int{3}},
		{"many at once", []keep.Entry{alone("3", 500), alone("1", 1000), alone("2", 1001)}, nil},
		{"with days", []keep.Entry{dated("1", 1000), dated("2", 2000), alone("3", 9000)}, []int{1, 2, 3}},
		{"others between", []keep.Entry{alone("1", 1000), alone("gone", 3000), seen}, []int{1}},
	} {
		if got := latest(c.diary, find); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	var many []keep.Entry
	for k := range 50 {
		many = append(many, alone(strconv.Itoa(k), uint64(1000*k)))
	}
	if got := latest(many, find); len(got) != recommend.RecentItems || got[len(got)-1] != 49 {
		t.Errorf("of 50 likes %v count", got)
	}
}
