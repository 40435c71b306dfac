package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// orders writes a small shop's files into a folder of the test, in which it goes on.
func orders(t *testing.T, header string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var log strings.Builder
	log.WriteString(header + "\n")
	for u := range 40 {
		for i := range 4 {
			fmt.Fprintf(&log, "c%d;p%d;2026-03-%02d\n", u, (u%4)*5+(u/4+i)%5, 1+i)
		}
	}
	items := "sku;name;picture;url\n"
	for i := range 20 {
		items += fmt.Sprintf("p%d;Thing %d;https://pictures.example/%d.jpg;https://shop.example/p/%d\n", i, i, i, i)
	}
	write(t, "orders.csv", log.String())
	write(t, "products.csv", items)
}

// After init, train needs no flags; what was understood stands in the file, and flags go before it.
func TestInitThenTrain(t *testing.T) {
	orders(t, "customer;sku;ordered")
	r := command("init", "orders.csv", "products.csv")
	if r.code != cli.ExitOK || !strings.Contains(r.out, "customer  user") || !strings.Contains(r.out, "Next: pmlam train") {
		t.Fatalf("%+v", r)
	}
	p, err := siteconfig.Read(siteconfig.Name)
	if err != nil {
		t.Fatal(err)
	}
	// Four orders a customer: minima of the paper would leave nobody.
	if p.Data.UserColumn != "customer" || p.Data.ItemColumn != "sku" || *p.Data.MinUser != 3 || *p.Data.MinItem != 2 ||
		p.Site.Pictures != "{picture}" || p.Site.PictureOrigins[0] != "https://pictures.example" ||
		len(p.Site.Links) != 1 || p.Site.Links[0].Address != "{url}" {
		t.Errorf("%s holds %+v", siteconfig.Name, p)
	}
	r = command("train", "--preset", "composed", "--epochs", "1", "--auto=false", "--calibrate=false", "--out", "mine.msgpack")
	if r.code != cli.ExitOK || !strings.Contains(r.errors, "is read from pmlam.toml") {
		t.Fatalf("%+v", r)
	}
	m, err := cli.OpenModel("mine.msgpack")
	if err != nil || m.Items.Len() != 20 {
		t.Fatalf("the model has %v items: %v", m, err)
	}
	if _, err := os.Stat("model.msgpack"); err == nil {
		t.Error("--out did not go before the file")
	}
	if r := command("init", "orders.csv"); r.code != cli.ExitFailed || !strings.Contains(r.errors, "--replace") {
		t.Errorf("a project file was overwritten: %+v", r)
	}
	if r := command("init", "orders.csv", "--replace"); r.code != cli.ExitOK {
		t.Errorf("%+v", r)
	}
	write(t, siteconfig.Name, "[data]\nratngs = \"orders.csv\"\n")
	r = command("train")
	if want := `pmlam.toml:2: unknown key "ratngs"; did you mean "ratings"?`; r.code == cli.ExitOK ||
		!strings.Contains(r.errors, want) {
		t.Errorf("%+v, want %q", r, want)
	}
	write(t, siteconfig.Name, "[data]\nratings = \"orders.csv\"\nformat = \"nonsense\"\n")
	if r = command("train"); r.code != cli.ExitUsage || !strings.Contains(r.errors, "--format") {
		t.Errorf("%+v", r)
	}
}

// The same files in Parquet's format, one by one and as a folder, give the same model.
func TestInitFromParquet(t *testing.T) {
	orders(t, "customer;sku;ordered")
	type order struct {
		Customer string `parquet:"customer"`
		SKU      string `parquet:"sku"`
		Ordered  int32  `parquet:"ordered,date"`
	}
	type product struct {
		SKU     string `parquet:"sku"`
		Name    string `parquet:"name"`
		Picture string `parquet:"picture"`
		URL     string `parquet:"url"`
	}
	var log []order
	for _, line := range fieldsOf(t, "orders.csv") {
		at, err := time.Parse(time.DateOnly, line[2])
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, order{line[0], line[1], int32(at.Unix() / 86_400)})
	}
	var items []product
	for _, line := range fieldsOf(t, "products.csv") {
		items = append(items, product{line[0], line[1], line[2], line[3]})
	}
	if err := os.Mkdir("orders", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile("orders/orders.parquet", log); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile("orders/products.parquet", items); err != nil {
		t.Fatal(err)
	}
	var models [][]byte
	for _, files := range [][]string{{"orders.csv", "products.csv"},
		{"orders/orders.parquet", "orders/products.parquet"}, {"orders"}} {
		ok(t, append([]string{"init", "--replace"}, files...)...)
		ok(t, "train", "--preset", "composed", "--epochs", "1", "--auto=false", "--calibrate=false", "--out", "m.msgpack")
		b, err := os.ReadFile("m.msgpack")
		if err != nil {
			t.Fatal(err)
		}
		if models = append(models, b); !bytes.Equal(b, models[0]) {
			t.Errorf("%q give another model than the tables as texts", files)
		}
	}
	m, err := cli.OpenModel("m.msgpack")
	if err != nil || m.Items.Len() != 20 || m.Catalogue.Items[0].Title != "Thing 0" {
		t.Errorf("%+v, %v", m, err)
	}
}

// fieldsOf returns the fields of a table's lines below its header.
func fieldsOf(t *testing.T, name string) (fields [][]string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		fields = append(fields, strings.Split(line, ";"))
	}
	return fields
}

// What cannot be told is asked at a terminal; elsewhere the flag is named, and nothing is written.
func TestInitAsks(t *testing.T) {
	orders(t, "aaa;bbb;ccc")
	if r := command("init", "orders.csv", "products.csv"); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "--user-column") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(siteconfig.Name); err == nil {
		t.Fatal("a project file was written of what is not known")
	}
	var said bytes.Buffer
	a := &cli.App{Out: &said, Err: &said, In: strings.NewReader("aaa\nbbb\n")}
	c := initCommand(a)
	c.SetArgs([]string{"orders.csv", "products.csv"})
	if err := c.ExecuteContext(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	p, err := siteconfig.Read(siteconfig.Name)
	if err != nil || p.Data.UserColumn != "aaa" || p.Data.ItemColumn != "bbb" {
		t.Errorf("the answers were not kept: %+v, %v", p, err)
	}
}

// Values that TOML has a notation for come back as they were.
func TestQuoted(t *testing.T) {
	for _, name := range []string{`a "b"`, `c\d`, "e\u2028f", "ü <&>", "tab\there"} {
		p, err := siteconfig.Parse([]byte("[data]\nname = " + quoted(name) + "\n"))
		if err != nil || p.Data.DataName != name {
			t.Errorf("%q came back as %+v, %v", name, p, err)
		}
	}
}

// Where minima leave nothing that the catalogue describes, smaller ones are taken.
func TestInitOfFew(t *testing.T) {
	t.Chdir(t.TempDir())
	log := "user,page\n"
	for u := range 12 {
		log += fmt.Sprintf("u%d,/about/\nu%[1]d,/tags/\nu%[1]d,/p%[1]d/\n", u)
	}
	items := "where,title\n"
	for i := range 12 {
		items += fmt.Sprintf("/p%d/,Page %d\n", i, i)
	}
	write(t, "views.csv", log)
	write(t, "pages.csv", items)
	ok(t, "init", "views.csv", "pages.csv", "--item-column", "page")
	if p, err := siteconfig.Read(siteconfig.Name); err != nil || *p.Data.MinItem != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}
