package catalogue

import (
	"slices"
	"testing"
)

func TestTemplates(t *testing.T) {
	columns := []string{"price", "url", "bad"}
	it := &Item{ID: "a/b ü", Title: "Tea & <milk>", Values: []string{"3,50", "https://shop.example/x?y=1", "javascript:alert(1)"}}
	for template, want := range map[string]string{
		"{price} €": "3,50 €", "from {price} to {price}": "from 3,50 to 3,50", "{title}": "Tea & <milk>", "plain": "plain",
		"{year}": "", "{none}": "", "{price": "", "": "",
	} {
		if got := Text(template, it, columns); got != want {
			t.Errorf("the text of %q is %q, want %q", template, got, want)
		}
	}
	for template, want := range map[string]string{
		"https://shop.example/{id}?t={title}": "https://shop.example/a%2Fb%20%C3%BC?t=Tea%20%26%20%3Cmilk%3E",
		"{url}":                               "https://shop.example/x?y=1", "{bad}": "", "{year}": "", "p/{none}": "",
		"{id}": "a/b ü"[:0],
	} {
		if got := Address(template, it, columns); got != want {
			t.Errorf("the address of %q is %q, want %q", template, got, want)
		}
	}
	if got := Placeholders("a{b}c{d}{e"); !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("the names are %q", got)
	}
}
