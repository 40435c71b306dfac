package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLinesThatAreNoRows: comments, lines above the table, repeated headers, other ends of lines and delimiters at the
// ends of rows do not change what is read.
func TestLinesThatAreNoRows(t *testing.T) {
	rows := []string{"u1,a,5,1500000000", "u1,b,4,1500000001", "u2,a,5,1500000002", "u3,c,5,1500000003"}
	want := []string{"u1 a", "u1 b", "u2 a", "u3 c"}
	head := "user_id,item_id,rating,timestamp"
	table := head + "\n" + strings.Join(rows, "\n") + "\n"
	numbered := Options{MinUser: -1, MinItem: -1, Columns: Columns{User: "1", Item: "2", Rating: "3", Time: "4"}}
	spaced := strings.ReplaceAll(strings.Join(rows, "\n")+"\n", ",", " ")
	tabs := strings.ReplaceAll(strings.Join(rows, "\n")+"\n", ",", "\t")
	psql := func(lines ...string) string {
		return strings.ReplaceAll(" "+strings.Join(lines, "\n ")+"\n", ",", " | ")
	}
	for _, c := range []struct {
		name, text string
		o          Options
		left       int // lines left out
	}{
		{"konect", "% bip unweighted\n% 3 3 4\n" + spaced, numbered, 2},
		{"matrix market", "%%MatrixMarket matrix coordinate real general\n%\n3 3 4\n" + spaced, numbered, 3},
		{"snap", "# Directed graph\n# Nodes: 3 Edges: 4\n# FromNodeId\tToNodeId\n" + tabs, numbered, 3},
		{"comment below", "# made by x\n" + head + "\n" + rows[0] + "\n# half\n" + strings.Join(rows[1:], "\n") + "\n",
			none, 2},
		{"commented header", "# made by x\n#user_id,item_id,rating,timestamp\n" + strings.Join(rows, "\n") + "\n", none, 1},
		{"commented header alone", "# user_id\titem_id\trating\ttimestamp\n" + tabs, none, 0},
		{"as many fields", "# exported by tool, on 2025-01-01, rows, 600\n" + table, none, 1},
		{"title and date", "Orders of the shop\nGenerated on 2025-01-01\n\n" + table, none, 2},
		{"padded by Excel", "Orders report,,,\n,,,\n" + table, none, 2},
		{"unknown names", "Orders\nof the year\nwho,what,mark,at\n" + strings.Join(rows, "\n") + "\n",
			Options{MinUser: -1, MinItem: -1, Columns: Columns{User: "who", Item: "what", Rating: "mark", Time: "at"}}, 2},
		{"sep and title", "sep=,\nOrders\n" + table, none, 1},
		{"again", table + table + table, none, 2},
		{"again at once", head + "\n" + table, none, 1},
		{"again with a mark", table + "\ufeff" + table, none, 1},
		{"again, quoted", table + `"user_id","item_id","rating","timestamp"` + "\n" + table, none, 2},
		{"without rating", "user_id,item_id\nu1,a\nu1,b\nuser_id,item_id\nu2,a\nu3,c\n", none, 1},
		{"cr", strings.ReplaceAll(table, "\n", "\r"), none, 0},
		{"cr, feed at the end", strings.ReplaceAll(strings.TrimSpace(table), "\n", "\r") + "\n", none, 0},
		{"crcrlf", strings.ReplaceAll(table, "\n", "\r\r\n"), none, 0},
		{"cr in part", head + "\r\n" + rows[0] + "\n" + strings.Join(rows[1:], "\r") + "\n", none, 0},
		{"cr in the header", head + "\r" + strings.Join(rows, "\n") + "\n", none, 0},
		{"cr and quotes", strings.ReplaceAll(strings.ReplaceAll(table, "u1,a", `u1,"a"`), "\n", "\r"), none, 0},
		{"delimiter in data", strings.ReplaceAll(table, "\nu", ",\nu"), none, 0},
		{"delimiters in data", strings.ReplaceAll(table, "00\n", "00,,,\n"), none, 0},
		{"delimiter in header", strings.ReplaceAll(table, head, head+","), none, 0},
		{"delimiter in all", strings.ReplaceAll(table, "\n", ",\n"), none, 0},
		{"semicolons", strings.ReplaceAll(strings.ReplaceAll(table, "\nu", ",\nu"), ",", ";"), none, 0},
		{"psql", psql(head, "---------+---------+--------+-----------", rows[0], rows[1], rows[2], rows[3]) +
			"(4 rows)\n", none, 2},
		{"sqlcmd", head + "\n-------,-------,------,-------\n" + strings.Join(rows, "\n") + "\n\n(4 rows affected)\n",
			none, 2},
		{"empty rows", table + ",,,\n,,,\n", none, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Contains(c.text, "u3 c") || strings.Contains(c.text, "u3\tc") {
				c.o.Delimiter = "" // blanks and tabs are recognised
			}
			d, err := Load(write(t, t.TempDir(), "r.csv", c.text), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := pairs(d, d.Positives); !slices.Equal(got, want) {
				t.Errorf("read %q", got)
			}
			if d.Read.NotRows != c.left || d.Read.Skipped != 0 {
				t.Errorf("%d lines left out, %d bad; want %d", d.Read.NotRows, d.Read.Skipped, c.left)
			}
			check(t, d)
		})
	}
}

