// Package demo reads this repository's page, a site of films, for tests of the owner's texts.
package demo

import (
	"os"

	"golang.org/x/net/html"
)

// Meta reads the page at path, and returns a function from the name of a meta element to its content. It panics if the
// page cannot be read.
func Meta(path string) func(name string) string {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	set := map[string]string{}
	for z := html.NewTokenizer(f); z.Next() != html.ErrorToken; {
		if e := z.Token(); e.Data == "meta" {
			a := map[string]string{}
			for _, x := range e.Attr {
				a[x.Key] = x.Val
			}
			set[a["name"]] = a["content"]
		}
	}
	return func(name string) string { return set[name] }
}
