package dataset

import (
	"fmt"
	"slices"
	"strconv"
)

// Stats holds the columns of the paper's Table 1, and the distribution of the interactions.
type Stats struct {
	Name         string
	Users        int
	Items        int
	Interactions int
	Density      float64 // Interactions / (Users·Items), in [0,1]; 0 without users or items
	PerUser      Spread
	PerItem      Spread
}

// Spread summarises counts. It is zero without counts.
type Spread struct {
	Least, Most  int
	Median, Mean float64
}

// Stats counts the positives. O(nnz).
func (d *Dataset) Stats() Stats {
	s := StatsOf(d.Positives)
	s.Name = d.Name
	return s
}

// StatsOf counts the ones of a matrix, users in rows. O(nnz + cols log cols).
func StatsOf(m *Matrix) Stats {
	s := Stats{Users: m.Rows(), Items: m.Cols, Interactions: m.Len()}
	if s.Users > 0 && s.Items > 0 {
		s.Density = float64(s.Interactions) / float64(s.Users) / float64(s.Items)
	}
	byUser, byItem := make([]int, m.Rows()), make([]int, m.Cols)
	for u := range byUser {
		byUser[u] = m.Offsets[u+1] - m.Offsets[u]
	}
	for _, c := range m.Indices {
		byItem[c]++
	}
	s.PerUser, s.PerItem = spread(byUser), spread(byItem)
	return s
}

func spread(counts []int) Spread {
	n := len(counts)
	if n == 0 {
		return Spread{}
	}
	slices.Sort(counts)
	sum := 0
	for _, c := range counts {
		sum += c
	}
	return Spread{counts[0], counts[n-1], float64(counts[(n-1)/2]+counts[n/2]) / 2, float64(sum) / float64(n)}
}

// Header names the cells of Row, as the paper's Table 1 does.
func (Stats) Header() []string {
	return []string{"Dataset", "#Users", "#Items", "#Interactions", "Density"}
}

// Row is the data set's row in the paper's Table 1, as it prints it: 24,934 and 0.079%.
func (s Stats) Row() []string {
	return []string{s.Name, thousands(s.Users), thousands(s.Items), thousands(s.Interactions),
		fmt.Sprintf("%.3f%%", 100*s.Density)}
}

// String prints a table of one row.
func (s Stats) String() string { return Table([]Stats{s}) }

// Table prints the rows under the header, in columns: names to the left, numbers to the right.
func Table(rows []Stats) string {
	cells := [][]string{Stats{}.Header()}
	for _, s := range rows {
		cells = append(cells, s.Row())
	}
	width := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, c := range row {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	var out []byte
	for _, row := range cells {
		for i, c := range row {
			if i == 0 {
				out = fmt.Appendf(out, "%-*s", width[i], c)
			} else {
				out = fmt.Appendf(out, "  %*s", width[i], c)
			}
		}
		out = append(out, '\n')
	}
	return string(out)
}

// thousands writes n with a comma every three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
