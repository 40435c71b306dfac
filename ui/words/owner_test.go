package words

import "testing"

// An owner's texts replace the page's own. They are gone again for an owner who gives none.
func TestOwner(t *testing.T) {
	w := English()
	if again := w.For(Owner{Nouns: "en films"}).For(Owner{}); again.BringNote != w.BringNote || again.Nouns != "" {
		t.Errorf("an owner's text was kept: %q, %q", again.BringNote, again.Nouns)
	}
	shop := Owner{Known: "de Gekauft;en Bought", Groups: "en category/categories; de Kategorie/Kategorien",
		Genres: "de Cables=Kabel, Mice = x; en Cables=Cable/cables", Services: "A, B, C", Undated: true}
	en, de := w.For(shop), German().For(shop)
	for _, c := range []struct{ got, want string }{
		{w.Seen, "Known"}, {w.BrowseNote, "Everything there is, by genre and decade."}, {w.AllGenres, "any genre"},
		{w.BringNote, "Rated elsewhere? Use any CSV file with names and ratings."}, {w.GenreName("Cables"), "Cables"},
		{en.SeenTitle("X"), "Bought: X"}, {en.MarkedAs[2], "bought"}, {en.BringUnratedAs[3], "Bought"},
		{en.BringDone("a", Tally{Seen: 2}), "Added from a: 2 bought."}, {en.Genres, "Category"},
		{en.AllGenres, "any category"}, {en.Legend, "Categories on the map"}, {en.MadeOf, "By category"},
		{en.BringNote, "Rated elsewhere? Use your export from A, B or C, or any CSV file with names and ratings."},
		{en.GenreName("Cables"), "Cable"}, {en.RegionName([]string{"Cables", "Mice"}, 0, 0), "Cables and Mice"},
		{de.AllGenres, "alle Kategorien"}, {de.BrowseNote, "Alles, was es gibt, nach Kategorie."},
		{de.NothingWithout, "Du hast alles durch, was wir kennen. Nimm ein paar Titel aus „Gekauft“ heraus, dann siehst du sie wieder."},
		{de.RegionName([]string{"Cables"}, 0, 0), "Kabel"}, {de.SawIt("X"), "Gekauft: X"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
