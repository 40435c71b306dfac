// Command leaderboard prints docs/leaderboard.md, made of the records in results/records. Call it in the
// repository's root.
package main

import (
	"fmt"
	"os"

	"github.com/pmlam/pmlam/core/lab/leaderboard"
)

func main() {
	page, err := leaderboard.PageOf("core/lab/results/records")
	if err == nil {
		_, err = os.Stdout.WriteString(page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "leaderboard:", err)
		os.Exit(1)
	}
}
