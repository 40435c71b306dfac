package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
)

// shop writes orders of two groups of customers, and a catalogue with three more items than they buy.
func shop(t *testing.T) (orders, products string) {
	t.Helper()
	var b, c strings.Builder
	b.WriteString("customer,item\n")
	c.WriteString("id,title,maker,mood\n")
	for u := range 40 {
		for i := range 30 {
			if i%2 == u%2 && (u+i)%3 > 0 {
				fmt.Fprintf(&b, "u%d,p%d\n", u, i)
			}
		}
	}
	for i := range 33 {
		fmt.Fprintf(&c, "p%d,Thing %c%c,%s,quiet\n", i, 'A'+i, 'a'+i%7, []string{"Even & Co", "Odd Ltd"}[i%2])
	}
	orders, products = filepath.Join(t.TempDir(), "orders.csv"), filepath.Join(t.TempDir(), "products.csv")
	write(t, orders, b.String())
	write(t, products, c.String())
	return orders, products
}

// A training reports items without buyers and adds them on request; add-items makes the same file from a model without
// them; a new item is recommended to buyers of similar ones.
func TestAddItems(t *testing.T) {
	orders, products := shop(t)
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	args := []string{"train", "--data", orders, "--items", products, "--min-user", "2", "--min-item", "2", "--preset",
		"hybrid", "--auto=false", "--epochs", "8", "--batch", "50", "--negatives", "5", "--shared-negatives", "1",
		"--calibrate=false", "--dim", "6"}
	r := ok(t, append(args, "--out", in("without"))...)
	if !strings.Contains(r.out, "3 catalogue items have too few likes and are left out; --cold-items") {
		t.Errorf("the training does not say that three are left out:\n%s", r.out)
	}
	r = ok(t, append(args, "--out", in("trained"), "--cold-items")...)
	if !strings.Contains(r.out, "3 items added; skipped: 30 that the model has, 0 without") {
		t.Errorf("the training does not say that three were added:\n%s", r.out)
	}
	quietly := ok(t, append(args, "--out", in("trained"), "--cold-items", "--json")...).object(t)
	o := ok(t, "add-items", "--model", in("without"), "--items", products, "--out", in("with"), "--json").object(t)
	cold, _ := o["cold"].(map[string]any)
	if o["items"] != 33.0 || cold["added"] != 3.0 || cold["known"] != 30.0 {
		t.Errorf("%v", o)
	}
	if !reflect.DeepEqual(quietly["cold"], o["cold"]) || quietly["unlearned_items"] != 3.0 {
		t.Errorf("the training says %v, add-items %v", quietly["cold"], o["cold"])
	}
	if !bytes.Equal(read(t, in("with")), read(t, in("trained"))) {
		t.Error("train --cold-items and add-items make different files")
	}
	if r := ok(t, "recommend", "--model", in("with"), "--like", "id:p1", "--number", "32"); strings.Count(r.out,
		"new: not rated yet") != 3 {
		t.Errorf("it does not say of three that they are new:\n%s", r.out)
	}
	// In place, and a second time: nothing is left to add.
	ok(t, "add-items", "--model", in("with"), "--items", products, "--out", in("with"), "--workers", "1")
	if !bytes.Equal(read(t, in("with")), read(t, in("trained"))) {
		t.Error("the second time it is another file")
	}
	m, err := model.ReadFile(in("with"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 30; i < 33; i++ {
		if it := m.Catalogue.Items[i]; it.Count != 0 || it.ID != fmt.Sprint("p", i) {
			t.Errorf("item %d is %+v", i, it)
		}
	}
	places := map[string]int{}
	for k, s := range ask(t, "--model", in("with"), "--like", m.Catalogue.Items[0].Title, "--like",
		m.Catalogue.Items[2].Title, "--number", "31") {
		places[s.ID] = k
		if n := len(s.ID); s.New != (n == 3 && s.ID >= "p30") {
			t.Errorf("%s is new: %v", s.ID, s.New)
		}
	}
	if places["p30"] > places["p31"] || places["p32"] > places["p31"] {
		t.Errorf("the item that the others buy comes first: %v", places)
	}
}

// With --update, prices, stock and new columns of a real model's titles come from the file, and everything else is
// unchanged; so is everything without it.
func TestAddItemsUpdates(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	shipped := filepath.Join(repo, "assets/models/movielens.msgpack")
	was, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	write(t, in("items.csv"), "id;imdbId;price\n1;7;9.90\n3;"+was.Catalogue.Items[1].Values[0]+";\n")
	if first, second := was.Catalogue.Items[0].ID, was.Catalogue.Items[1].ID; first != "1" || second != "3" ||
		was.Catalogue.Columns[0] != "imdbId" {
		t.Fatalf("the model that ships begins with the items %s and %s and the columns %v", first, second,
			was.Catalogue.Columns)
	}
	args := []string{"add-items", "--model", shipped, "--items", in("items.csv"), "--out", in("new")}
	r := ok(t, args...)
	if !strings.Contains(r.out, "0 items added; skipped: 2 that the model has") || strings.Contains(r.out, "changed") ||
		!bytes.Equal(read(t, in("new")), read(t, shipped)) {
		t.Errorf("without --update the model is another:\n%s", r.out)
	}
	r = ok(t, append(args, "--update")...)
	if !strings.Contains(r.out, "2 of the model's items described, 1 of them changed: imdbId of 1, price of 1; new in the "+
		"model: price\n0 items added") || strings.Contains(r.out, "placed by") {
		t.Errorf("%s", r.out)
	}
	is, err := model.ReadFile(in("new"))
	if err != nil {
		t.Fatal(err)
	}
	if v := is.Catalogue.Items[0].Values; v[0] != "7" || v[len(v)-1] != "9.90" ||
		is.Catalogue.Items[0].Title != was.Catalogue.Items[0].Title {
		t.Errorf("the first item is %+v", is.Catalogue.Items[0])
	}
	is.Catalogue, is.Digest = was.Catalogue, was.Digest
	if !reflect.DeepEqual(is, was) {
		t.Error("more has changed than the titles' columns")
	}
	// A file of prices may name new items: they are added, without titles.
	write(t, in("items.csv"), "id,price\n1,8.90\nz,8.90\n3,8.90\n")
	o := ok(t, "add-items", "--model", in("new"), "--items", in("items.csv"), "--update", "--json")
	updated, _ := o.object(t)["updated"].(map[string]any)
	if updated["items"] != 2.0 || !strings.Contains(o.errors, "1 of the added items have no title") {
		t.Errorf("%v, %s", updated, o.errors)
	}
}

// Vectors are learned from if the catalogue also describes the model's items.
func TestAddItemsWithVectors(t *testing.T) {
	orders, products := shop(t)
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	ok(t, append([]string{"train", "--data", orders, "--items", products, "--min-user", "2", "--min-item", "2", "--out",
		in("model")}, quick...)...)
	npy := func(name string, rows, dim int) string {
		head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n", rows, dim)
		b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), 0)
		b = append(b, head...)
		for i := range rows * dim {
			b = binary.LittleEndian.AppendUint32(b, uint32(0x3f800000*(i%dim))) // 0, 1 or more
		}
		if err := os.WriteFile(in(name), b, 0o644); err != nil {
			t.Fatal(err)
		}
		return in(name)
	}
	r := ok(t, "add-items", "--model", in("model"), "--items", products, "--vectors", npy("v.npy", 33, 2))
	if !strings.Contains(r.out, "3 items added") || !strings.Contains(r.errors, "without --out nothing is written") {
		t.Errorf("%s%s", r.out, r.errors)
	}
	write(t, in("new.csv"), "id,title,colour\nx1,Thing Zz,red\nx2,Nothing Known,red\n")
	r = ok(t, "add-items", "--model", in("model"), "--items", in("new.csv"), "--out", in("new"))
	if !strings.Contains(r.errors, "the model has no column colour") {
		t.Errorf("nothing is said of the column: %s", r.errors)
	}
	write(t, in("no-ids.csv"), "colour,weight\nred,3\n")
	write(t, in("text"), "not a model")
	for says, args := range map[string][]string{
		"--model is missing":               {"--items", products},
		"--items is missing":               {"--model", in("model")},
		"no such model file":               {"--model", in("none"), "--items", products},
		"no column has a name":             {"--model", in("model"), "--items", in("no-ids.csv")},
		"12 vectors for 33 items":          {"--model", in("model"), "--items", products, "--vectors", npy("few.npy", 12, 2)},
		"not a .npy file":                  {"--model", in("model"), "--items", products, "--vectors", products},
		"no warm item has a non":           {"--model", in("model"), "--items", in("new.csv"), "--vectors", npy("new.npy", 2, 2)},
		"the file exists and is not a mod": {"--model", in("model"), "--items", products, "--out", in("text")},
		"must be 0 or more":                {"--model", in("model"), "--items", products, "--workers", "-1"},
	} {
		if r := command(append([]string{"add-items"}, args...)...); r.code == 0 || !strings.Contains(r.errors, says) {
			t.Errorf("%q: exit code %d, %s does not say %q", args, r.code, r.errors, says)
		}
	}
	if r := command("train", "--data", orders, "--cold-items"); r.code != cli.ExitUsage {
		t.Errorf("--cold-items without --out: exit code %d, %s", r.code, r.errors)
	}
}

