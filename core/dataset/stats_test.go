package dataset

import (
	"strings"
	"testing"
)

// TestStats prints the paper's row of CDs as the paper does, and counts a small matrix by hand.
func TestStats(t *testing.T) {
	cds := Stats{Name: "CDs", Users: 24934, Items: 24634, Interactions: 478048, Density: 478048. / 24934 / 24634}
	if got := strings.Join(cds.Row(), " | "); got != "CDs | 24,934 | 24,634 | 478,048 | 0.078%" {
		t.Errorf("row %q", got) // the paper rounds 0.0778 up to 0.079
	}
	s := StatsOf(NewMatrix(3, 4, []Pair{{0, 0}, {0, 1}, {0, 2}, {1, 0}}))
	want := Stats{Users: 3, Items: 4, Interactions: 4, Density: 1. / 3, PerUser: Spread{0, 3, 1, 4. / 3},
		PerItem: Spread{0, 2, 1, 1}}
	if s != want {
		t.Errorf("%+v; want %+v", s, want)
	}
	if StatsOf(&Matrix{Offsets: []int{0}}) != (Stats{}) {
		t.Error("an empty matrix has no statistics but zeros")
	}
	if got := Table([]Stats{{Name: "a", Users: 1}, {Name: "long name", Users: 1234567}}); got != ""+
		"Dataset       #Users  #Items  #Interactions  Density\n"+
		"a                  1       0              0   0.000%\n"+
		"long name  1,234,567       0              0   0.000%\n" {
		t.Errorf("table\n%s", got)
	}
}

func TestIDs(t *testing.T) {
	ids, err := NewIDs([]string{"b", "a", "ü"})
	if err != nil || ids.Len() != 3 || ids.ID(2) != "ü" {
		t.Fatalf("%v, %v", ids, err)
	}
	if i, ok := ids.Index("a"); !ok || i != 1 {
		t.Errorf("a has index %d, %v", i, ok)
	}
	if _, ok := ids.Index("c"); ok {
		t.Error("c is no id")
	}
	if _, err := NewIDs([]string{"a", "b", "a"}); err == nil {
		t.Error("a stands there twice")
	}
	if _, ok := new(IDs).Index("a"); ok || new(IDs).Len() != 0 {
		t.Error("the zero value holds no ids")
	}
}
