package related

import (
	"net/url"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

// Views adds page views: the items of d are addresses of pages, such as /posts/a/ or https://site.example/posts/a/, and
// its users are visitors or sessions. Lists then also count pages as related that the same visitors read. Views returns
// the number of addresses that are pages of the site.
func (s *Site) Views(d *dataset.Dataset) int {
	root := &Page{}
	page := make([]int, d.Items.Len())
	found := 0
	for i := range page {
		page[i] = -1
		address := d.Items.ID(i)
		if u, err := url.Parse(address); err == nil && u.Host != "" && s.base == "" {
			address = u.EscapedPath()
		}
		to, _, ok := s.resolve(root, address)
		if address == "/" {
			to, _, ok = s.at("")
		}
		if ok {
			page[i] = to
			found++
		}
	}
	s.views = make([][]int32, len(s.Pages))
	for u := range d.Users.Len() {
		for _, i := range d.Positives.Indices[d.Positives.Offsets[u]:d.Positives.Offsets[u+1]] {
			if to := page[i]; to >= 0 {
				s.views[to] = append(s.views[to], int32(u))
			}
		}
	}
	for i, v := range s.views {
		s.views[i] = slices.Compact(v) // ascending: users come in order
	}
	return found
}
