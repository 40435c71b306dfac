package uncertainty

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// smallCase is a quick training on MovieLens small without forty users, and those users.
var smallCase = sync.OnceValues(func() (Case, error) {
	ctx := context.Background()
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		return Case{}, err
	}
	held := calibrate.Parts(d.Users.Len(), 14, 1)[0]
	cfg, err := pmlam.Preset("composed")
	if err != nil {
		return Case{}, err
	}
	cfg.Dim, cfg.Epochs, cfg.Negatives = 8, 4, 20
	without := *d
	without.Positives = calibrate.Without(d.Positives, held)
	trainer, err := pmlam.New(ctx, without.Positives, cfg, 0)
	if err != nil {
		return Case{}, err
	}
	learned, err := trainer.Run(ctx, nil)
	if err != nil {
		return Case{}, err
	}
	m, err := learned.Model(&without, pmlam.Export{Config: cfg, Precision: model.Float32})
	if err != nil {
		return Case{}, err
	}
	engine, err := recommend.Open(m, recommend.Options{})
	return Case{Model: m, Engine: engine, People: People(d, held)}, err
})

func testCase(t *testing.T) Case {
	t.Helper()
	c, err := smallCase()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPeopleAreWhatTheySaid(t *testing.T) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	parts := calibrate.Parts(d.Users.Len(), 10, 3)
	seen := make([]bool, d.Users.Len())
	for _, p := range parts {
		if !slices.IsSorted(p) || len(p) < d.Users.Len()/10 || len(p) > d.Users.Len()/10+1 {
			t.Errorf("a part of %d", len(p))
		}
		for _, u := range p {
			if seen[u] {
				t.Fatalf("user %d is in two parts", u)
			}
			seen[u] = true
		}
	}
	if slices.Contains(seen, false) {
		t.Error("a user is missing from all parts")
	}
	without := calibrate.Without(d.Positives, parts[0])
	for k, u := range parts[0] {
		p := People(d, parts[0][k:k+1])[0]
		if len(without.Row(u)) != 0 || len(p.Likes) != len(d.Positives.Row(u)) ||
			len(p.Others)+len(p.Dislikes) != len(d.Unliked.Row(u)) || len(p.Dislikes) != len(d.Low.Row(u)) {
			t.Fatalf("user %d: %d likes, %d others, %d dislikes", u, len(p.Likes), len(p.Others), len(p.Dislikes))
		}
	}
}

// Hidden likes are never asked about, nothing is asked twice, and with known only rated titles are asked about.
func TestSessionsKeepTheRules(t *testing.T) {
	c := testCase(t)
	for i := range c.People[:6] {
		person := &c.People[i]
		for _, known := range []bool{false, true} {
			var hidden []int
			for _, p := range append(policies(), pairPolicies()...) {
				s := newSession(&c, person, known, 7)
				if hidden == nil {
					hidden = s.hidden
				} else if !slices.Equal(hidden, s.hidden) {
					t.Fatalf("%s has other hidden likes", p.name)
				}
				said := map[int]bool{}
				for range Answers {
					a, b, ok := p.next(s)
					if !ok {
						break
					}
					for _, x := range []int{a, b} {
						if x < 0 {
							continue
						}
						if said[x] || contains(s.hidden, x) || known && s.level[x] == 0 {
							t.Fatalf("%s asks for %d (asked before: %t, hidden: %t, level %d)", p.name, x, said[x],
								contains(s.hidden, x), s.level[x])
						}
						said[x] = true
					}
					s.answer(a, b)
					s.taste = c.Engine.Taste(s.visit, s.taste)
				}
				if len(said) < 10 {
					t.Errorf("%s asked only %d", p.name, len(said))
				}
				for _, l := range s.visit.Likes {
					if s.level[l] != like {
						t.Fatalf("%s: %d is not a like", p.name, l)
					}
				}
			}
		}
	}
}

func TestExploreIsTheSameForAnyWorkers(t *testing.T) {
	c := testCase(t)
	c.People = c.People[:8]
	var first []byte
	for _, workers := range []int{1, 3} {
		r, err := Explore(context.Background(), []Case{c}, 5, workers, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
			continue
		}
		if !bytes.Equal(first, b) {
			t.Error("three workers and one give different reports")
		}
	}
}

// Answers improve the lists and narrow the ellipse.
func TestAnswersPay(t *testing.T) {
	c := testCase(t)
	r, err := Questions(context.Background(), []Case{c}, 5, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Known {
		last := len(Steps) - 1
		if !(p.Recalls[last] > p.Recalls[0]) || !(p.Variances[last] < 0.9) || !(p.Liked[last] > 2) {
			t.Errorf("%s: recall %.3f to %.3f, %.3f of the variance are left, %.1f likes", p.Name, p.Recalls[0],
				p.Recalls[last], p.Variances[last], p.Liked[last])
		}
		for k, answers := range ReportedAfter {
			if got := p.Recalls[slices.Index(Steps[:], answers)]; math.Abs(got-p.Recall[k].Value) > 1e-12 {
				t.Errorf("%s after %d: %v in the curve, %v", p.Name, answers, got, p.Recall[k])
			}
		}
	}
	if m := r.Model; !(m.LogLoss.Value < 1) || !(m.Right.Value > 0.5) || m.Best.Value > m.LogLoss.Value+0.05 {
		t.Errorf("the model of answers is worse than a coin: %+v", m)
	}
}

// Every picture is valid in both formats, and the text has a line for every policy.
func TestReportIsSeenAndRead(t *testing.T) {
	c := testCase(t)
	c.People = c.People[:8]
	m, split := world(60, 120, 4, 1)
	r := Report{}
	var err error
	if r.Sigma, err = Sigma(context.Background(), []Trained{m, rotated(m, 0.1, 2)}, split, 0, nil); err != nil {
		t.Fatal(err)
	}
	if r.Exploration, err = Explore(context.Background(), []Case{c}, 1, 0, nil); err != nil {
		t.Fatal(err)
	}
	if r.Questions, err = Questions(context.Background(), []Case{c}, 1, 0, nil); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "new")
	pictures := r.Pictures()
	if len(pictures) != 3 {
		t.Errorf("%d pictures", len(pictures))
	}
	for _, p := range pictures {
		paths, err := p.Write(folder)
		if err != nil || len(paths) != 2 {
			t.Fatal(paths, err)
		}
		b, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		image, err := png.Decode(bytes.NewReader(b))
		if err != nil || image.Bounds().Dx() < 300*len(p.Panels) {
			t.Errorf("%s: %v", paths[0], err)
		}
		if b, err = os.ReadFile(paths[1]); err != nil || !bytes.Contains(b, []byte("</svg>")) {
			t.Errorf("%s is not an SVG: %v", paths[1], err)
		}
	}
	text := r.String()
	for _, p := range slices.Concat(r.Exploration.Asked, r.Questions.Known) {
		if !strings.Contains(text, "  "+p.Name) {
			t.Errorf("the text does not mention %s", p.Name)
		}
	}
	if err := pictures[0].Draw(&bytes.Buffer{}, "gif"); err == nil {
		t.Error("gif was accepted")
	}
	if _, err := Explore(context.Background(), []Case{{Model: c.Model, Engine: c.Engine, People: c.People[:1]}}, 1, 0,
		nil); err == nil {
		t.Error("a study of one person succeeded")
	}
}
