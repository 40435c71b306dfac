package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
)

// recommended returns the recommendations of recommend --json.
func recommended(t *testing.T, r result) []suggestion {
	t.Helper()
	var o struct{ Recommendations []suggestion }
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	return o.Recommendations
}

// ask queries the shipped model.
func ask(t *testing.T, args ...string) []suggestion {
	t.Helper()
	return recommended(t, ok(t, append([]string{"recommend", "--json", "--model", shipped}, args...)...))
}

func titles(list []suggestion) (out []string) {
	for _, s := range list {
		out = append(out, s.Title)
	}
	return out
}

func TestShippedModelAnswers(t *testing.T) {
	likes := []string{"--like", "Toy Story", "--like", "Heat", "--like", "Alien"}
	found := ask(t, likes...)
	if len(found) != 10 {
		t.Fatalf("%d recommendations", len(found))
	}
	liked := map[string]bool{"Toy Story": true, "Heat": true, "Alien": true}
	for i, s := range found {
		if liked[s.Title] || s.Year == 0 || s.Match <= 0.5 || s.Match > 1 || s.Certainty == "" || len(s.Reasons) == 0 {
			t.Errorf("%+v", s)
		}
		// Titles are ordered by score, of which the distance is only a part. A title is moved after the fifth place
		// if another of its series is among the first five.
		series := catalogue.Series(s.Title)
		waited := i >= 5 && slices.ContainsFunc(found[:5], func(o suggestion) bool {
			return catalogue.SameSeries(series, catalogue.Series(o.Title))
		})
		if i > 0 && s.Match > found[i-1].Match && !waited {
			t.Errorf("%s matches better than the title before it", s.Title)
		}
		for _, r := range s.Reasons {
			if !liked[r.Title] || r.Share <= 0 || r.Share > 1 {
				t.Errorf("%s: because of %+v", s.Title, r)
			}
		}
	}
	// The order and spelling of likes do not matter; a longer list begins with the shorter.
	same := ask(t, "--like", "alien (1979)", "--like", "id:1", "--like", "heat", "--number", "12")
	if got, want := strings.Join(titles(same)[:10], "; "), strings.Join(titles(found), "; "); got != want {
		t.Errorf("%s\nis not\n%s", got, want)
	}
	text := ok(t, append([]string{"recommend", "--model", shipped}, likes...)...).out
	if !strings.HasPrefix(text, "  1. "+found[0].Title) || strings.Count(text, "because you liked") != 10 {
		t.Error(text)
	}
	// Seen and disliked titles are left out; dislikes change the others.
	seen := ask(t, append(likes, "--seen", found[0].Title)...)
	if seen[0].Title != found[1].Title {
		t.Errorf("without %s the first is %s", found[0].Title, seen[0].Title)
	}
	disliked := ask(t, append(likes, "--dislike", found[0].Title)...)
	if disliked[0].Title == found[0].Title {
		t.Errorf("%s is recommended though disliked", found[0].Title)
	}
	// Exploration draws the same for the same seed.
	explored := func(seed string) string {
		return strings.Join(titles(ask(t, append(likes, "--explore", "1", "--seed", seed)...)), "; ")
	}
	first := explored("1")
	if again := explored("1"); again != first || explored("2") == first {
		t.Error("the exploration does not follow its seed")
	}
	varied := strings.Join(titles(ask(t, append(likes, "--diversity", "1")...)), "; ")
	if varied == strings.Join(titles(found), "; ") {
		t.Error("--diversity 1 changes nothing")
	}
	// The other modes leave out gambles: no title of ten with four likes, five and four with three.
	for k, mode := range modeNames()[1:] {
		few := ask(t, append(likes, "--mode", mode)...)
		if got := ask(t, append(likes, "--like", "Fargo", "--mode", mode)...); len(got) != 10 || len(few) != 5+k ||
			got[0].Title == found[0].Title || few[0].Title == found[0].Title {
			t.Errorf("%s: %v, and for three likes %v", mode, titles(got), titles(few))
		}
	}
}

func TestFilters(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	genres := map[string][]string{}
	for _, it := range m.Catalogue.Items {
		genres[it.ID] = it.Genres
	}
	found := ask(t, "--like", "Alien", "--genre", "horror", "--genre", "War", "--from-year", "1970", "--to-year",
		"1990")
	if len(found) != 10 {
		t.Errorf("%d are left", len(found))
	}
	for _, s := range found {
		if list := strings.Join(genres[s.ID], "|"); s.Year < 1970 || s.Year > 1990 || !strings.Contains(list,
			"Horror") && !strings.Contains(list, "War") {
			t.Errorf("%s (%d) is %s", s.Title, s.Year, list)
		}
	}
	// imdbId is a further column of MovieLens' catalogue; 0113277 is Heat.
	if found = ask(t, "--like", "Alien", "--where", "imdbId=0113277"); len(found) != 1 || found[0].Title != "Heat" {
		t.Errorf("%v", titles(found))
	}
	// An empty list is an answer, not an error.
	none := []string{"--like", "Alien", "--from-year", "1800", "--to-year", "1801"}
	if found = ask(t, none...); found == nil || len(found) != 0 {
		t.Errorf("%v", found)
	}
	if got := ok(t, append([]string{"recommend", "--model", shipped},
		none...)...).out; got != "No item passes the filters; loosen them.\n" {
		t.Errorf("%q", got)
	}
}

