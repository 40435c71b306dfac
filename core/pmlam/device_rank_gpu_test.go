//go:build gpu && linux

package pmlam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cuda/standin"
)

// crowd returns 70 users and 500 items of dimension h, every second item at the place of the one before.
func crowd(h int) (users, items *gaussian.Table) {
	users, items = gaussian.NewTable(70, h), gaussian.NewTable(500, h)
	for e := range items.Len() {
		for k := range items.Row(e) {
			items.Row(e)[k] = float32(math.Sin(float64(1 + e/2*31*k + e/2)))
		}
	}
	for u := range users.Len() {
		for k := range users.Row(u) {
			users.Row(u)[k] = float32(math.Cos(float64(1 + u*17*k + u)))
		}
	}
	return users, items
}

// differ returns an error if the lists of a device differ from TopK of the scores.
func differ(d *Device, users, items *gaussian.Table, train *dataset.Matrix, depth int) error {
	all := make([]int32, users.Len())
	for u := range all {
		all[u] = int32(u)
	}
	lister, lists, scores := d.Scorer(users, items).(eval.Lister), make([][]int32, len(all)),
		make([]float32, items.Len())
	if err := lister.Lists(all, train, depth, lists); err != nil {
		return err
	}
	for u, list := range lists {
		lister.Score(u, scores)
		if want := eval.TopK(scores, train.Row(u), depth); !slices.Equal(list, want) {
			return fmt.Errorf("user %d: %v, on the CPU %v", u, list, want)
		}
	}
	return nil
}

// The lists equal the CPU's, up to the order of ties, and the reports are identical.
func TestDeviceRanksAsTheProcessor(t *testing.T) {
	standin.OrReal(t)
	ctx, train, test := context.Background(), clustered(70, 500, 20), clustered(70, 500, 30)
	for _, h := range []int{1, 4, 13, 50} {
		d := opened(t)
		users, items := crowd(h)
		for _, ks := range [][]int{{10}, {1, 37}, {600}} {
			if err := differ(d, users, items, train, min(slices.Max(ks), 500)); err != nil {
				t.Fatalf("h %d, lists of %v: %v", h, ks, err)
			}
			o := eval.Options{Ks: ks, Workers: 2}
			want, err := eval.Evaluate(ctx, eval.NewW2(users, items), train, test, o)
			got, failed := eval.Evaluate(ctx, d.Scorer(users, items), train, test, o)
			if err != nil || failed != nil || got.String() != want.String() {
				t.Errorf("h %d, lists of %v: %v\n%s\non the CPU: %v\n%s", h, ks, failed, got, err, want)
			}
		}
		items.Row(77)[0] = float32(math.NaN())
		_, err := eval.Evaluate(ctx, d.Scorer(users, items), train, test, eval.Options{Workers: 2})
		if nan := new(eval.NaNError); !errors.As(err, &nan) || nan.User != 0 || nan.Item != 77 {
			t.Errorf("with a NaN in item 77: %v", err)
		}
	}
}

// A missing warp of a ranking kernel is noticed, and insufficient memory is an error.
func TestDeviceThatRanksWrongly(t *testing.T) {
	driver := standin.Use(t)
	users, items := crowd(4)
	train := clustered(70, 500, 20)
	for _, kernel := range []string{"transpose", "distances", "exclude", "lists"} {
		driver.Set("skip", kernel)
		if differ(opened(t), users, items, train, 500) == nil {
			t.Errorf("the missing first warp of the kernel %s is not noticed", kernel)
		}
	}
	driver.Set("reset", 0)
	driver.Set("memory", 50_000)
	if err := differ(opened(t), users, items, train, 10); err == nil {
		t.Error("the ranking fits into 50,000 bytes")
	}
}
