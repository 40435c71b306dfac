package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
)

// TestOrderOfLikes trains on the same likes in a telling order, in none, at equal times, without times and with times
// in the future, with an owner's word about repeats and without. The report says what became of the order.
func TestOrderOfLikes(t *testing.T) {
	folder := t.TempDir()
	const people, items, likes = 60, 20, 6
	// order gives the time of the k-th like of a series of a person; "" leaves the column out
	train := func(name string, order func(person, k int) string, more ...string) (report string, m *model.Model) {
		t.Helper()
		var b strings.Builder
		b.WriteString("user,item,date\n")
		for u := range people {
			for k := range likes {
				fmt.Fprintf(&b, "u%d,i%d,%s\n", u, (u*7+k)%items, order(u, k))
			}
		}
		text := b.String()
		if order(0, 0) == "" {
			text = strings.ReplaceAll(strings.ReplaceAll(text, ",date", ""), ",\n", "\n")
		}
		data, out := filepath.Join(folder, name+".csv"), filepath.Join(folder, name+".msgpack")
		if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := ok(t, append([]string{"train", "--data", data, "--min-user", "2", "--min-item", "2", "--epochs", "2",
			"--calibrate=false", "--out", out}, more...)...)
		m, err := model.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return r.out, m
	}
	day := func(n int) string { return time.Date(2024, 1, 1+n, 12, 0, 0, 0, time.UTC).Format("2006-01-02") }
	telling := func(u, k int) string { return day(u + k) }
	for name, c := range map[string]struct {
		order func(u, k int) string
		says  string
		knows bool
	}{
		"telling": {telling, "learned from the order of likes: ", true},
		"none":    {func(u, k int) string { return day((u*31 + k*k*17 + k*u*5) % 97) }, "not used, because it does not help", false},
		"equal":   {func(int, int) string { return day(0) }, "unknown: nobody has likes of two times; 60 users have all", false},
		"untimed": {func(int, int) string { return "" }, "the order of likes is unknown, because the data have no times", false},
		"future": {func(u, k int) string { return day(u + k + 365*200*(k/5)) },
			"; 60 likes are dated in the future and count as they are", true},
	} {
		if says, m := train(name, c.order); !strings.Contains(says, c.says) || (m.Next != nil) != c.knows || m.Again {
			t.Errorf("%s: links in order %t, want %t; %q is not in\n%s", name, m.Next != nil, c.knows, c.says, says)
		}
	}
	list := func(name string, more ...string) []string {
		return append([]string{"similar", "--goes-with", "--model", filepath.Join(folder, name+".msgpack")}, more...)
	}
	one := ok(t, list("telling", "id:i3", "--number", "3", "--json")...).object(t)["goes_with"].([]any)
	lists := filepath.Join(folder, "lists.json")
	ok(t, list("telling", "--all", "--number", "3", "--out", lists)...)
	var all map[string][]struct{ ID string }
	if err := json.Unmarshal([]byte(read(t, lists)), &all); err != nil || len(all) != items {
		t.Fatalf("%d lists of %d items: %v", len(all), items, err)
	}
	for k, s := range one {
		if id := s.(map[string]any)["id"]; id != all["i3"][k].ID || k == 0 && id != "i4" {
			t.Errorf("with i3 goes %v at place %d, but %s in the file; i4 comes first", id, k+1, all["i3"][k].ID)
		}
	}
	if r := command(list("equal", "--all", "--out", lists)...); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "does not know the order of likes, so --goes-with has no lists") {
		t.Errorf("lists without order: exit code %d, %s", r.code, r.errors)
	}
	if says, m := train("asked", func(int, int) string { return day(0) }, "--next-top", "5"); m.Next == nil {
		t.Errorf("--next-top of a user was not followed:\n%s", says)
	}
	if _, m := train("groceries", telling, "--again"); !m.Again {
		t.Error("--again is not in the model")
	}
	// The project file holds the owner's word, and says what the data show.
	t.Chdir(folder)
	text := "user,item,date\n"
	for u := range 9 {
		for k := range 4 { // the first item again at the end
			text += fmt.Sprintf("u%d,i%d,%s\n", u, (u+k%3)%6, day(u+2*k))
		}
	}
	write(t, "again.csv", text)
	ok(t, "init", "again.csv")
	project := string(read(t, "pmlam.toml"))
	if !strings.Contains(project, "# again = false # may lists offer what a person chose before? Without this line the "+
		"data say: true\n") {
		t.Errorf("the project file does not ask about repeats:\n%s", project)
	}
	for said, want := range map[string]bool{"# again =": true, "again =": false} {
		write(t, "pmlam.toml", strings.Replace(project, "# again =", said, 1))
		ok(t, "train", "--epochs", "1", "--calibrate=false", "--min-user", "1", "--min-item", "1", "--out", "m.msgpack")
		m, err := model.ReadFile("m.msgpack")
		if err != nil || m.Again != want {
			t.Errorf("with %q the model says %t, want %t; %v", said, m.Again, want, err)
		}
	}
	if _, m := train("off", telling, "--next-top", "0"); m.Next != nil {
		t.Error("--next-top 0 has links in order")
	}
}
