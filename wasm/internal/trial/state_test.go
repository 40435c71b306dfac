//go:build !js

package main

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// state is the loader's part of the page.
type state struct {
	State, Title, Text string
	Hidden, Button     bool
	Value, Max         float64
}

const look = `(() => {
	const place = document.getElementById("loading"), bar = document.getElementById("loading-bar");
	const button = document.getElementById("loading-retry");
	return {
		State: place.dataset.state ?? "", Title: document.title, Text: place.innerText, Hidden: place.hidden,
		Button: button !== null && button.checkVisibility(), Value: bar.value, Max: bar.max,
	};
})()`

// waitFor waits until #loading has the state want.
func waitFor(t *testing.T, tab context.Context, want string) state {
	t.Helper()
	var last state
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		now, err := chromedp.Run(tab, chromedp.Evaluate[state](look))
		if err != nil {
			t.Fatal(err)
		}
		if now.State == want {
			return now
		}
		last = now
	}
	t.Fatalf("#loading was never %q; it ended as %+v", want, last)
	return last
}

func TestPiecesUnderNode(t *testing.T) {
	jstest.RunNode(t, nil, "--test", "pieces.test.mjs", "money.test.mjs")
}
