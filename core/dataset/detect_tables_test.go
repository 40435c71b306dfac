package dataset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type shardRow struct {
	User string `parquet:"user"`
	Item int64  `parquet:"item"`
}

// shard writes a Parquet file.
func shard(t *testing.T, rows ...shardRow) string {
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSeveralTables: folders and archives of tables with the same columns are one table; others are refused with their
// names, or left out where they have no users and items.
func TestSeveralTables(t *testing.T) {
	const head = "user,item\n"
	one, two, three := shard(t, shardRow{"u1", 1}, shardRow{"u2", 2}), shard(t, shardRow{"u3", 3}), shard(t)
	for _, c := range []struct {
		name  string
		files []string // name, text, …
		o     Options
		want  string // pairs
		users string // in their order; "": not looked at
		says  string // of the error
	}{
		{"exports", []string{"jan.csv", head + "u1,1\n", "feb.csv", head + "u2,2\n"}, none, "u2 2;u1 1", "u2 u1", ""},
		{"numbered exports", []string{"orders_export_10.csv", head + "u3,3\n", "orders_export_2.csv", head + "u2,2\n",
			"orders_export_1.csv", head + "u1,1\n"}, none, "u1 1;u2 2;u3 3", "u1 u2 u3", ""},
		{"spark", []string{"_SUCCESS", "", "._SUCCESS.crc", "x", ".part-00000-abc.snappy.parquet.crc", "x",
			"part-00000-abc.snappy.parquet", one, "part-00001-abc.snappy.parquet", two}, none, "u1 1;u2 2;u3 3", "", ""},
		{"spark without rows", []string{"part-00000.parquet", three, "part-00001.parquet", one, "part-00002.parquet", three,
			"part-00003.parquet", two}, none, "u1 1;u2 2;u3 3", "", ""},
		{"spark csv", []string{"_SUCCESS", "", "part-00000.csv", head + "u1,1\n", "part-00001.csv", "", "part-00002.csv",
			head}, none, "u1 1", "", ""},
		{"spark text", []string{"_SUCCESS", "", "part-00000", "u1,1\n", "part-00001", "u2,2\n"},
			columns(Columns{User: "1", Item: "2"}), "u1 1;u2 2", "", ""},
		{"hive text", []string{"000000_0", "u1,1\n", "000001_0", "u2,2\n"}, columns(Columns{User: "1", Item: "2"}),
			"u1 1;u2 2", "", ""},
		{"bigquery", []string{"events-000000000000.csv.gz", string(packers["gzip"]([]byte(head + "u1,1\n"))),
			"events-000000000001.csv.gz", string(packers["gzip"]([]byte(head + "u2,2\n")))}, none, "u1 1;u2 2", "", ""},
		{"json lines", []string{"a.jsonl", `{"user":"u1","item":"1"}`, "b.jsonl", `{"item":"2","user":"u2","x":3}`},
			none, "u1 1;u2 2", "", ""},
		{"hive", []string{"year=2020/part-0.parquet", one, "year=2021/part-0.parquet", two}, none, "u1 1;u2 2;u3 3", "", ""},
		{"hive of one folder", []string{"user=u9/a.csv", "item\n1\n2\n"}, none, "u9 1;u9 2", "", ""},
		{"hive, the user is a folder", []string{"user=u1/a.csv", "item,x\n1,7\n", "user=u2/a.csv", "item,x\n2,8\n"}, none,
			"u1 1;u2 2", "", ""},
		{"hive, deep", []string{"user=u1/item=1/0.json", `{"x":"a"}` + "\n", "user=u1/item=2/0.json", `{"x":"b"}` + "\n"},
			none, "u1 1;u1 2", "", ""},
		{"hive, escaped", []string{"user=a%20b/a.csv", "item\n1\n", "user=__HIVE_DEFAULT_PARTITION__/a.csv", "item\n2\n"},
			Options{MinUser: -1, MinItem: -1, SkipBadLines: true}, "a b 1", "", ""},
		{"hive, the file has the column", []string{"user=u7/a.csv", head + "u1,1\n", "user=u8/a.csv", head + "u2,2\n"},
			none, "u1 1;u2 2", "", ""},
		{"hive without headers", []string{"user=u1/a.csv", "1,5\n", "user=u2/a.csv", "2,6\n"},
			columns(Columns{User: "user", Item: "1", Rating: "-"}), "u1 1;u2 2", "", ""},
		{"folders of years", []string{"2020/a.csv", head + "u1,1\n", "2021/a.csv", head + "u2,2\n"}, none, "u1 1;u2 2",
			"", ""},
		{"folder named by Spark", []string{"ratings.csv/part-0.csv", head + "u1,1\n", "ratings.csv/part-1.csv",
			head + "u2,2\n"}, none, "u1 1;u2 2", "", ""},
		{"a further column in one", []string{"a.csv", head + "u1,1\n", "b.csv", "user,coupon,item\nu2,x,2\n"}, none,
			"u1 1;u2 2", "", ""},
		{"others without users", []string{"a.csv", head + "u1,1\n", "b.csv", head + "u2,2\n", "countries.csv",
			"code,name\nde,Germany\n", "notes.txt", "some words on this\nand more\n", "meta.json", "{\n}"}, none,
			"u1 1;u2 2", "", ""},
		{"two kinds", []string{"buys.csv", head + "u1,1\n", "stars.csv", "user,item,rating\nu2,2,5\n"}, none, "", "",
			"holds tables whose columns differ: buys.csv (user, item); stars.csv (user, item, rating)"},
		{"other names", []string{"a.csv", "user,item\nu1,1\n", "b.csv", "customer,sku\nu2,2\n"}, none, "", "",
			"a.csv (user, item); b.csv (customer, sku)"},
		{"other tables only", []string{"a.csv", "x,y\nde,1\n", "b.csv", "z,w\nfr,2\n"}, none, "", "", "columns differ"},
		{"unknown names", []string{"a.csv", "who,what\nu1,1\n", "b.csv", "who,what\nu2,2\n"}, none, "", "",
			"no column has a name known for the user"},
		{"unknown names, asked", []string{"a.csv", "who,what\nu1,1\n", "b.csv", "who,what\nu2,2\n"},
			columns(Columns{User: "who", Item: "what"}), "u1 1;u2 2", "", ""},
		{"delta", []string{"_delta_log/0.json", "{}", "part-0.parquet", one, "part-1.parquet", two}, none, "", "",
			"a table of Delta Lake"},
		{"catalogue of another name", []string{"jan.csv", head + "u1,1\n", "feb.csv", head + "u2,2\n", "katalog.csv",
			"id,title\n1,A\n2,B\n"}, none, "u2 2;u1 1", "", ""},
		{"named as a catalogue", []string{"games.csv", head + "u1,1\n"}, none, "u1 1", "", ""},
		{"all empty", []string{"a.csv", "", "b.csv", ""}, none, "", "", "empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			for i := 0; i < len(c.files); i += 2 {
				path := filepath.Join(folder, "data", filepath.FromSlash(c.files[i]))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Dir(path), filepath.Base(path), c.files[i+1])
			}
			for _, path := range []string{filepath.Join(folder, "data"),
				write(t, folder, "x.zip", string(zippedFiles(c.files...))),
				write(t, folder, "x.tgz", string(packers["gzip"](tarred(c.files...))))} {
				d, err := Load(path, c.o)
				if c.says != "" {
					var format *FormatError
					if err == nil || !strings.Contains(err.Error(), c.says) ||
						strings.Contains(c.says, "differ") && !errors.As(err, &format) {
						t.Errorf("%s: %v; want %q", filepath.Base(path), err, c.says)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", filepath.Base(path), err)
					continue
				}
				if got := strings.Join(pairs(d, d.Positives), ";"); got != c.want ||
					c.users != "" && strings.Join(d.Users.Strings(), " ") != c.users {
					t.Errorf("%s: %s", filepath.Base(path), got)
				}
			}
		})
	}
	// The first table with rows decides on the columns; the folder's dates are times.
	folder := t.TempDir()
	for name, text := range map[string]string{"date=2021-03-04": "1\n", "date=2021-03-05": "2\n"} {
		os.MkdirAll(filepath.Join(folder, name), 0o700)
		write(t, filepath.Join(folder, name), "a.csv", "user,item\nu,"+text)
	}
	d, err := Load(folder, timed)
	if err != nil || len(d.Times) != 2 || d.Times[1]-d.Times[0] != 86400 {
		t.Fatal(d, err)
	}
	files, err := Files(folder, timed)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for i := range files {
		var lines []Line
		_, err := Scan(folder, i, timed, Scanner{Line: func(l Line) error { lines = append(lines, l); return nil }})
		if err != nil || len(lines) != 1 || lines[0].Time != d.Times[i] {
			t.Errorf("%v, %v", lines, err)
		}
	}
	if _, err := Load(filepath.Join("testdata/files", "with-items.zip"), none); err != nil {
		t.Error(err)
	}
}

func TestNaturalOrder(t *testing.T) {
	for _, pair := range [][2]string{{"part-2", "part-10"}, {"a", "b"}, {"a1b2", "a1b10"}, {"a", "a1"}, {"1", "01a"},
		{"x9", "x09y"}, {"part-00001", "part-00002"}, {"01", "1"}} {
		if naturalOrder(pair[0], pair[1]) >= 0 || naturalOrder(pair[1], pair[0]) <= 0 {
			t.Errorf("%q should come before %q", pair[0], pair[1])
		}
	}
}
