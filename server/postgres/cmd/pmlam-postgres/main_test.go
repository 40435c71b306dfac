package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

const shipped = "../../../../assets/models/movielens.msgpack"

// run runs the command and returns its output.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := newRoot()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestMistakesAreSentences(t *testing.T) {
	nowhere := "postgres://nobody@127.0.0.1:1/none?connect_timeout=1"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"export", "--to", nowhere}, `"model" not set`},
		{[]string{"export", "--to", nowhere, "--model", "none"}, "cannot read the model"},
		{[]string{"export", "--to", nowhere, "--model", shipped}, "cannot open the database"},
		{[]string{"export", "--to", "x://y", "--model", shipped}, "cannot open the database"},
		{[]string{"recommend", "--from", nowhere, "--like", "1"}, "the database did not answer"},
		{[]string{"recommend", "--from", nowhere, "--schema", "A b"}, "cannot be used"},
		{[]string{"serve", "--store", nowhere}, "the database did not answer"},
		{[]string{"serve"}, `"store" not set`},
		{[]string{"measure", "--to", nowhere, "--model", shipped, "--items", "5"}, "at least 2000"},
	} {
		if _, err := run(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
}

// An enlarged catalogue is a valid model with the links of each copy, and its copies are apart.
func TestEnlarge(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	size := m.Items.Len()
	big := enlarge(m, 2*size+100)
	r, err := recommend.Open(big, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Len() != 2*size+100 {
		t.Fatalf("there are %d items", r.Len())
	}
	for _, i := range []int{0, 7, size - 1} {
		if recommend.W2Squared(big.Items.Row(i), big.Items.Row(i+size)) == 0 {
			t.Errorf("item %d and its copy are equal", i)
		}
		want, _ := m.ItemItem.Row(i)
		got, _ := big.ItemItem.Row(i + size)
		if len(got) != len(want) {
			t.Errorf("the copy of item %d has %d links, want %d", i, len(got), len(want))
		}
		for at := range got {
			if int(got[at]) != int(want[at])+size {
				t.Errorf("item %d: the copy is linked to %d, want %d", i, got[at], int(want[at])+size)
			}
		}
	}
}
