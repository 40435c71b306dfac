package ui

import "testing"

func TestInitials(t *testing.T) {
	for title, want := range map[string]string{
		"Heat": "H", "The Silence of the Lambs": "SL", "Star Wars: Episode IV": "SW", "12 Angry Men": "1AM",
		"The The": "TT",
		"Amélie (Fabuleux destin d'Amélie Poulain, Le)": "A", "élan": "É", "'Til There Was You": "TTW", "": "…",
		"???": "…",
	} {
		if got := initials(title); got != want {
			t.Errorf("initials(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestGenreGroups(t *testing.T) {
	e := newLine(20)
	e.items[3].Genres = []string{"IMAX"}
	groups := groupGenres(e)
	if groups[0] != 2 || groups[1] != 1 || groups[2] != 0 || groups[3] != noGenre {
		t.Errorf("genres of the first four films: %v", groups[:4])
	}
	if genreClass(10) != "g4" || genreShape(10) != 1 || genreShape(17) != 2 || genreShape(200) != 3 ||
		genreClass(noGenre) != "gx" {
		t.Error("colours and shapes are dealt wrongly")
	}
}
