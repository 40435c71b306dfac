package share

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The example of docs/share.md, byte for byte.
const documented = "taste=1&like=6,1214,2571&not=45517&check=2c232b27"

func TestDocumented(t *testing.T) {
	want := Taste{Likes: []string{"6", "1214", "2571"}, Dislikes: []string{"45517"}}
	if got, n := Encode(&want); got != documented || n != 4 {
		t.Errorf("got %q, with %d titles, want %q", got, n, documented)
	}
	if got, err := Decode(documented); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("reads as %+v (%v)", got, err)
	}
}

// Titles kept for later are shared on request, as a member that earlier programs skip.
func TestLater(t *testing.T) {
	want := Taste{Likes: []string{"6"}, Later: []string{"7", "é"}}
	fragment, n := Encode(&want)
	if !strings.HasPrefix(fragment, "taste=1&like=6&later=7,%C3%A9&check=") || n != 3 {
		t.Errorf("got %q, with %d titles", fragment, n)
	}
	if got, err := Decode(fragment); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("reads as %+v (%v)", got, err)
	}
}

// seals appends a valid checksum.
func seals(body string) string { return body + "&check=" + check(body) }

// Published vectors of 32-bit FNV-1a.
func TestCheck(t *testing.T) {
	for s, want := range map[string]string{"": "811c9dc5", "a": "e40c292c", "foobar": "bf9cf968"} {
		if got := check(s); got != want {
			t.Errorf("check(%q) = %s, want %s", s, got, want)
		}
	}
}

// anyID draws ids: numbers, words, characters that need escaping, several alphabets.
var anyID = rapid.OneOf(rapid.StringMatching(`[1-9][0-9]{0,6}`), rapid.StringMatching(`[A-Z0-9-]{4,12}`),
	rapid.StringN(1, 20, MaxID))

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(anyID, 1, 60, rapid.ID).Draw(t, "ids")
		cut := rapid.IntRange(0, len(ids)).Draw(t, "likes")
		want := Taste{}
		want.Likes = append(want.Likes, ids[:cut]...)
		want.Dislikes = append(want.Dislikes, ids[cut:]...)
		fragment, n := Encode(&want)
		if n == len(ids) && len(fragment) > MaxLength {
			t.Fatalf("%d bytes are more than a link may have", len(fragment))
		}
		got, err := Decode(fragment)
		if err != nil {
			t.Fatalf("%q: %v", fragment, err)
		}
		if n == len(ids) && !(slices.Equal(got.Likes, want.Likes) && slices.Equal(got.Dislikes, want.Dislikes)) ||
			got.Titles() != n {
			t.Fatalf("%+v reads back as %+v", want, got)
		}
		// Parsing and printing the address leaves it unchanged.
		address, err := url.Parse("https://example.org/films/?x=y#" + fragment)
		if err != nil {
			t.Fatal(err)
		}
		if address.EscapedFragment() != fragment {
			t.Fatalf("the address changes %q into %q", fragment, address.EscapedFragment())
		}
	})
}