func TestQuestionsWithoutAnswer(t *testing.T) {
	data := blocks(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--like", "xyzzy"}, cli.ExitFailed, `no title in the catalogue is like "xyzzy"`},
		{[]string{"--like", "star"}, cli.ExitFailed, `"star" is not the title of one item; did you mean "`},
		{[]string{"--like", "id:0"}, cli.ExitFailed, `no item of the model has the id "0"`},
		{[]string{"--like", "Heat", "--genre", "Cookery"}, cli.ExitUsage,
			`--genre is "Cookery", but the model's genres are Drama, Comedy, `},
		{[]string{"--like", "Heat", "--where", "colour=red"}, cli.ExitUsage,
			`--where names the column "colour", but the model's catalogue has imdbId, tmdbId`},
		{[]string{"--like", "Heat", "--where", "tmdbId=1", "--where", "tmdbId=2"}, cli.ExitUsage,
			`--where wants both "tmdbId" = "1" and "2"; no item can match`},
		{[]string{"--user", "1"}, cli.ExitFailed, "the model has no users; pass --data with the likes of user 1, or train " +
			"with --with-users"},
		{[]string{"--user", "u99", "--data", data}, cli.ExitFailed, data + ` has no user "u99" with likes`},
		{[]string{"--user", "u1", "--data", data}, cli.ExitFailed, "the model knows none of the 12 items that user u1 " +
			"likes; check that it was trained on these data"},
	} {
		r := command(append([]string{"recommend", "--model", shipped}, c.args...)...)
		if r.code != c.code || !strings.HasPrefix(r.notices(), "pmlam: "+c.want) || r.out != "" {
			t.Errorf("%v: exit code %d, %s%s", c.args, r.code, r.errors, r.out)
		}
	}
}

// A user of the data gets the list of a visitor with the same likes.
func TestUserFromData(t *testing.T) {
	folder := some(t, 20)
	got := recommended(t, ok(t, "recommend", "--json", "--model", shipped, "--user", "7", "--data", folder))
	d, err := dataset.Load(folder, dataset.Options{MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	inModel := map[string]bool{}
	for _, it := range m.Catalogue.Items {
		inModel[it.ID] = true
	}
	var likes []string
	u, _ := d.Users.Index("7")
	for _, i := range d.Positives.Row(u) {
		if id := d.Items.ID(int(i)); inModel[id] {
			likes = append(likes, "--like", "id:"+id)
		}
	}
	if want := ask(t, likes...); len(likes) == 0 || strings.Join(titles(got), "; ") != strings.Join(titles(want),
		"; ") {
		t.Errorf("from the data: %v\nfrom the titles: %v", titles(got), titles(want))
	}
}

func TestInspect(t *testing.T) {
	o := ok(t, "inspect", "--json", shipped).object(t)
	if o["dataset"] != "MovieLens latest small" || figure(t, o, "users_kept") != 0 || o["licence"] == "" ||
		o["attribution"] == "" {
		t.Errorf("%v", o)
	}
	text := ok(t, "inspect", shipped).out
	for _, part := range []string{"Data           MovieLens latest small: ", "Held out       recall@10 ",
		"Held out       ndcg@20 ", "Attribution    F. Maxwell Harper", o["sha256"].(string)} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// A project's rules hold, for the one in this folder and for a named one.
func TestRulesOfTheProject(t *testing.T) {
	model, err := filepath.Abs(shipped)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	at := func(name, rules string) string {
		file := filepath.Join(folder, name)
		write(t, file, "[train]\nmodel = "+quoted(model)+"\n[rules]\n"+rules)
		return file
	}
	at("pmlam.toml", `pinned = ["1214", "1"]`)
	other := at("other.toml", `excluded = ["1214"]`)
	t.Chdir(folder)
	asked := func(args ...string) []suggestion {
		return recommended(t, ok(t, append([]string{"recommend", "--json", "--like", "Heat", "--like", "Aliens"}, args...)...))
	}
	here, plain, there := asked(), asked("--model", model), asked("--model", model, "--project", other, "--number", "100")
	if here[0].ID != "1214" || here[1].ID != "1" || !here[1].Pinned || here[2].Pinned || plain[0].Pinned {
		t.Errorf("by the rules come %v, else %v", titles(here), titles(plain))
	}
	for _, s := range there {
		if s.ID == "1214" {
			t.Error("what is excluded comes")
		}
	}
	for rules, want := range map[string]string{
		`in-stock = "stock"`:                        `no column "stock"; it has imdbId`,
		`boost = [{ column = "a", weight = 1000 }]`: "between -100 and 100",
		`pined = ["1"]`:                             `did you mean "pinned"?`,
	} {
		r := command("recommend", "--like", "Heat", "--project", at("wrong.toml", rules))
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, want) {
			t.Errorf("%s: exit code %d, %s", rules, r.code, r.errors)
		}
	}
	// Vanished ids are named and ignored.
	r := ok(t, "recommend", "--like", "Heat", "--project", at("gone.toml", `excluded = ["1", "gone", "lost"]`))
	if !strings.Contains(r.errors, `not in the catalogue: "gone" "lost"`) {
		t.Error(r.errors)
	}
}
