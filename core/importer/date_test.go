package importer

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	at := func(s string) uint32 {
		x, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return uint32(x.Unix())
	}
	for _, c := range []struct {
		in       string
		dayFirst bool
		want     string
	}{
		{"2023-01-04", false, "2023-01-04 00:00:00"}, {" 2019/05/01 ", true, "2019-05-01 00:00:00"},
		{"2019-05-01T20:15:30.000Z", false, "2019-05-01 20:15:30"}, {"2019-05-01 20:15", false, "2019-05-01 20:15:00"},
		{"964982703", false, "2000-07-30 18:45:03"}, {"1556741730", true, "2019-05-01 20:15:30"},
		{"1556741730123", true, "2019-05-01 20:15:30"}, {"43586", false, "2019-05-01 00:00:00"},
		{"20190501", false, "2019-05-01 00:00:00"}, {"5/1/19", false, "2019-05-01 00:00:00"},
		{"5/1/19", true, "2019-01-05 00:00:00"}, {"13/1/19", false, "2019-01-13 00:00:00"},
		{"1/13/19", true, "2019-01-13 00:00:00"}, {"01.05.2019", true, "2019-05-01 00:00:00"},
		{"01 May 2019, 20:15", false, "2019-05-01 20:15:00"}, {"May 1, 2019", true, "2019-05-01 00:00:00"},
		{"Wed, 1 May 2019", false, "2019-05-01 00:00:00"},
	} {
		if got := moment(c.in, c.dayFirst); got != at(c.want) {
			t.Errorf("%q is %s, want %s", c.in, time.Unix(int64(got), 0).UTC(), c.want)
		}
	}
	for _, s := range []string{"", "x", "2019", "1979", "8.5", "4/5", "31.02.2019", "2019-13-01", "1963-05-01",
		"0000-00-00", "9999-01-01", "99999999999999999999", "Maybe", "tt0078748"} {
		if got := moment(s, false); got != 0 {
			t.Errorf("%q is %s, want no date", s, time.Unix(int64(got), 0).UTC())
		}
	}
}

// Each export's date of watching is kept; a date of rating or adding replaces it only if there is none.
func TestDates(t *testing.T) {
	day := func(s string) string { return s + " 00:00:00" }
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"diary.csv", "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n2023-01-05,Alien,1979,u,2,,,2023-01-04\n" +
			"2023-02-05,Alien,1979,u,4,Yes,,2023-02-01\n", []string{day("2023-02-01")}},
		{"ratings.csv", "Date,Name,Year,Letterboxd URI,Rating\n2023-01-04,Toy Story,1995,u,5\n", []string{day("2023-01-04")}},
		{"imdb.csv", "Const,Your Rating,Date Rated,Title\ntt0078748,9,2015-01-04,Alien\n", []string{day("2015-01-04")}},
		{"goodreads.csv", "Title,My Rating,Exclusive Shelf,Date Read,Date Added\nA,5,read,2019/01/02,2018/12/24\n" +
			"B,5,read,,2018/12/24\n", []string{day("2019-01-02"), day("2018-12-24")}},
		{"story.csv", "Title,Read Status,Star Rating,Date Added,Last Date Read\nDune,read,4.25,2022/01/01,2022/02/01\n",
			[]string{day("2022-02-01")}},
		{"ml.csv", "movieId,rating,timestamp\n1,5.0,964982703\n", []string{"2000-07-30 18:45:03"}},
		{"NetflixViewingHistory.csv", "Title,Date\nAlien,5/1/19\nHeat,5/28/19\n", []string{day("2019-05-01"), day("2019-05-28")}},
		{"kino.csv", "Title;Rating;Datum\nAlien;9;1.5.2019\n", []string{day("2019-05-01")}},
		{"days.csv", "Title,Rating,Date\nAlien,9,1/5/19\nHeat,9,28/5/19\n", []string{day("2019-05-01"), day("2019-05-28")}},
		{"none.csv", "Title,Rating\nAlien,9\n", []string{""}},
	} {
		l, err := Read([]File{{c.name, []byte(c.data)}}, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, e := range l.Entries {
			s := ""
			if e.When > 0 {
				s = time.Unix(int64(e.When), 0).UTC().Format(time.DateTime)
			}
			got = append(got, s)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: entry %d is of %q, want %q", c.name, i, got[i], c.want[i])
			}
		}
	}
	diary := File{"diary.csv", []byte("Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n" +
		"2023-01-05,Alien,1979,u,2,,,2023-01-04\n")}
	ratings := File{"ratings.csv", []byte("Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,Alien,1979,u,5\n")}
	for _, files := range [][]File{{diary, ratings}, {ratings, diary}} {
		l, err := Read(files, nil, nil)
		if err != nil || len(l.Entries) != 1 || l.Entries[0].When != date(2023, 1, 4) || l.Entries[0].Rating != 5 {
			t.Errorf("of a diary and ratings: %+v (%v)", l.Entries, err)
		}
	}
}
