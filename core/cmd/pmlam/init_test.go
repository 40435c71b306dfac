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

// orders writes a small shop's files into a temporary folder and changes to it.
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

// After init, train needs no flags; the file has the settings, and flags override it.
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
	// With four orders per customer, the paper's minima would leave nobody.
	if p.Data.UserColumn != "customer" || p.Data.ItemColumn != "sku" || *p.Data.MinUser != 3 || *p.Data.MinItem != 3 ||
		p.Site.Pictures != "{picture}" || p.Site.PictureOrigins[0] != "https://pictures.example" ||
		len(p.Site.Links) != 1 || p.Site.Links[0].Address != "{url}" {
		t.Errorf("%s holds %+v", siteconfig.Name, p)
	}
	r = command("train", "--preset", "composed", "--epochs", "1", "--auto=false", "--calibrate=false", "--out", "mine.msgpack")
	if r.code != cli.ExitOK || !strings.Contains(r.errors, "using the settings of pmlam.toml") {
		t.Fatalf("%+v", r)
	}
	m, err := cli.OpenModel("mine.msgpack")
	if err != nil || m.Items.Len() != 20 {
		t.Fatalf("the model has %v items: %v", m, err)
	}
	if _, err := os.Stat("model.msgpack"); err == nil {
		t.Error("--out did not override the file")
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

// The same files as Parquet, one by one and as a folder, give the same model.
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

// Unknown columns are asked for on a terminal; elsewhere the error names the flag, and nothing is written.
func TestInitAsks(t *testing.T) {
	orders(t, "aaa;bbb;ccc")
	if r := command("init", "orders.csv", "products.csv"); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "--user-column") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(siteconfig.Name); err == nil {
		t.Fatal("a project file was written from unknown columns")
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

// Values survive TOML unchanged.
func TestQuoted(t *testing.T) {
	for _, name := range []string{`a "b"`, `c\d`, "e\u2028f", "ü <&>", "tab\there"} {
		p, err := siteconfig.Parse([]byte("[data]\nname = " + quoted(name) + "\n"))
		if err != nil || p.Data.DataName != name {
			t.Errorf("%q came back as %+v, %v", name, p, err)
		}
	}
}

// If no described item is left by the minima, smaller ones are used.
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

// A catalogue alone makes a site by content; what cannot be one is asked about as before.
func TestInitOfACatalogueAlone(t *testing.T) {
	line := func(of string) (text string) {
		for i := range 30 {
			of := strings.ReplaceAll(of, "TAG", []string{"bread|rye", "bread|oat", "rye|oat"}[i%3])
			text += fmt.Sprintf(strings.ReplaceAll(of, "%", "%[1]d"), i) + "\n"
		}
		return text
	}
	for name, c := range map[string]struct {
		text string
		want string // in pmlam.toml; "" where the file is refused
	}{
		"url":        {"url,title,tags,image\n" + line("https://www.a.example/p/%/,Page %,TAG,/i/%.jpg"), `links = [{ name = "a", address = "{id}" }]`},
		"page":       {"page,title,tags\n" + line("/p/%/,Page %,TAG"), "cold-items = true"},
		"link":       {"link;titel;kategorie\n" + line("https://a.example/%;Seite %;TAG"), "cold-items = true"},
		"sku":        {"sku,name,tags,picture\n" + line("S%,Thing %,TAG,https://CDN.A.example/%.jpg?v=17"), `picture-origins = ["https://cdn.a.example"]`},
		"no ends":    {"sku,name,tags,image,more\n" + line("S%,Thing %,TAG,https://img.example/f/%?w=200,https://a.example/%"), `pictures = "{image}"`},
		"two images": {"sku,name,tags,image,image2\n" + line("S%,Thing %,TAG,https://img.example/%.jpg,https://img.example/b%"), "# links ="},
		"Shopify":    {"Handle,Title,Vendor,Tags,Variant SKU,Variant Price,Image Src,Status\n" + line("h%,Thing %,Fern,TAG,S%,12.00,https://cdn.example/%.jpg?v=17,active\nh%,,,,,,https://cdn.example/%b.jpg,"), `pictures = "{Image Src}"`},
		"ratings":    {"user,item,rating\n" + line("u%,i%,4"), ""},
		"unknown":    {"a,b,c\n" + line("x%,y%,4"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "a.csv", c.text)
			r := command("init", "a.csv")
			project, _ := os.ReadFile(siteconfig.Name)
			alone := strings.Contains(string(project), "cold-items = true")
			if alone != (c.want != "") || !strings.Contains(string(project), c.want) {
				t.Fatalf("%+v\n%s", r, project)
			}
			if !alone {
				return
			}
			if r := command("train"); r.code != cli.ExitOK {
				t.Fatalf("%+v", r)
			}
			if m, err := cli.OpenModel("model.msgpack"); err != nil || m.Items.Len() != 30 {
				t.Errorf("the model has %v items: %v", m, err)
			}
		})
	}
}

// What nearly everybody has is pointed out, and left out of the lists where it is a service.
func TestInitPointsOutServices(t *testing.T) {
	for title, want := range map[string]string{
		"Shipping protection": "\nexcluded = [\"X\"]", "Versandversicherung": "\nexcluded = [\"X\"]", "Geschenkverpackung": "\nexcluded = [\"X\"]",
		"Gift wrap": "\nexcluded = [\"X\"]", "Flaschenpfand": "\nexcluded = [\"X\"]", "Carbon neutral delivery": "\nexcluded = [\"X\"]",
		"Trinkgeld": "\nexcluded = [\"X\"]", "Spende": "\nexcluded = [\"X\"]", "Assurance & garantie": "\nexcluded = [\"X\"]",
		"Blue mug": "\n# excluded = [\"X\"]",
	} {
		t.Chdir(t.TempDir())
		log, items := "customer,sku\n", "sku,name\nX,"+title+"\n"
		for u := range 60 {
			log += fmt.Sprintf("c%d,X\n", u)
			for i := range 3 {
				log += fmt.Sprintf("c%d,p%d\n", u, (u+7*i)%30)
			}
		}
		for i := range 30 {
			items += fmt.Sprintf("p%d,Thing %d\n", i, i)
		}
		write(t, "orders.csv", log)
		write(t, "products.csv", items)
		r := command("init", "orders.csv", "products.csv")
		project, _ := os.ReadFile(siteconfig.Name)
		if !strings.Contains(string(project), want) || !strings.Contains(r.out, "100% of the users have") {
			t.Errorf("%s: %+v\n%s", title, r, project)
		}
	}
}