// Without ratings the catalogue alone makes a model, and says so; flags of a training are refused.
func TestTrainWithoutRatings(t *testing.T) {
	_, products := shop(t)
	out := filepath.Join(t.TempDir(), "alone")
	r := ok(t, "train", "--items", products, "--cold-items", "--out", out, "--name", "Our shop")
	if !strings.Contains(r.out, "no ratings: a model of 33 items by their features alone") {
		t.Errorf("the report does not mention missing ratings:\n%s", r.out)
	}
	first := read(t, out)
	o := ok(t, "train", "--items", products, "--cold-items", "--out", out, "--name", "Our shop", "--json").object(t)
	if o["items"] != 33.0 || !bytes.Equal(first, read(t, out)) {
		t.Errorf("%v, or another file the second time", o)
	}
	for _, s := range ask(t, "--model", out, "--like", "id:p1", "--number", "3") {
		if !s.New || (s.ID[len(s.ID)-1]-'0')%2 != 1 {
			t.Errorf("by its features %s is similar to p1, new %v", s.ID, s.New)
		}
	}
	if r := ok(t, "inspect", out); !strings.Contains(r.out, "Our shop") {
		t.Errorf("%s", r.out)
	}
	for says, args := range map[string][]string{
		"--data is missing":     {},
		"--out is missing":      {"--items", products},
		"--epochs needs --data": {"--items", products, "--out", out, "--epochs", "3"},
		"--precision":           {"--items", products, "--out", out, "--precision", "half"},
		"describes no item":     {"--items", empty(t), "--out", out},
	} {
		if r := command(append([]string{"train", "--cold-items"}, args...)...); r.code == 0 ||
			!strings.Contains(r.errors, says) {
			t.Errorf("%q: exit code %d, %s does not say %q", args, r.code, r.errors, says)
		}
	}
}

