// Package demo reads what the page of this repository, which is a site of films, says of its titles. Tests need it.
package demo

import (
	"os"

	"golang.org/x/net/html"
)

// Meta reads the page at that path, and returns the content of each of its meta elements by name. It panics where it
// cannot be read.
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
