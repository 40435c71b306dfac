// Command related prints how well lists of related pages bring hidden links back, for folders of built HTML.
//
//	go run ./bench/related NAME=FOLDER…
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	lab "github.com/pmlam/pmlam/core/lab/related"
	"github.com/pmlam/pmlam/core/related"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "related:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("pass folders of built HTML, each as NAME=FOLDER")
	}
	methods := lab.Methods()
	hits, gains := make([]float64, len(methods)), make([]float64, len(methods))
	fmt.Println("| site | pages | links | queries | method | HR@5 | NDCG@5 | lists |")
	fmt.Println("| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
	for _, arg := range args {
		name, folder, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=FOLDER", arg)
		}
		site, err := related.Read(ctx, folder, related.Options{})
		if err != nil {
			return err
		}
		s, err := lab.Measure(ctx, site, methods)
		if err != nil {
			return err
		}
		for m, x := range s.Scores {
			fmt.Printf("| %s | %d | %d | %d | %s | %.4f | %.4f | %.0f%% |\n", name, s.Pages, s.Links, s.Queries,
				x.Method, x.HitRate, x.NDCG, 100*x.Covered)
			hits[m] += x.HitRate / float64(len(args))
			gains[m] += x.NDCG / float64(len(args))
		}
	}
	for m, method := range methods {
		fmt.Printf("| mean | | | | %s | %.4f | %.4f | |\n", method.Name, hits[m], gains[m])
	}
	return nil
}
