package tastemap

import (
	"context"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// The result agrees with a full sort, ties by the lower index, for any number of workers.
func TestNearestIsSortingAll(t *testing.T) {
	rows := cloud(1300, 5, 6) // more than a block of rows
	copy(rows.Data[100:150], rows.Data[:50])
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