// A change of any byte, and a cut at any place, is noticed.
func TestDamage(t *testing.T) {
	for n := range documented {
		if _, err := Decode(documented[:n]); err == nil {
			t.Errorf("the first %d bytes are accepted", n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(documented)
		at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		c := rapid.Byte().Draw(t, "byte")
		if c == b[at] {
			return
		}
		b[at] = c
		if got, err := Decode(string(b)); err == nil {
			t.Fatalf("%q reads as %+v", b, got)
		}
	})
	for _, tail := range []string{".", ")", "\n", "&utm_source=mail", " "} {
		if _, err := Decode(documented + tail); err == nil {
			t.Errorf("a link with %q appended is accepted", tail)
		}
	}
}

func TestRefuses(t *testing.T) {
	many := make([]string, MaxTitles+1)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	for name, fragment := range map[string]string{
		"nothing":             "",
		"another fragment":    "next",
		"no version":          seals("taste=&like=6"),
		"version 0":           seals("taste=0&like=6"),
		"no title":            seals("taste=1"),
		"an empty list":       seals("taste=1&like="),
		"an empty id":         seals("taste=1&like=6,,7"),
		"half an escape":      seals("taste=1&like=6%4"),
		"no escape":           seals("taste=1&like=6%4g"),
		"no UTF-8":            seals("taste=1&like=%ff"),
		"a long id":           seals("taste=1&like=" + strings.Repeat("x", MaxID+1)),
		"too many titles":     seals("taste=1&like=" + strings.Join(many, ",")),
		"too long":            seals("taste=1&like=6&more=" + strings.Repeat("x", MaxLength)),
		"a check in capitals": documented[:len(documented)-8] + "2C232B27",
	} {
		_, err := Decode(fragment)
		if err != ErrDamaged {
			t.Errorf("%s: error %v", name, err)
		}
	}
	_, err := Decode("taste=2;something,else,entirely")
	if err != ErrDamaged {
		t.Errorf("a link without a version counts as newer")
	}
	_, err = Decode("taste=2&unheard=of")
	if err != ErrNewer {
		t.Errorf("a newer version: error %v", err)
	}
}

// Links by other programs may have members of their own, another order, a list in pieces, or a title twice.
func TestByOthers(t *testing.T) {
	got, err := Decode(seals("taste=1&not=9,6&from=Ada&like=6,7&like=B00%2C1,7,%C3%A9&likes=8"))
	want := Taste{Likes: []string{"7", "B00,1", "é"}, Dislikes: []string{"9", "6"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v (%v), want %+v", got, err, want)
	}
}

// If not all titles fit, the latest likes come first, then the latest dislikes.
func TestBounds(t *testing.T) {
	var t1 Taste
	for i := range 2 * MaxTitles {
		t1.Likes = append(t1.Likes, strconv.Itoa(i+1))
	}
	t1.Dislikes = []string{"x"}
	check := func(t1 *Taste) Taste {
		t.Helper()
		fragment, n := Encode(t1)
		got, err := Decode(fragment)
		if err != nil || got.Titles() != n || len(fragment) > MaxLength {
			t.Fatalf("%d of %d titles in %d bytes read as %d (%v)", n, t1.Titles(), len(fragment), got.Titles(), err)
		}
		return got
	}
	if got := check(&t1); !slices.Equal(got.Likes, t1.Likes[MaxTitles:]) || got.Dislikes != nil {
		t.Errorf("of many short ids the link carries %d likes, %d dislikes", len(got.Likes), len(got.Dislikes))
	}
	long := Taste{Likes: []string{"first"}, Dislikes: []string{"d1", strings.Repeat("ü", 100)}}
	for i := range 60 {
		long.Likes = append(long.Likes, strings.Repeat("é", 20)+strconv.Itoa(i))
	}
	if got := check(&long); len(got.Likes) != 61 || !slices.Equal(got.Dislikes, long.Dislikes) {
		t.Errorf("61 likes of 122 bytes leave room for %d and %d", len(got.Likes), len(got.Dislikes))
	}
	for i := range 20 {
		long.Likes = append(long.Likes, strings.Repeat("ö", 20)+strconv.Itoa(i))
	}
	if got := check(&long); !slices.Equal(got.Likes, long.Likes[len(long.Likes)-len(got.Likes):]) ||
		len(got.Likes) < 60 || len(got.Likes) == len(long.Likes) {
		t.Errorf("of %d long ids the link carries %d", len(long.Likes), len(got.Likes))
	}
	odd := Taste{Likes: []string{"1", "", "\xff", strings.Repeat("x", MaxID+1), "2"}}
	if got := check(&odd); !slices.Equal(got.Likes, []string{"1", "2"}) {
		t.Errorf("the link carries %q", got.Likes)
	}
	for _, none := range []Taste{{}, {Likes: []string{""}}} {
		if fragment, n := Encode(&none); fragment != "" || n != 0 {
			t.Errorf("an empty taste is written as %q", fragment)
		}
	}
}

// Every readable link can be written and read back unchanged.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{documented, seals("taste=1&like=%2C,é&x=y"), seals("taste=1&like=1&not=1,2&like=3"),
		"taste=2", "taste=1&check=", seals("taste=1&like=" + strings.Repeat("1,", 2000) + "1")} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, fragment string, seal bool) {
		if seal { // otherwise no input would get past the checksum
			fragment = seals(fragment)
		}
		got, err := Decode(fragment)
		if err != nil {
			if got.Titles() > 0 {
				t.Fatalf("got an error, and %+v", got)
			}
			return
		}
		again, n := Encode(&got)
		if n < got.Titles() {
			return // links that are shorter than Encode's may not fit
		}
		back, err := Decode(again)
		if err != nil || !slices.Equal(back.Likes, got.Likes) || !slices.Equal(back.Dislikes, got.Dislikes) {
			t.Fatalf("%q reads as %+v, is written as %q and read as %+v (%v)", fragment, got, again, back, err)
		}
	})
}
