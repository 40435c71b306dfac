package uncertainty

import (
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// People returns the likes and ratings of the given users. O(their rows).
func People(d *dataset.Dataset, users []int) []Person {
	out := make([]Person, len(users))
	for k, u := range users {
		p := &out[k]
		p.Likes = calibrate.Ints(d.Positives.Row(u))
		if d.Unliked == nil {
			continue
		}
		for _, i := range d.Unliked.Row(u) {
			if d.Low.Contains(u, i) {
				p.Dislikes = append(p.Dislikes, int(i))
			} else {
				p.Others = append(p.Others, int(i))
			}
		}
	}
	return out
}
