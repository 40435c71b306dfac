package importer_test

import (
	"fmt"
	"log"
	"os"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Turn the ratings of a Letterboxd export into likes and dislikes of a model's items. The nil is for zip files: they
// need a function that inflates their members.
func ExampleMatcher_Match() {
	ratings, err := os.ReadFile("testdata/letterboxd/ratings.csv")
	if err != nil {
		log.Fatal(err)
	}
	library, err := importer.Read([]importer.File{{Name: "ratings.csv", Data: ratings}}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	items, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		log.Fatal(err)
	}
	matcher, err := importer.NewMatcher(items, nil)
	if err != nil {
		log.Fatal(err)
	}
	matches, err := matcher.Match(library, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, found := range matches {
		if e := &library.Entries[found.Entry]; found.Item >= 0 {
			liked := importer.DefaultMeaning.Mark(library, e) == importer.Liked
			fmt.Printf("%s (%d), %g: liked %t\n", e.Title, e.Year, e.Rating, liked)
		}
	}
	// Output:
	// Toy Story (1995), 5: liked true
	// Heat (1995), 4.5: liked true
	// Alien (1979), 4: liked true
	// Léon: The Professional (1994), 4.5: liked true
	// The Good, the Bad and the Ugly (1966), 5: liked true
	// Batman Forever (1995), 0.5: liked false
	// Forrest Gump (1994), 3: liked false
	// Cinderella (1950), 3.5: liked false
}