// TestRowsThatLookLikeNone: rows are not mistaken for comments or for lines above the header.
func TestRowsThatLookLikeNone(t *testing.T) {
	for text, want := range map[string]string{
		"#cats,u1\n#dogs,u2\n":                                  "#cats u1,#dogs u2",
		"#cats,u1\ndogs,u2\n":                                   "#cats u1,dogs u2",
		"%a,u1\n%b,u2\nc,u3\n":                                  "%a u1,%b u2,c u3",
		"user,item\n#cats,u1\n# dogs,u2\n":                      "#cats u1,# dogs u2",
		"user,item\na,user\nb,item\n":                           "a user,b item",
		"user,item,comment\na,b,\"x\ny\"\nc,d,\"one\rtwo\"\n":   "a b,c d",
		"user,item,comment,,\na,b,,,\nc,d,1,2,3\n":              "a b,c d",
		"user,item\n---,a\n===,b\n":                             "--- a,=== b",
		"user,item,rating\n" + "a,b,5\nuser,item,5\nc,user,5\n": "a b,user item,c user",
	} {
		o := none
		if !strings.HasPrefix(text, "user") {
			o.Columns = Columns{User: "1", Item: "2"}
		}
		d, err := Load(write(t, t.TempDir(), "r.csv", text), o)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := strings.Join(pairs(d, d.Positives), ","); got != want || d.Read.NotRows != 0 {
			t.Errorf("%q is %q, %d left out", text, got, d.Read.NotRows)
		}
	}
}

// TestDelimiterAsked: a delimiter that is asked for holds in the formats that have one of their own.
func TestDelimiterAsked(t *testing.T) {
	for name, text := range map[string]string{
		"a.inter": "user_id:token item_id:token\nu a\nv b\n",
		"b.inter": "user_id:token,item_id:token\nu,a\nv,b\n",
		"c.csv":   "user;item\nu;a\nv;b\n",
	} {
		o := none
		if name == "c.csv" {
			o.Format, o.Delimiter = "csv", ";"
		}
		d, err := Load(write(t, t.TempDir(), name, text), o)
		if err != nil || fmt.Sprint(pairs(d, d.Positives)) != "[u a v b]" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzPreamble(f *testing.F) {
	seeds(f, nil, "% a\n% b c\n1 2 3\n", "%%MatrixMarket\n%\n3 3 4\n1 2 3\n", "Orders,,\n,,\nuser,item,rating\n1,2,3\n",
		"#user,item\n1,2\n", "user,item\r1,2\r3,4\n", "user,item\n1,2\r3,4\r\n", "a|b\n-+-\n1|2\n(1 row)\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzRead(t, b, "", Options{Columns: Columns{User: "1", Item: "2"}})
		fuzzRead(t, b, "", Options{})
	})
}

// TestPivots: in pivoted tables words for a missing value are empty cells.
func TestPivots(t *testing.T) {
	for _, text := range []string{
		"user_id,a,b,c\nu1,5.0,nan,3.0\nu2,NA,4.0,\nu3,nan,nan,2.0\n",
		",a,b,c\nu1,5,NaN,3\nu2,N/A,4,n/a\nu3,<NA>,None,2\n",
		"user\ta\tb\tc\nu1\t5\tnull\t3\nu2\t-\t4\t#N/A\nu3\t\t\\N\t2\n",
		"user;a;b;c\nu1;5,0;nan;3,0\nu2;NULL;4,0;NaN\nu3;nan;nan;2,0\n",
		"\"user\",\"a\",\"b\",\"c\"\n\"u1\",\"5\",\"nan\",\"3\"\n\"u2\",\"\",\"4\",\"nan\"\n\"u3\",\"nan\",\"\",\"2\"\n",
		"user,a,b,c\nu1,5,0,3\nu2,0,4,0\nu3,0,nan,2\n",
		"user,item,rating\nu1,a,5\nu1,b,nan\nu1,c,3\nu2,a,NA\nu2,b,4\nu2,c,None\nu3,c,2\n",
		"user,item,rating\nu1,a,5\nu1,b,NaN\nu1,c,3\nu2,a,<NA>\nu2,b,4\nu2,c,\nu3,a,undefined\nu3,c,2\n",
		"user item rating\nu1 a 5\nu1 b nan\nu1 c 3\nu2 b 4\nu3 c 2\n",
		`{"user":"u1","item":"a","rating":5}` + "\n" + `{"user":"u1","item":"b","rating":"NaN"}` + "\n" +
			`{"user":"u1","item":"c","rating":3}` + "\n" + `{"user":"u2","item":"b","rating":4}` + "\n" +
			`{"user":"u2","item":"a","rating":null}` + "\n" + `{"user":"u3","item":"c","rating":2}` + "\n",
	} {
		all := 1.0
		name := "r.csv"
		if text[0] == '{' {
			name = "r.jsonl"
		}
		d, err := Load(write(t, t.TempDir(), name, text), Options{MinUser: -1, MinItem: -1, MinRating: &all})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := strings.Join(pairs(d, d.Positives), ";"); got != "u1 a;u1 c;u2 b;u3 c" &&
			got != "u1 a;u1 b;u1 c;u2 b;u3 c" || strings.Count(got, ";") != 3 {
			t.Errorf("%q: %s", text, got)
		}
	}
}
