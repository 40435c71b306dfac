package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

const siteFiles = repo + "/core/dataset/testdata/files/"

// Every command that reads data reports how it understood them, on standard error and in its JSON.
func TestEveryReadingIsTold(t *testing.T) {
	data := blocks(t)
	model := filepath.Join(t.TempDir(), "model")
	for _, args := range [][]string{
		append([]string{"train", "--data", data, "--out", model}, quick...),
		{"evaluate", "--data", data, "--fold", "0", "--baselines", "popularity, ease"},
		{"recommend", "--model", model, "--data", data, "--user", "u1"},
		{"data", "stats", data},
	} {
		r := ok(t, append(args, "--json")...)
		reading, _ := r.object(t)["reading"].(map[string]any)
		files, _ := reading["files"].([]any)
		if len(files) != 1 || reading["likes"] != 288.0 || reading["below"] != 0.0 || reading["min_rating"] != 4.0 {
			t.Fatalf("%v: %v", args, reading)
		}
		file := files[0].(map[string]any)
		if got := fmt.Sprintln(file["columns"], file["header"], file["delimiter"], file["encoding"],
			len(file["rows"].([]any))); got !=
			"[map[name:user role:user] map[name:item role:item] map[name:rating role:rating] map[name:timestamp "+
				"role:time]] true , UTF-8 3\n" {
			t.Errorf("%v: %s", args, got)
		}
		if args[0] == "data" {
			r = ok(t, args...)
			r.errors = r.out
		}
		for _, line := range []string{
			data + ": csv, cut by commas, with a header, UTF-8\n", "  column     is the  first rows\n",
			"  user       user    u0", "  rating     rating  5     5     5\n",
			"  a like is a rating of 4 or more (there are 5 to 5): 288 likes, 0 below\n",
		} {
			if !strings.Contains(r.errors, line) {
				t.Errorf("%v: no %q in\n%s", args, line, r.errors)
			}
		}
	}
}

// A model has no user ids by default.
func TestModelsCarryNobody(t *testing.T) {
	var b strings.Builder
	b.WriteString("lineitem_sku,customer_email,qty,product name\n")
	for u := range 24 {
		for i := range 14 {
			if (u+i)%7 != 0 {
				fmt.Fprintf(&b, "sku-%d,person%d@example.com,1,A thing %d\n", u%2*14+i, u, u%2*14+i)
			}
		}
	}
	folder := t.TempDir()
	data, out := filepath.Join(folder, "orders.csv"), filepath.Join(folder, "model")
	write(t, data, b.String())
	args := append([]string{"train", "--data", data, "--out", out, "--precision", "float32"}, quick...)
	ok(t, args...)
	if file := read(t, out); bytes.Contains(file, []byte("example.com")) || bytes.Contains(file, []byte("person")) ||
		!bytes.Contains(file, []byte("sku-3")) || !bytes.Contains(file, []byte("A thing 3")) {
		t.Error("the model holds people, or not its items")
	}
	if r := command(append(args, "--with-users")...); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, `"p…om" holds an e-mail address`) {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
	write(t, data, strings.ReplaceAll(b.String(), "@example.com", ""))
	ok(t, append(args, "--with-users", "--user-column", "customer_email")...)
	if !bytes.Contains(read(t, out), []byte("person3")) {
		t.Error("the users that were asked for are not in the model")
	}
	write(t, data, b.String())
	if r := command(append(args, "--item-column", "customer_email", "--user-column",
		"lineitem_sku")...); r.code != cli.ExitFailed || !strings.HasSuffix(r.errors,
		"have bad lines skipped (--skip-bad-lines)\n") || !strings.Contains(r.errors, "number the items") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

// A catalogue without titles is reported, and one of other items is refused.
func TestItemsWithoutTitles(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	for _, c := range []struct {
		items, flags string
		code         int
		says         string
	}{
		{"id,price\ni3,9\n", "", cli.ExitOK, "has no column of titles: items are shown by their ids (--title-column)\n"},
		{"id,label on the box\ni3,A red lamp\ni4,A blue lamp\n", "", cli.ExitFailed,
			`looks like the items' titles; say that it is the title, or that there is none (--title-column "label on the box" or --title-column -)` + "\n"},
		{"id,label on the box\ni3,A red lamp\ni4,A blue lamp\n", "--title-column=label on the box", cli.ExitOK,
			"items.csv, for 2 of the 28 remaining items\n"},
		{"id,label on the box\ni3,A red lamp\ni4,A blue lamp\n", "--title-column=-", cli.ExitOK, "has no column of titles"},
		{"what,titel\ni3,Lampe\n", "", cli.ExitOK, "items.csv, for 1 of the 28 remaining items\n"},
		{"id,title\nx3,A red lamp\n", "", cli.ExitFailed, "is it the right file, and do both have the same ids?\n"},
		{"price,weight\n3,9\n", "", cli.ExitFailed, "name the right one id\n"},
	} {
		items := filepath.Join(folder, "items.csv")
		write(t, items, c.items)
		args := []string{"data", "stats", data, "--items", items}
		if c.flags != "" {
			args = append(args, c.flags)
		}
		if r := command(args...); r.code != c.code || !strings.Contains(r.out+r.errors, c.says) {
			t.Errorf("%q %s: exit code %d\n%s%s", c.items, c.flags, r.code, r.out, r.errors)
		}
	}
}

// A split by time needs times: a column that looks like one is asked about, and an unreadable one is refused.
func TestSplitByTimeNeedsTimes(t *testing.T) {
	for file, want := range map[string]string{
		"unused-time.csv":     `(--time-column "when" or --time-column -)`,
		"dates-ambiguous.csv": "(--skip-bad-lines)",
		"vote.csv":            "(--fold)",
	} {
		r := command("evaluate", "--data", siteFiles+file, "--by-time", "0.2", "--baselines", "popularity",
			"--min-user", "1", "--min-item", "1")
		if r.code != cli.ExitFailed || !strings.HasSuffix(r.errors, want+"\n") {
			t.Errorf("%s: exit code %d, %s", file, r.code, r.errors)
		}
	}
}

// seconds covers the whole run, and its parts sum to it.
func TestSeconds(t *testing.T) {
	o := ok(t, append([]string{"train", "--json", "--data", blocks(t), "--out", filepath.Join(t.TempDir(), "model"),
		"--measure"}, quick...)...).object(t)
	sum, parts := 0.0, o["seconds_of"].(map[string]any)
	for _, name := range []string{"reading", "measuring", "training", "laying out", "calibrating"} {
		v, _ := parts[name].(float64)
		if v <= 0 {
			t.Errorf("%s took %v", name, parts[name])
		}
		sum += v
	}
	if whole := figure(t, o, "seconds"); len(parts) != 5 || sum > whole {
		t.Errorf("%v in a whole of %v", parts, whole)
	}
}
