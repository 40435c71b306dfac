package siteconfig

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

func TestStock(t *testing.T) {
	for want, list := range map[string]string{
		"yes": `5|3,00|WAHR|true|Ja|oui|sí|in stock|InStock|https://schema.org/InStock|http://schema.org/PreOrder|auf Lager|
			lieferbar|Sofort verfügbar|vorrätig|en stock|disponible|disponibile|op voorraad|i lager|skladem|в наличии|有货|
			在庫あり|10 Stück|3 pcs|noch 2 Stück|nur noch 1|2 left|5 auf Lager|>10|10+|12 en stock|1.234|low stock|LimitedAvailability|
			preorder|backorder|Available|7 units|quedan 3|1 шт|Only 3 left in stock|3 disponibles`,
		"no": `0|0,00|0.000|-2|FALSCH|FALSE|falso|Nein|non|ausverkauft|Ausverkauft!|épuisé|Épuisée|agotado|esaurito|esgotado|uitverkocht|
			slutsåld|utsolgt|loppuunmyyty|brak|нет в наличии|распродано|缺货|在庫なし|NULL|null|None|nan|N/A|-|""|
			not available|Not in stock|currently not available|no longer available|nicht verfügbar|nicht lieferbar|
			derzeit nicht lieferbar|nicht mehr auf Lager|keine Lieferbarkeit auf Lager|non disponible|no disponible|sin stock|
			en rupture de stock|niet op voorraad|ikke på lager|archived|draft|discontinued|out of stock|OutOfStock|SoldOut|
			https://schema.org/OutOfStock|http://schema.org/Discontinued|sold out|unavailable|0 Stück|0 pcs|0 in stock|
			0 left|noch 0 Stück|0 шт|hors stock|vergriffen|out-of-stock|out_of_stock`,
		"?": `vielleicht|auf Anfrage|2026-05-01|12.05.2026|Regal 7|see below|in 3 days|call us|B|unknown|5/10`,
	} {
		for text := range strings.SplitSeq(list, "|") {
			text = strings.Trim(strings.TrimSpace(text), `"`)
			have, sure := Stock(text)
			got := "?"
			if sure {
				got = map[bool]string{true: "yes", false: "no"}[have]
			}
			if got != want {
				t.Errorf("%q is %s, want %s", text, got, want)
			}
		}
	}
}

// Ambiguous numbers follow the decimal sign of the column's other numbers.
func TestNumbersOfAColumn(t *testing.T) {
	for all, want := range map[string]string{
		"$1,504.00|$12.00|$999":        "1504 12 999",
		"1.504,00 €|12,00 €|1.234 €":   "1504 12 1234",
		"1,234|12.50|7":                "1234 12.5 7",
		"1,234|12,50|7":                "1.234 12.5 7",
		"1'504.00|CHF 12.–|7":          "1504 12 7",
		"1 504,00|12,5|0,75":           "1504 12.5 0.75",
		"1,234,567|12":                 "1.234567e+06 12",
		"€ 5|EUR 6,50|7 kr":            "5 6.5 7",
		"-3|−4,5|$-5":                  "-3 -4.5 -5",
		"1,234|99":                     "1234 99",
		"0,125|2,500":                  "0.125 2.5",
		"on request|12|12.05.2026|1-2": "? 12 ? ?",
	} {
		texts := strings.Split(all, "|")
		of := decimalsOf(texts)
		var got []string
		for _, text := range texts {
			if x, ok := of.number(text); ok {
				got = append(got, fmt.Sprint(x))
			} else {
				got = append(got, "?")
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", all, strings.Join(got, " "), want)
		}
	}
}

// Texts that rules cannot read are reported, or refused with the owner's choices.
func TestDoubts(t *testing.T) {
	for name, c := range map[string]struct {
		rules, texts string
		reduced      bool
		want, note   string
	}{
		"known":         {`in-stock = "x"`, "0,00|FALSCH|5", true, "", ""},
		"unknown":       {`in-stock = "x"`, "5|auf Anfrage|auf Anfrage|Regal 7", true, `"auf Anfrage" (2), "Regal 7" (1); list those that mean sold out, such as sold-out = ["auf Anfrage"], or none: sold-out = []`, ""},
		"settled":       {"in-stock = \"x\"\nsold-out = [\"auf Anfrage\"]", "5|auf Anfrage|Regal 7", true, "", ""},
		"settled, none": {"in-stock = \"x\"\nsold-out = []", "5|auf Anfrage", true, "", ""},
		"raw":           {`in-stock = "x"`, "5|FALSCH", false, `browsers read "FALSCH" as the opposite`, ""},
		"prices":        {`boost = [{ column = "x", weight = 1 }]`, "$1,504.00|$12.00|auf Anfrage", true, "", `1 texts of the column "x" are not numbers`},
		"no prices":     {`boost = [{ column = "x", weight = 1 }]`, "a|b|c|1", true, `holds no numbers`, ""},
		"unclear":       {`boost = [{ column = "x", weight = 1 }]`, "1.234|999", true, "", `"1.234" in the column "x" is ambiguous`},
		"both":          {`boost = [{ column = "x", weight = 1 }]`, "1.50|1,50|1,234", true, "", `"1,234" in the column "x" is ambiguous`},
		"raw prices":    {`boost = [{ column = "x", weight = 1 }]`, "1,50 €|1.234 €", false, "", `browsers read "1.234 €" as no number`},
		"plain prices":  {`boost = [{ column = "x", weight = 1 }]`, "1.50|12|1504.00", false, "", ""},
	} {
		p, err := Parse([]byte("[rules]\n" + c.rules))
		if err != nil {
			t.Fatal(err)
		}
		items := &catalogue.Catalogue{Columns: []string{"x"}}
		texts := strings.Split(c.texts, "|")
		for _, text := range texts {
			items.Items = append(items.Items, catalogue.Item{Values: []string{text}})
		}
		if c.reduced {
			one := p.Reduced()["x"](texts)
			for i := range items.Items {
				items.Items[i].Values[0] = one(texts[i])
			}
		}
		notes, err := p.Doubts(items)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if c.note == "" && len(notes) > 0 || c.note != "" && !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, c.note) }) {
			t.Errorf("%s: %q, want %q", name, notes, c.note)
		}
	}
}

// Only columns that browsers would read differently get a separate column for rules.
func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		rules, texts string
		want         bool
	}{
		{`boost = [{ column = "x", weight = 1 }]`, "1.50|12|1504.00|?", false},
		{`boost = [{ column = "x", weight = 1 }]`, "1,50|12|7,25", false},
		{`boost = [{ column = "x", weight = 1 }]`, "$1,504.00|$12.00", true},
		{`boost = [{ column = "x", weight = 1 }]`, "1,234|99", true},
		{`boost = [{ column = "x", weight = 1 }]`, "12.-|CHF 99", true},
		{`in-stock = "x"`, "0|5|no|yes", false},
		{`in-stock = "x"`, "0,00|5", true},
		{`in-stock = "x"`, "FALSCH|WAHR", true},
		{"in-stock = \"x\"\nsold-out = [\"B\"]", "A|B", true},
	} {
		p, err := Parse([]byte("[rules]\n" + c.rules))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Unreadable()["x"](strings.Split(c.texts, "|")); got != c.want {
			t.Errorf("%s, %s: %t", c.rules, c.texts, got)
		}
	}
}
