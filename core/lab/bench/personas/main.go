// Command personas prints the lists of twenty people who come for one thing, and titles similar to twelve, with the
// verdicts of core/lab/personas: wrong titles are bold, delightful ones in italics.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/pmlam/pmlam/core/lab/personas"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

func main() {
	path := flag.String("model", "assets/models/movielens.msgpack", "model of MovieLens small")
	mode := flag.Uint("mode", 0, "0: for you, 1: hidden gems, 2: outside your bubble")
	explore := flag.Float64("explore", 0, "strength of surprises, 0 to 1")
	flag.Parse()
	if err := run(*path, recommend.Request{K: 10, Mode: recommend.Mode(*mode), Exploration: *explore}); err != nil {
		fmt.Fprintln(os.Stderr, "personas:", err)
		os.Exit(1)
	}
}

func run(path string, q recommend.Request) error {
	m, err := model.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	all, missing, err := personas.Read(r)
	if err != nil {
		return err
	}
	fmt.Printf("| | the first ten | wrong | delightful |\n| --- | --- | --- | --- |\n")
	var sums [2][3]int
	for _, p := range all {
		var count [3]int
		var titles []string
		for _, i := range p.List(r, q) {
			v := p.Judge(r, i)
			count[v]++
			mark := [...]string{"", "*", "**"}[v]
			title, _, _ := strings.Cut(r.Item(i).Title, " (")
			titles = append(titles, mark+title+mark)
		}
		of := &sums[0]
		if p.Similar {
			of = &sums[1]
		}
		for v, n := range count {
			of[v] += n
		}
		fmt.Printf("| %s | %s | %d | %d |\n", p.Name, strings.Join(titles, "; "), count[personas.Wrong],
			count[personas.Delightful])
	}
	for k, name := range []string{"people", "similar titles"} {
		fmt.Printf("\n%s: %d wrong, %d fine, %d delightful\n", name, sums[k][personas.Wrong], sums[k][personas.Fine],
			sums[k][personas.Delightful])
	}
	fmt.Printf("\nnot in this catalogue: %s\n", strings.Join(missing, "; "))
	return nil
}
