package ui

import (
	"fmt"
	"reflect"
	"testing"
)

// TestEveryWordIsThere: a language with a hole in it shows an empty button.
func TestEveryWordIsThere(t *testing.T) {
	for _, language := range Languages {
		w := language()
		t.Run(w.Tag, func(t *testing.T) { whole(t, "", reflect.ValueOf(*w)) })
	}
}

func whole(t *testing.T, name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			whole(t, v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			whole(t, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case reflect.String, reflect.Int, reflect.Func:
		if v.IsZero() {
			t.Errorf("%s is empty", name)
		}
	case reflect.Bool:
	default:
		t.Errorf("%s is a %s", name, v.Kind())
	}
}

func TestWords(t *testing.T) {
	w := English()
	for _, c := range []struct{ got, want string }{
		{w.number(0), "0"}, {w.number(999), "999"}, {w.number(1947), "1,947"}, {w.number(-1234567), "-1,234,567"}, {w.number(-123), "-123"},
		{w.count(1, "film", "films"), "1 film"}, {w.count(2000, "film", "films"), "2,000 films"},
		{w.percent(0.426), "43%"}, {w.size(1), "1 byte"}, {w.size(999), "999 bytes"}, {w.size(12345), "12.3 KB"}, {w.size(2_500_000), "2.5 MB"},
		{w.and(nil), ""}, {w.and([]string{"A"}), "A"}, {w.and([]string{"A", "B"}), "A and B"}, {w.and([]string{"A", "B", "C"}), "A, B and C"},
		{w.Updated(10), "10 recommendations updated"}, {w.LikeTitle("Heat"), "Like Heat"}, {w.DislikeTitle("Heat"), "Not for me Heat"},
		{w.SeenTitle("Heat"), "Seen Heat"}, {w.SearchLabel, "Search titles"}, {w.Recommendations, "Recommendations"}, {w.Map, "Taste map"},
		{w.Because([]string{"<b>Heat</b>", "<b>Alien</b>"}), "Because you liked <b>Heat</b> and <b>Alien</b>"},
		{metricName("recall@10"), "Recall@10"}, {metricName("ndcg@20"), "NDCG@20"}, {metricName("mrr"), "MRR"}, {metricName(""), ""},
		{w.Kernel("simd"), "Distances are computed by the SIMD kernel."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestInitials(t *testing.T) {
	for title, want := range map[string]string{
		"Heat": "H", "The Silence of the Lambs": "SL", "Star Wars: Episode IV": "SW", "12 Angry Men": "1AM", "The The": "TT",
		"Amélie (Fabuleux destin d'Amélie Poulain, Le)": "A", "élan": "É", "'Til There Was You": "TTW", "": "…", "???": "…",
	} {
		if got := initials(title); got != want {
			t.Errorf("initials(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestGenreGroups(t *testing.T) {
	e := newLine(20)
	e.items[3].Genres = []string{"IMAX"}
	groups := groupGenres(e, func() {})
	if groups[0] != 2 || groups[1] != 1 || groups[2] != 0 || groups[3] != noGenre {
		t.Errorf("genres of the first four films: %v", groups[:4])
	}
	if genreClass(10) != "g4" || genreShape(10) != 1 || genreShape(17) != 2 || genreShape(200) != 3 || genreClass(noGenre) != "gx" {
		t.Error("colours and shapes are dealt wrongly")
	}
}