// empty writes a catalogue without items.
func empty(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "empty.csv")
	write(t, path, "id,title\n")
	return path
}

// With --skip-bad-lines, a bad line of the catalogue ends neither a training with --cold-items, nor add-items, nor a
// model of items alone, nor a refresh; without it the error names the flag.
func TestABadLineOfTheCatalogueEndsNothing(t *testing.T) {
	orders, products := shop(t)
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	train := []string{"train", "--data", orders, "--items", products, "--min-user", "2", "--min-item", "2", "--epochs",
		"1", "--auto=false", "--batch", "50", "--negatives", "5", "--shared-negatives", "1", "--calibrate=false", "--dim",
		"6", "--cold-items", "--out"}
	ok(t, append(train, in("model"))...)
	write(t, products, string(read(t, products))+"p99,one,field,too,many\np40,Thing Zz,Odd Ltd,quiet\n")
	for _, args := range [][]string{
		append(train, in("trained")),
		{"train", "--items", products, "--cold-items", "--out", in("alone"), "--name", "Our shop"},
		{"add-items", "--model", in("model"), "--items", products, "--update", "--out", in("added")},
		{"train", "--refresh", "--from", in("model"), "--data", orders, "--items", products, "--min-user", "2", "--min-item", "2",
			"--cold-items", "--out", in("refreshed")},
	} {
		if r := command(args...); r.code == cli.ExitOK || !strings.Contains(r.errors, "(--skip-bad-lines)") ||
			!strings.Contains(r.errors, "products.csv, line 35") {
			t.Errorf("%v: exit code %d, %s", args[:3], r.code, r.errors)
		}
		ok(t, append(args, "--skip-bad-lines")...)
		m, err := model.ReadFile(args[slices.Index(args, "--out")+1])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(m.Catalogue.Items, func(it catalogue.Item) bool { return it.ID == "p40" }) {
			t.Errorf("%v: of %d items none is p40", args[:3], len(m.Catalogue.Items))
		}
	}
	vectors := in("v.npy")
	write(t, vectors, "")
	if r := command("add-items", "--model", in("model"), "--items", products, "--skip-bad-lines", "--vectors",
		vectors); r.code == cli.ExitOK || !strings.Contains(r.errors, "--vectors has one for each line") {
		t.Errorf("with vectors: exit code %d, %s", r.code, r.errors)
	}
}
