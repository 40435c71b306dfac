// Command quality plots the rows printed by time_to_quality.sh: docs/images/time-to-quality.svg.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/pmlam/pmlam/core/lab/quality"
)

func main() {
	out := flag.String("out", "build/measure/time-to-quality", "folder of the picture time-to-quality")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "quality: pass the file of rows printed by time_to_quality.sh")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(1)
	}
}

func run(path, out string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	picture, err := quality.Picture("time-to-quality", f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	paths, err := picture.Write(out)
	for _, p := range paths {
		fmt.Println(p)
	}
	return err
}
