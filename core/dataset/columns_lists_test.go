package dataset

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestListsInCells: a cell with several items is refused in any notation; ids that look like one are not.
func TestListsInCells(t *testing.T) {
	lists := [][]string{{"504", "502", "520", "523"}, {"503", "509"}, {"502", "504", "503"}, {"520", "523", "509", "502", "503"}}
	named := [][]string{{"B0X", "B0Y", "C1"}, {"B0X", "C1"}, {"B0Y", "C1", "B0X"}, {"D2", "B0X", "C1", "B0Y"}}
	format := func(of [][]string, before, sep, after string) string {
		text := "user_id,items\n"
		for i, l := range of {
			text += fmt.Sprintf("u%d,\"%s\"\n", i, strings.ReplaceAll(before+strings.Join(l, sep)+after, `"`, `""`))
		}
		return text
	}
	for name, text := range map[string]string{
		"python": format(lists, "[", ", ", "]"), "json": format(named, `["`, `", "`, `"]`), "quotes": format(named, "['", "', '", "']"),
		"postgres": format(lists, "{", ",", "}"), "tuple": format(lists, "(", ", ", ")"), "numpy": format(lists, "[", " ", "]"),
		"bars": format(lists, "", "|", ""), "bars, codes": format(named, "", "|", ""), "semicolons": format(lists, "", ";", ""),
		"commas": format(lists, "", ",", ""), "commas and blanks": format(lists, "", ", ", ""), "commas, codes": format(named, "", ",", ""),
		"blanks": format(lists, "", " ", ""), "blanks, codes": format(named, "", " ", ""),
		"long":   format([][]string{strings.Split(strings.Repeat("1234567,", 40)+"1", ","), lists[0], lists[1]}, "[", ", ", "]"),
		"number": "user,item\na,\"1,2,3\"\nb,\"2,3,4,5\"\n",
	} {
		var e *FormatError
		if _, err := Load(write(t, t.TempDir(), "a.csv", text), none); !errors.As(err, &e) ||
			!strings.Contains(err.Error(), "several items in a cell") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	for name, items := range map[string][]string{
		"titles":        {"The Good, the Bad and the Ugly", "Tinker, Tailor, Soldier, Spy", "Heat", "Bye Bye, Love"},
		"brackets":      {"[REC]", "(500) Days of Summer", "[REC]²", "{proof}"},
		"composite":     {"2023|s1|a", "2023|s1|b", "2023|s2|c", "2024|s1|d"},
		"pairs":         {"1;2", "3;4", "5;6", "7;8"},
		"numbers":       {"1", "2", "3", "4"},
		"names":         {"Smith, John", "Roe, Jane", "Doe, Ann, Dr", "Poe, Al"},
		"dates":         {"2021 12 31", "2021 12 30", "2021 12 29", "2021 12 28"},
		"decimal comma": {"1,5", "2,5", "3,5", "4,5"},
		"one":           {"a,b,c,d", "b", "c", "d"},
		"products":      {"Lamp 60 W", "Lamp 40 W E27", "Lamp 25 W", "Lamp E14 40 W warm"},
	} {
		text := "user;item\n"
		if name == "pairs" {
			text = "user,item\n"
		}
		for i, item := range items {
			text += fmt.Sprintf("u%d%c%s\n", i, text[4], item)
		}
		d, err := Load(write(t, t.TempDir(), "a.csv", text), none)
		if err != nil || d.Items.Len() != 4 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTitlesOfItems: a column called title is one only if it says the same in all lines of an item.
func TestTitlesOfItems(t *testing.T) {
	reviews := []string{"Great", "Meh", "Returned it", "Love it", "Five stars", "Nope", "OK", "Good", "Bad", "So so", "Fine"}
	rows := func(n, items int, format string, title func(i, item int) string) string {
		text := ""
		for i := range n {
			text += strings.NewReplacer("USER", fmt.Sprint("u", i/3), "ITEM", fmt.Sprint("i", i%items), "TITLE",
				title(i, i%items)).Replace(format) + "\n"
		}
		return text
	}
	ofItem := func(_, item int) string { return fmt.Sprint("Lamp no ", item) }
	ofReview := func(i, _ int) string { return reviews[i%len(reviews)] }
	ofPerson := func(i, _ int) string { return []string{"Mr", "Ms", "Dr"}[i/3%3] }
	for _, c := range []struct {
		name, file, text string
		o                Options
		title            string // of the first item
		dropped          string
	}{
		{"titles", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", ofItem), none, "Lamp no 0", ""},
		{"reviews", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", ofReview), none, "i0", "title"},
		{"reviews in JSON", "a.jsonl", rows(60, 10, `{"user":"USER","item":"ITEM","title":"TITLE"}`, ofReview), none, "i0", "title"},
		{"salutations", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", ofPerson), none, "i0", "title"},
		{"salutations, items once", "a.csv", "customer_id,title,product_id\n" + rows(60, 60, "USER,TITLE,ITEM", ofPerson), none,
			"i0", "title"},
		{"German reviews", "a.csv", "Kunde;Artikel;Titel\n" + rows(60, 10, "USER;ITEM;TITLE", ofReview), none, "i0", "Titel"},
		{"reviews and titles", "a.csv", "user,item,title,product_title\n" +
			rows(60, 10, "USER,ITEM,TITLE,PRODUCT", ofReview), none, "i0", "title"},
		{"reviews and titles that agree", "a.csv", "user,item,title,product_title\n" + func() string {
			text := ""
			for i := range 60 {
				text += fmt.Sprintf("u%d,i%d,%s,Lamp no %d\n", i/3, i%10, reviews[i%len(reviews)], i%10)
			}
			return text
		}(), none, "Lamp no 0", ""},
		{"asked for", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", ofReview),
			columns(Columns{Title: "title"}), "Great", ""},
		{"none asked for", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", ofItem),
			columns(Columns{Title: "-"}), "i0", ""},
		{"a renamed item", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", func(i, item int) string {
			if i < 10 && item == 3 {
				return "Old name"
			}
			return ofItem(i, item)
		}), none, "Lamp no 0", ""},
		{"some titles are missing", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE", func(i, item int) string {
			if i%4 == 0 {
				return []string{"", "nan", "N/A"}[i%3]
			}
			return ofItem(i, item)
		}), none, "Lamp no 0", ""},
		{"differ below the first rows only", "a.csv", "user,item,title\n" +
			rows(2000, 600, "USER,ITEM,TITLE", func(i, item int) string { return fmt.Sprint("Review ", i) }), none, "i0", "title"},
		{"HTML", "a.csv", "user,item,title\n" + rows(60, 10, "USER,ITEM,TITLE &amp; <b>more</b>", ofItem), none,
			"Lamp no 0 & more", ""},
	} {
		d, err := Load(write(t, t.TempDir(), c.file, c.text), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := d.Catalogue.Items[0].Title; got != c.title || d.Read.DroppedTitle != c.dropped {
			t.Errorf("%s: %q, dropped %q", c.name, got, d.Read.DroppedTitle)
		}
		for _, column := range d.Read.Readings[0].Columns {
			if column.Role == "title" && c.dropped != "" {
				t.Errorf("%s: %s is reported as the title", c.name, column.Name)
			}
		}
	}
}
