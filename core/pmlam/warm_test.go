package pmlam

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/training"
)

// named returns m as a data set whose users and items have ids, in an order other than their numbers.
func named(t *testing.T, m *dataset.Matrix) *dataset.Dataset {
	t.Helper()
	var b strings.Builder
	b.WriteString("user,item\n")
	for u := range m.Rows() {
		u := (u*7 + 3) % m.Rows()
		for _, i := range m.Row(u) {
			fmt.Fprintf(&b, "u%d,i%d\n", u, i)
		}
	}
	path := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load(path, dataset.Options{MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// trained trains on d and returns the model as a file would hold it.
func trained(t *testing.T, d *dataset.Dataset, c Config, withUsers bool) *model.Model {
	t.Helper()
	m, err := train(t, d.Positives, c, 2).Model(d, Export{Config: c, Precision: model.Float32, WithUsers: withUsers})
	if err != nil {
		t.Fatal(err)
	}
	m.Digest = "abc"
	return m
}

// warm prepares a training that begins from a model.
func warm(t *testing.T, d *dataset.Dataset, c Config, from *model.Model) (*Trainer, Known) {
	t.Helper()
	trainer := newTrainer(t, d.Positives, c, 2)
	b, known := BeginningOf(from, d)
	if err := trainer.Begin(b); err != nil {
		t.Fatal(err)
	}
	return trainer, known
}

func ndcg(t *testing.T, r *Result, split dataset.Split) float64 {
	t.Helper()
	report, err := eval.Evaluate(context.Background(), eval.NewW2(r.Users, r.Items), split.Train, split.Test,
		eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.NDCG[0]
}

// On the same data a training starts at the model's quality and needs far fewer epochs than one from random rows. A
// model without users saves almost as many.
func TestAWarmStartSavesEpochs(t *testing.T) {
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	split := dataset.HoldOut(d.Positives, 0.2, 3)
	d.Positives = split.Train
	c := small(t, "composed")
	c.Dim, c.Negatives, c.Batch, c.Epochs, c.Decay = 8, 10, 1000, 10, false
	table := c
	table.FreeUsers, table.UserWeight = true, 0
	for name, c := range map[string]Config{"composed": c, "user table": table} {
		t.Run(name, func(t *testing.T) {
			full := train(t, split.Train, c, 2)
			m, err := full.Model(d, Export{Config: c, Precision: model.Float32, WithUsers: true})
			if err != nil {
				t.Fatal(err)
			}
			want := ndcg(t, full, split)
			quality := func(epochs int, from *model.Model) float64 {
				c := c
				c.Epochs = epochs
				trainer := newTrainer(t, split.Train, c, 2)
				if from != nil {
					trainer, _ = warm(t, d, c, from)
				}
				r, err := trainer.Run(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				return ndcg(t, r, split)
			}
			if got := quality(0, m); got != want {
				t.Errorf("it starts at NDCG@10 %.4f, the model has %.4f", got, want)
			}
			m.Users, m.UserIDs = nil, nil
			without, warm, cold := quality(0, m), quality(2, m), quality(2, nil)
			t.Logf("NDCG@10: model %.4f after %d epochs; without its users %.4f at once and %.4f after 2 epochs; "+
				"from random rows %.4f after 2 epochs", want, c.Epochs, without, warm, cold)
			if without < 0.7*want || warm < 0.97*want || cold > 0.9*want {
				t.Error("the warm start does not save epochs")
			}
		})
	}
}

// Rows follow ids to their positions in the new data. New entities start as usual, and gone ones are dropped.
func TestAWarmStartKeepsIDs(t *testing.T) {
	old := clustered(30, 40, 10)
	// The new data drop users 0 to 4 and items 0 to 7, and add users 30 to 33 and items 40 to 44.
	var pairs []dataset.Pair
	for u := range int32(34) {
		for i := range int32(45) {
			known := u < 30 && i < 40
			if u >= 5 && i >= 8 && (known && old.Contains(int(u), i) || !known && (u+i)%3 == 0) {
				pairs = append(pairs, dataset.Pair{Row: u, Col: i})
			}
		}
	}
	before, after := named(t, old), named(t, dataset.NewMatrix(34, 45, pairs))
	id := func(ids *dataset.IDs, name string) int {
		t.Helper()
		n, ok := ids.Index(name)
		if !ok {
			t.Fatalf("%s is missing", name)
		}
		return n
	}
	c := configs(t)["8 the paper"]
	m := trained(t, before, c, true)
	fresh := newTrainer(t, after.Positives, c, 1)
	trainer, known := warm(t, after, c, m)
	if want := (Known{Items: 32, NewItems: 5, GoneItems: 8, Users: 25, NewUsers: 4, GoneUsers: 5}); known != want {
		t.Errorf("%+v, want %+v", known, want)
	}
	for _, n := range []int{8, 20, 39} {
		name := fmt.Sprintf("i%d", n)
		if !slices.Equal(trainer.theta.Row(trainer.items+id(after.Items, name)), m.Items.Row(id(before.Items, name))) {
			t.Errorf("%s did not keep its row", name)
		}
	}
	for _, n := range []int{5, 29} {
		name := fmt.Sprintf("u%d", n)
		if !slices.Equal(trainer.theta.Row(id(after.Users, name)), m.Users.Row(id(before.Users, name))) {
			t.Errorf("%s did not keep its row", name)
		}
	}
	e := trainer.items + id(after.Items, "i42")
	if !slices.Equal(trainer.theta.Row(e), fresh.theta.Row(e)) {
		t.Error("a new item does not start as usual")
	}
	if !reflect.DeepEqual(trainer.networks(), train(t, before.Positives, c, 1).nets()) {
		t.Error("the margin networks are not inherited")
	}
	// A new user starts among the items that they like.
	u := id(after.Users, "u31")
	var distance, usual float32
	for _, i := range after.Positives.Row(u) {
		if after.Items.ID(int(i)) >= "i40" && len(after.Items.ID(int(i))) == 3 {
			continue
		}
		row := trainer.theta.Row(trainer.items + int(i))
		distance += gaussian.W2Squared(trainer.theta.Row(u), row)
		usual += gaussian.W2Squared(fresh.theta.Row(u), row)
	}
	if distance >= usual {
		t.Errorf("a new user starts at distance %.3f from their items, not closer than the usual %.3f", distance, usual)
	}
	// A checkpoint records its initial state.
	fs := &durabletest.Memory{}
	keep(t, trainer, training.Checkpoints{FS: fs})
	cut(t, trainer, 2)
	if _, err := fresh.Keep(training.Checkpoints{Folder: "d", FS: fs}); err == nil ||
		!strings.Contains(err.Error(), "it started from the model abc, but this training starts from no model") {
		t.Errorf("%v", err)
	}
	again, _ := warm(t, after, c, m)
	if r := keep(t, again, training.Checkpoints{FS: fs}); r.Path == "" || again.Fingerprint() != trainer.Fingerprint() {
		t.Errorf("%+v", r)
	}
}

func (r *Result) nets() [3]*margin.Network {
	return [3]*margin.Network{r.UserItem, r.UserUser, r.ItemItem}
}

func TestAWarmStartThatDoesNotFit(t *testing.T) {
	d := named(t, clustered(30, 40, 10))
	c := configs(t)["8 the paper"]
	m := trained(t, d, c, false)
	for want, change := range map[string]func(*Config){
		"has dimension 8, but the settings say 9": func(c *Config) { c.Dim = 9 },
		"has the input difference and 6 hidden units, but the settings say cat and 6": func(c *Config) {
			c.Input = "cat"
		},
		"the user-item margin network of the initial model": func(c *Config) {
			c.Hidden = 5
		},
	} {
		c := c
		change(&c)
		trainer := newTrainer(t, d.Positives, c, 1)
		before := trainer.Fingerprint()
		b, _ := BeginningOf(m, d)
		if err := trainer.Begin(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if trainer.Fingerprint() != before {
			t.Error("a refused state changed the training")
		}
	}
	// A training with another loss, without networks, or of points can also begin from it.
	c = configs(t)["composed"]
	c.Deterministic = true
	trainer, _ := warm(t, d, c, m)
	if s := trainer.theta.Stddev(3)[2]; s != gaussian.MinStddev {
		t.Errorf("a point has the standard deviation %v", s)
	}
	if !slices.Equal(trainer.theta.Mean(3), m.Items.Mean(3)) {
		t.Error("an item did not keep its mean")
	}
}
