package recommend_test

import (
	"fmt"
	"log"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// open opens the model of the site.
func open() *recommend.Recommender {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		log.Fatal(err)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return r
}

// find returns the items with some titles.
func find(r *recommend.Recommender, titles ...string) (items []int) {
	for _, title := range titles {
		i, err := r.Find(title)
		if err != nil {
			log.Fatal(err)
		}
		items = append(items, i)
	}
	return items
}

// A visitor names titles that they like, and gets others.
func Example() {
	r := open()
	v := recommend.Visit{Likes: find(r, "Toy Story", "Finding Nemo")}
	for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 3}) {
		fmt.Println(r.Item(s.Item).Title)
	}
	// Output:
	// Monsters, Inc.
	// Shrek
	// Aladdin
}

// Infer a taste, the Gaussian of a visitor unknown to the model, from likes and dislikes.
func ExampleRecommender_Taste() {
	r := open()
	likes := recommend.Visit{Likes: find(r, "Alien")}
	both := recommend.Visit{Likes: find(r, "Alien"), Dislikes: find(r, "Toy Story")}
	for _, v := range []recommend.Visit{likes, both} {
		t := r.Taste(v, nil)
		fmt.Printf("Toy Story is %.2f away, Aliens %.2f\n", r.Distance(t, find(r, "Toy Story")[0]),
			r.Distance(t, find(r, "Aliens")[0]))
	}
	// Output:
	// Toy Story is 1.79 away, Aliens 1.52
	// Toy Story is 2.30 away, Aliens 1.74
}

// Find titles similar to one, for visitors without likes.
func ExampleRecommender_Similar() {
	r := open()
	for _, s := range r.Similar(find(r, "Alien")[0], recommend.Visit{}, 3) {
		fmt.Println(r.Item(s.Item).Title)
	}
	// Output:
	// Aliens
	// The Thing
	// The Shining
}

// Each recommendation names the likes that explain it, and the chance that the visitor likes it.
func ExampleRecommender_Recommend_reasons() {
	r := open()
	v := recommend.Visit{Likes: find(r, "Alien", "Pride and Prejudice")}
	for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 2}) {
		fmt.Printf("%s: a chance of %.0f%%\n", r.Item(s.Item).Title, 100*s.Chance)
		for _, why := range s.Reasons {
			fmt.Printf("  %.0f%% because of %s\n", 100*why.Share, r.Item(why.Item).Title)
		}
	}
	// Output:
	// The Matrix: a chance of 82%
	//   43% because of Alien
	// Forrest Gump: a chance of 79%
}

// Search finds titles by the beginnings of words, even with typing errors.
func ExampleRecommender_Search() {
	r := open()
	for _, f := range r.Search("termnator", 2) {
		fmt.Println(r.Item(f.Item).Title)
	}
	// Output:
	// Terminator 2: Judgment Day
	// The Terminator
}
