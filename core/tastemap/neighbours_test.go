package tastemap

import (
	"context"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// The result agrees with a full sort, ties by the lower index, for any number of workers, for narrow and wide rows.
func TestNearestIsSortingAll(t *testing.T) {
	for _, width := range []int{5, narrowRows, 101} {
		nearestIsSortingAll(t, cloud(1300, width, 6)) // more than a block of rows
	}
}

func nearestIsSortingAll(t *testing.T, rows Rows) {
	copy(rows.Data[10*rows.Width:15*rows.Width], rows.Data[:5*rows.Width])
	for i := range rows.Data[:100*rows.Width] {
		rows.Data[i] += 30 // far from the origin, where products are the least accurate
	}
	for _, k := range []int{1, 7, 1299} {
		of := []int32{0, 10, 20, 700, 1299}
		for _, workers := range []int{1, 3} {
			err := nearest(context.Background(), rows, of, k, workers, func(at int, found []neighbour) {
				var all []neighbour
				for j := range rows.Len() {
					if j != int(of[at]) {
						all = append(all, neighbour{Score: -vec.SquaredDistance(rows.Row(int(of[at])), rows.Row(j)), Item: int32(j)})
					}
				}
				slices.SortStableFunc(all, func(a, b neighbour) int {
					switch {
					case a.Score > b.Score:
						return -1
					case a.Score < b.Score:
						return 1
					}
					return 0
				})
				if !slices.Equal(found, all[:k]) {
					t.Errorf("the %d nearest of %d are %v, want %v", k, of[at], found[:1], all[:1])
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestPlaceIsComputeWithoutRegions(t *testing.T) {
	const n = 90
	items, c := gaussian.NewTable(n, 2), &catalogue.Catalogue{Items: make([]catalogue.Item, n)}
	copy(items.Data(), cloud(n, 4, 5).Data)
	for i := range c.Items {
		c.Items[i].Genres = []string{[]string{"Drama", "Comedy"}[i%2]}
	}
	want, err := Compute(context.Background(), items, c, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Place(context.Background(), items, c, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.X, want.X) || !slices.Equal(got.Y, want.Y) {
		t.Error("the places differ")
	}
	if len(got.Regions) != 0 || len(want.Regions) == 0 {
		t.Errorf("%d regions, with Compute %d", len(got.Regions), len(want.Regions))
	}
}
