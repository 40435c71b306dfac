package eval

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
)

// Options control Evaluate. The zero value is usable.
type Options struct {
	// lengths of the lists, each ≥ 1, in the order of the report; nil: 10 and 20
	Ks      []int
	Workers int // goroutines; 0 or less: GOMAXPROCS. No result depends on it
	// the likes of all training users, for the popularity of items, if the evaluated users are not among them; nil: the
	// users' training part
	Training *dataset.Matrix
	// difference between two items, for the diversity of lists; nil: diversity is not measured
	Distance Distance
	// called from time to time with the number of users done, never concurrently; may be nil
	Progress func(done, total int)
}

// DefaultKs are the lengths measured if Options.Ks is nil.
var DefaultKs = []int{10, 20}

// Evaluate ranks, for every user with test items, all items outside the user's training row, and returns the metrics of
// the package comment. train and test are U×I; s has I items and at least U users.
//
// Edge cases: a user whose training row holds every item gets an empty list and scores 0; k above the number of
// candidates ranks them all; without any user to evaluate, all metrics are 0 and Users is 0.
//
// It returns an error if the shapes differ or k < 1, a *NaNError if the scorer returns NaN (naming the first such user,
// and that user's first such item, for any number of workers), and an error that wraps ctx's if ctx ends. It returns a
// report only without an error.
//
// A W2, amended or not (see Amended), is ranked by matrix products of blocks of users and items, which is several times
// as fast; the report has the same bits.
//
// O(users·(cost of Score + I + K log K)) time; memory O(users·|Ks|) for the values, and O(Workers·I).
func Evaluate(ctx context.Context, s Scorer, train, test *dataset.Matrix, o Options) (*Report, error) {
	training := cmp.Or(o.Training, train)
	e, err := newEvaluation(s, train, test, columnCounts(training), o)
	if err != nil {
		return nil, err
	}
	e.beyond = newBeyond(e.ks, e.popularity, activeRows(training), len(e.users), o.Distance)
	e.byItem = newItemSlices(train, test, e.popularity, e.ks, e.users)
	all, err := e.run(ctx, o.Workers)
	if err != nil {
		return nil, err
	}
	r := Join(e.part(all))
	r.Beyond = e.beyond.report(all.shown)
	r.Slices = e.slices()
	return r, nil
}

// EvaluatePart is Evaluate for a part of the users: their rows of train and test (U'×I), and each item's popularity,
// which is its number of training users among all users. s scores the part's users, from 0. Join makes the report of
// all parts, without Beyond and Slices, which need all users together.
func EvaluatePart(ctx context.Context, s Scorer, train, test *dataset.Matrix, popularity []int32, o Options) (*Part,
	error) {
	e, err := newEvaluation(s, train, test, popularity, o)
	if err != nil {
		return nil, err
	}
	all, err := e.run(ctx, o.Workers)
	if err != nil {
		return nil, err
	}
	return e.part(all), nil
}

func newEvaluation(s Scorer, train, test *dataset.Matrix, popularity []int32, o Options) (*evaluation, error) {
	ks, err := o.check(s, train, test)
	if err != nil {
		return nil, err
	}
	var users []int32
	for u := range test.Rows() {
		if len(test.Row(u)) > 0 {
			users = append(users, int32(u))
		}
	}
	e := &evaluation{
		scorer: s, train: train, test: test, ks: ks, users: users,
		depth:      min(slices.Max(ks), train.Cols),
		popularity: popularity,
		perUser:    newPerUser(ks, users),
		progress:   o.Progress,
	}
	e.gain = discounts(e.depth)
	return e, nil
}

func (o Options) check(s Scorer, train, test *dataset.Matrix) ([]int, error) {
	ks := o.Ks
	if len(ks) == 0 {
		ks = DefaultKs
	}
	for _, k := range ks {
		if k < 1 {
			return nil, fmt.Errorf("cannot evaluate lists of length %d; every k must be at least 1", k)
		}
	}
	if train.Rows() != test.Rows() || train.Cols != test.Cols {
		return nil, fmt.Errorf("cannot evaluate: the training part is %d×%d, but the test part %d×%d (users×items); "+
			"both must come from the same split",
			train.Rows(), train.Cols, test.Rows(), test.Cols)
	}
	if n := s.NumItems(); n != train.Cols {
		return nil, fmt.Errorf("cannot evaluate: the scorer has %d items, but the data have %d; was it trained on "+
			"other data?", n, train.Cols)
	}
	return slices.Clone(ks), nil
}

