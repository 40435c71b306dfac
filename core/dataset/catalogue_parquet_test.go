package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// A catalogue in Parquet's format says what the same table says as a text, dates included.
func TestParquetCatalogue(t *testing.T) {
	type product struct {
		SKU        int64     `parquet:"sku"`
		Name       string    `parquet:"name"`
		Categories *string   `parquet:"categories,optional"`
		Price      float64   `parquet:"price"`
		Stock      int32     `parquet:"stock"`
		Released   time.Time `parquet:"released,timestamp(microsecond)"`
		Launched   int32     `parquet:"launched,date"`
		Sizes      []string  `parquet:"sizes"` // several values a row: left out
	}
	kitchen := "Kitchen|Metal"
	at := time.Date(1999, 12, 31, 23, 30, 0, 0, time.UTC)
	folder := t.TempDir()
	file := filepath.Join(folder, "items.parquet")
	if err := parquet.WriteFile(file, []product{
		{7, "Kettle", &kitchen, 46.9, 8, at, 10957, []string{"S", "L"}},
		{8, "Lamp\x1b[31m", nil, 20, 0, at.AddDate(5, 0, 0), 0, nil},
	}); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "items.csv")
	if err := os.WriteFile(text, []byte("sku,name,categories,price,stock,released,launched\n"+
		"7,Kettle,Kitchen|Metal,46.9,8,1999-12-31T23:30:00Z,2000-01-01\n"+
		"8,Lamp\x1b[31m,,20,0,2004-12-31T23:30:00Z,1970-01-01\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want, said, err := LoadCatalogue(text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want.Items[0].Year != 1999 {
		t.Errorf("the table as a text says %d", want.Items[0].Year)
	}
	for _, path := range []string{file, folder} {
		got, report, err := LoadCatalogue(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
		if report.Described != said.Described || report.Cleaned != said.Cleaned {
			t.Errorf("%s: %+v, want %+v", path, report, said)
		}
	}
}

// A column whose name cannot be kept is named by its number, in either format: no line can be skipped for it.
func TestColumnNameOfCatalogue(t *testing.T) {
	folder := t.TempDir()
	table := filepath.Join(folder, "items.parquet")
	type shade struct {
		ID     string `parquet:"id"`
		Title  string `parquet:"title"`
		Colour string `parquet:"colour"`
	}
	if err := parquet.WriteFile(table, []shade{{"a", "First", "red"}}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{
		"bytes.parquet": bytes.ReplaceAll(b, []byte("colour"), []byte("col\xffur")),
		"long.csv":      []byte("id,title," + strings.Repeat("c", maxTitle+1) + "\na,First,red\n"),
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, body, 0o644); err != nil {
			t.Fatal(err)
		}
		var file *FileError
		_, _, err := LoadCatalogue(path, Options{SkipBadLines: true})
		if !errors.As(err, &file) || !strings.HasPrefix(file.Reason, `column 3 is named "c`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Faulty catalogues in Parquet's format give different errors, and a damaged one does not panic.
func TestBadParquetCatalogue(t *testing.T) {
	file := filepath.Join(t.TempDir(), "items.parquet")
	type odd struct {
		Colour string `parquet:"colour"`
	}
	if err := parquet.WriteFile(file, []odd{{"red"}}); err != nil {
		t.Fatal(err)
	}
	var column *ColumnError
	if _, _, err := LoadCatalogue(file, Options{}); !errors.As(err, &column) || column.Role != "id" {
		t.Errorf("without ids: %v", err)
	}
	type nameless struct {
		ID    string `parquet:"id"`
		Title string `parquet:"title"`
	}
	if err := parquet.WriteFile(file, []nameless{{"a", "First"}, {"", "Second"}}); err != nil {
		t.Fatal(err)
	}
	var line *ParseError
	if _, _, err := LoadCatalogue(file, Options{}); !errors.As(err, &line) || line.Line != 2 {
		t.Errorf("an empty id: %v", err)
	}
	group := parquet.Group{}
	for i := range parquetColumns + 1 {
		group[fmt.Sprintf("id%03d", i)] = parquet.String()
	}
	var wide bytes.Buffer
	if err := parquet.NewWriter(&wide, parquet.NewSchema("items", group)).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".wide", wide.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var limit *LimitError
	if _, _, err := LoadCatalogue(file+".wide", Options{}); !errors.As(err, &limit) {
		t.Errorf("%d columns: %v", len(group), err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := 4; n < len(good); n++ { // cut off
		if err := os.WriteFile(file, good[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		var bad *FileError
		if _, _, err := LoadCatalogue(file, Options{}); !errors.As(err, &bad) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(good), err)
		}
	}
}

// What only a database can read is called so, whichever table it was meant as, and however it is packed.
func TestDatabasesAreNamed(t *testing.T) {
	duck := append([]byte("12345678DUCK"), bytes.Repeat([]byte{0}, 100)...)
	for name, b := range map[string][]byte{
		"shop.sqlite": []byte("SQLite format 3\x00\x10\x00"),
		"shop.duckdb": duck,
		"mysql.sql": []byte("-- MySQL dump 10.13\n--\n/*!40101 SET NAMES utf8mb4 */;\n\nDROP TABLE IF EXISTS `o`;\n" +
			"CREATE TABLE `o` (`user` int, `item` int);\nINSERT INTO `o` VALUES (1,2);\n"),
		"postgres.sql": []byte("--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\n" +
			"SELECT pg_catalog.set_config('search_path', '', false);\n"),
		"sqlite.sql": []byte("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE o (user, item);\n"),
		"rows.sql":   []byte("INSERT INTO orders (user, item) VALUES (1, 2);\n"),
		"copied.sql": []byte("COPY public.orders (user, item) FROM stdin;\n1\t2\n\\.\n"),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, asData := Load(path, Options{})
		_, _, asItems := LoadCatalogue(path, Options{})
		for _, err := range []error{asData, asItems} {
			if err == nil || !strings.Contains(err.Error(), "database") || !strings.Contains(err.Error(), "owners.md") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, text := range []string{"user,item\n1,2\n", "-- a list\n", "create,table\n1,2\n", "set;item\n1;2\n", "", "12"} {
		if isDump([]byte(text)) {
			t.Errorf("%q is held to be a dump", text)
		}
	}
}
