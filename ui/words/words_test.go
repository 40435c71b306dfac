package words

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestEveryWordIsThere makes sure that no text is missing: it would show as an empty button.
func TestEveryWordIsThere(t *testing.T) {
	for _, language := range Languages {
		w := language()
		t.Run(w.Tag, func(t *testing.T) { whole(t, "", reflect.ValueOf(*w)) })
	}
}

func whole(t *testing.T, name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				whole(t, f.Name, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			whole(t, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case reflect.String, reflect.Int, reflect.Func:
		if v.IsZero() && name != "Nouns" { // only owners can give it
			t.Errorf("%s is empty", name)
		}
	case reflect.Bool:
	default:
		t.Errorf("%s is a %s", name, v.Kind())
	}
}

func TestWords(t *testing.T) {
	w := English()
	for _, c := range []struct{ got, want string }{
		{w.Number(0), "0"}, {w.Number(999), "999"}, {w.Number(1947), "1,947"}, {w.Number(-1234567),
			"-1,234,567"}, {w.Number(-123), "-123"},
		{w.count(1, "film", "films"), "1 film"}, {w.count(2000, "film", "films"), "2,000 films"},
		{w.percent(0.426), "43%"}, {w.size(1), "1 byte"}, {w.size(999), "999 bytes"}, {w.size(12345),
			"12.3 KB"}, {w.size(2_500_000), "2.5 MB"},
		{w.Join(nil), ""}, {w.Join([]string{"A"}), "A"}, {w.Join([]string{"A", "B"}),
			"A and B"}, {w.Join([]string{"A", "B", "C"}), "A, B and C"},
		{w.Updated(10), "10 recommendations updated"}, {w.LikeTitle("Heat"), "Like Heat"}, {w.DislikeTitle("Heat"),
			"Not for me: Heat"},
		{w.SeenTitle("Heat"), "Known: Heat"}, {w.SearchLabel, "Search titles"}, {w.Recommendations,
			"Recommendations"}, {w.Map, "Taste map"},
		{w.Because([]string{"<b>Heat</b>", "<b>Alien</b>"}), "Because you liked <b>Heat</b> and <b>Alien</b>"},
		{w.Reasoned("Because you liked Heat", Unnamed), "Because you liked Heat"}, {w.Reasoned("", Unnamed), ""},
		{w.Reasoned("Because you liked Heat", Named), "Because you liked Heat, and it is widely loved"},
		{w.Reasoned("Because they like Heat", NamedFirst),
			"Widely loved, and because they like Heat"},
		{w.Reasoned("", NamedFirst), "Widely loved"},
		{metricName("recall@10"), "Recall@10"}, {metricName("ndcg@20"), "NDCG@20"}, {metricName("mrr"),
			"MRR"}, {metricName(""), ""},
		{w.Kernel("simd"), "Distances are computed by the SIMD kernel."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// NaN, infinities and huge values are written as a dash.
func TestNoNumber(t *testing.T) {
	w := English()
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
		for _, s := range []string{w.decimal(v, 2), w.percent(v), w.DistanceIs(v), w.SpreadIs(v), w.FromYou(v),
			w.ShareOf("X", v), w.Percentage(v)} {
			if !strings.Contains(s, "–") || len(s) > 120 {
				t.Errorf("%v is written as %q", v, s)
			}
		}
	}
}

func TestChanceOf(t *testing.T) {
	en, de := English(), Speak("de")
	for chance, want := range map[float64]string{
		0.81: "an 81%", 0.11: "an 11%", 0.18: "an 18%", 0.7: "a 70%", 0.08: "an 8%", 1: "a 100%",
	} {
		if got := en.ChanceOf(false, chance); got != "We think there’s "+want+" chance you’ll like this." {
			t.Errorf("%q", got)
		}
	}
	if got := de.ChanceOf(false, 0.81); got != "Wir denken, dass dir das mit 81\u202f% Wahrscheinlichkeit gefällt." {
		t.Errorf("%q", got)
	}
}