// evaluation is one run of Evaluate: the shared input of all workers, and their output.
type evaluation struct {
	scorer      Scorer
	train, test *dataset.Matrix
	ks          []int
	users       []int32 // users with test items, ascending
	depth       int     // longest list needed: min(max ks, I)
	gain        []float64
	popularity  []int32     // I: training users of each item
	perUser     PerUser     // every worker writes only the columns of its own users
	byItem      *itemSlices // nil: not measured, or no item is cold
	beyond      *beyond     // nil: not measured

	mu       sync.Mutex // guards the rest
	next     int        // first position in users that is not taken
	done     int
	progress func(done, total int)
	err      error // the error of the lowest user so far
	errAt    int
}

// run runs the workers and returns the sum of their tallies.
func (e *evaluation) run(ctx context.Context, workers int) (*tally, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	newRanker := newRankers(e.scorer, e.train, e.depth)
	var rankers []ranker
	for len(rankers) == 0 || len(rankers) < workers && len(rankers)*rankers[0].width() < len(e.users) {
		rankers = append(rankers, newRanker())
	}
	var shown []int // lengths for which shown items are counted
	if e.beyond != nil {
		shown = e.ks
	}
	tallies := make([]*tally, len(rankers))
	var wg sync.WaitGroup
	for w, r := range rankers {
		tallies[w] = newTally(e.popularity, e.depth, shown)
		wg.Go(func() { e.work(ctx, r, tallies[w]) })
	}
	wg.Wait()
	total := tallies[0]
	for _, t := range tallies[1:] {
		total.merge(t)
	}
	return total, e.stopped(ctx)
}

// stopped returns the reason that some users were not taken; nil if all were.
func (e *evaluation) stopped(ctx context.Context) error {
	switch {
	case e.err != nil:
		return e.err
	case e.done < len(e.users):
		return fmt.Errorf("evaluation stopped after %d of %d users: %w", e.done, len(e.users), context.Cause(ctx))
	}
	return nil
}

// take returns up to most users that are not taken, as positions in e.users, with from == to if none are left. Chunks
// are handed out in ascending order, and each is completed or fails, so the final error belongs to the lowest failing
// user.
func (e *evaluation) take(ctx context.Context, most int) (from, to int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil || ctx.Err() != nil {
		return 0, 0
	}
	from = e.next
	to = min(from+most, len(e.users))
	e.next = to
	return from, to
}

func (e *evaluation) finish(from, to int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil {
		if e.err == nil || from < e.errAt {
			e.err, e.errAt = err, from
		}
		return
	}
	e.done += to - from
	if e.progress != nil {
		e.progress(e.done, len(e.users))
	}
}

func (e *evaluation) work(ctx context.Context, r ranker, t *tally) {
	lists := make([][]int32, r.width())
	hits := make([]bool, e.depth)
	row := make([]values, len(e.ks))
	items := itemMeter{itemSlices: e.byItem}
	for {
		from, to := e.take(ctx, r.width())
		if from == to {
			return
		}
		err := r.rank(e.users[from:to], lists)
		if err == nil {
			for i, list := range lists[:to-from] {
				measure(list, e.test.Row(int(e.users[from+i])), e.ks, e.gain, hits, row)
				e.perUser.set(from+i, row)
				if e.byItem != nil {
					items.add(from+i, list, e.test.Row(int(e.users[from+i])), e.ks, e.gain, hits, row)
				}
				t.add(list)
				if e.beyond != nil {
					e.beyond.add(from+i, list, e.test.Row(int(e.users[from+i])))
				}
			}
		}
		e.finish(from, to, err)
	}
}

// activeRows counts the non-empty rows.
func activeRows(m *dataset.Matrix) (n int) {
	for r := range m.Rows() {
		if len(m.Row(r)) > 0 {
			n++
		}
	}
	return n
}

// columnCounts returns the number of ones in each column. O(nnz).
func columnCounts(m *dataset.Matrix) []int32 {
	n := make([]int32, m.Cols)
	for _, c := range m.Indices {
		n[c]++
	}
	return n
}

// firstNaN returns the position of the first NaN, or −1. O(len(x)).
func firstNaN(x []float32) int {
	for i, v := range x {
		if v != v {
			return i
		}
	}
	return -1
}

// NaNError reports that a scorer returned NaN.
type NaNError struct{ User, Item int }

func (e *NaNError) Error() string {
	return fmt.Sprintf("the score of item %d for user %d is not a number, so items cannot be ranked; the model "+
		"is broken (did its training diverge?)", e.Item, e.User)
}
