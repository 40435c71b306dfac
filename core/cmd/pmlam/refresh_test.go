package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// A shop with pmlam.toml trains once and refreshes: unchanged rows stay, new items are added, and items without buyers
// keep their places while they are in the catalogue.
func TestRefresh(t *testing.T) {
	orders, products := shop(t)
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, "pmlam.toml", `
[data]
ratings = "orders.csv"
items = "products.csv"
user-column = "customer"
item-column = "item"
min-user = 2
min-item = 2
[train]
model = "model.msgpack"
preset = "hybrid"
epochs = 8
cold-items = true
`)
	write(t, "orders.csv", string(read(t, orders)))
	write(t, "products.csv", string(read(t, products)))
	ok(t, "train", "--auto=false", "--batch", "50", "--negatives", "5", "--shared-negatives", "1", "--calibrate=false",
		"--dim", "6")
	before, err := model.ReadFile("model.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "orders.csv", string(read(t, orders))+"u0,fresh\nu2,fresh\nu4,fresh\nu0,p31\nu2,p31\nu1,p0\n")
	write(t, "products.csv", strings.NewReplacer("p32,", "p99,", "p30,", "p30,Another ").Replace(
		string(read(t, products)))+"fresh,Fresh,Even & Co,new\n")
	r := ok(t, "train", "--refresh")
	// p30 to p32 had no buyers: p31 has some now, p32 is gone, and p99 is new.
	for _, want := range []string{
		"refreshed model.msgpack: 1 items new, 1 retrained, 31 unchanged, 1 no longer in the data and left out",
		"1 items added; skipped: 33 that the model has", "wrote model.msgpack: 34 items",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("it does not say %q:\n%s", want, r.out)
		}
	}
	after, err := model.ReadFile("model.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	for i := range before.Items.Len() {
		id := before.Catalogue.Items[i].ID
		at := i
		if id == "p32" {
			continue
		}
		if after.Catalogue.Items[at].ID != id {
			t.Fatalf("item %d was %s and is %s", i, id, after.Catalogue.Items[at].ID)
		}
		if title := after.Catalogue.Items[at].Title; strings.HasPrefix(title, "Another ") != (id == "p30") {
			t.Errorf("the title of %s is %q", id, title)
		}
		if stays := slices.Equal(before.Items.Row(i), after.Items.Row(at)); stays != (id != "p31") {
			t.Errorf("the row of %s stays: %v", id, stays)
		}
	}
	// Rows that exceeded the limit come next: p0, which u1 has bought.
	o := ok(t, "train", "--refresh", "--from", "model.msgpack", "--out", "again.msgpack", "--json").object(t)
	if of, _ := o["refresh"].(map[string]any); of["kept"] != 33.0 || of["moved"] != 1.0 || o["items"] != 34.0 {
		t.Errorf("%v", o)
	}
	// Then nothing is left to do.
	ok(t, "train", "--refresh", "--from", "again.msgpack", "--out", "same.msgpack")
	if !bytes.Equal(read(t, "again.msgpack"), read(t, "same.msgpack")) {
		t.Error("without news another file was made")
	}
	for _, args := range [][]string{
		{"--epochs", "3"}, {"--measure"}, {"--with-users"}, {"--precision", "int8"}, {"--fold", "1"},
	} {
		if r := command(append([]string{"train", "--refresh"}, args...)...); r.code == 0 ||
			!strings.Contains(r.errors, args[0]) {
			t.Errorf("%v: code %d, %s", args, r.code, r.errors)
		}
	}
	if r := command("train", "--refresh", "--out", "none.msgpack"); r.code == 0 {
		t.Error("a model that is not there was refreshed")
	}
	if _, err := os.Stat(filepath.Join(folder, "none.msgpack")); err == nil {
		t.Error("and was written")
	}
}
