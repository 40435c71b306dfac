// Command seconds measures the processor time of each step of a training with the defaults, as pmlam train --out makes
// it: core/lab/docs/seconds.md. Processor time, of all threads, does not depend on other work of the machine; divide
// it by the number of processors for the least wall time. It also states how far the share of work that a progress bar
// shows was from the share of processor time, at worst.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"syscall"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

func main() {
	data := flag.String("data", "", "any data, or a folder with train.txt and test.txt")
	seed := flag.Uint64("seed", 1, "seed of the training")
	out := flag.String("out", "", "file to write the model to")
	profile := flag.String("profile", "", "file to write a processor profile to")
	flag.Parse()
	if err := run(context.Background(), *data, *seed, *out, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "seconds:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, seed uint64, out, profile string) error {
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	w := &watch{step: "reading", began: spent()}
	var o train.Options
	var d *dataset.Dataset
	_, err := os.Stat(filepath.Join(data, "test.txt"))
	if err == nil {
		d, o.Split, err = dataset.LoadFixed(data, "", dataset.Options{})
	} else if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		d, err = dataset.Load(data, dataset.Options{})
	}
	if err != nil {
		return err
	}
	if o.Settings, err = train.Preset("hybrid"); err != nil {
		return err
	}
	o.Settings.Seed, o.Events = seed, w.show
	m, report, err := train.Run(ctx, d, o)
	if err != nil {
		return err
	}
	w.begin("writing")
	if out != "" {
		if err := model.WriteFile(out, m); err != nil {
			return err
		}
	}
	w.begin("")
	fmt.Printf("%d likes of %d users and %d items: %.1f s of processor time\n", report.Trained, d.Users.Len(),
		d.Items.Len(), spent())
	if report.Quality != nil {
		fmt.Print(report.Quality)
	}
	return nil
}

// watch prints the time of each step.
type watch struct {
	step   string
	began  float64
	points [][2]float64 // share of the work done, as shown, and seconds since the step began
	idle   [2]float64   // as returned by idle at the beginning
}

// idle returns the seconds that processors had nothing to do, and all their seconds, since the process began.
func idle() [2]float64 {
	runtime.GC() // which updates the metrics
	s := []metrics.Sample{{Name: "/cpu/classes/idle:cpu-seconds"}, {Name: "/cpu/classes/total:cpu-seconds"}}
	metrics.Read(s)
	return [2]float64{s[0].Value.Float64(), s[1].Value.Float64()}
}

// begin ends the current step and begins another.
func (w *watch) begin(step string) {
	if now := spent(); step != w.step {
		all, off := now-w.began, 0.0
		for _, p := range w.points {
			// Of the time left by the share shown so far, and the time left in fact, once a tenth of the step is over.
			if left := all - p[1]; p[1] > all/10 && left > all/10 {
				off = max(off, math.Abs(p[1]/p[0]*(1-p[0])-left)/left)
			}
		}
		waited := idle()
		fmt.Printf("%-36s %6.2f s   idle %3.0f%%", w.step, all,
			100*(waited[0]-w.idle[0])/max(waited[1]-w.idle[1], 1e-9))
		w.idle, now = waited, spent()
		if len(w.points) > 0 {
			fmt.Printf("   time left off by at most %.0f%%", 100*off)
		}
		fmt.Println()
		w.step, w.began, w.points = step, now, nil
	}
}

func (w *watch) at(done, all int) {
	if done > 0 && all > 0 {
		w.points = append(w.points, [2]float64{float64(done) / float64(all), spent() - w.began})
	}
}

func (w *watch) show(e train.Event) {
	switch e := e.(type) {
	case train.ChoiceBegan:
		w.begin("choosing")
	case train.ChoiceWent:
		if done, all := e.Progress(); w.step == "choosing" {
			if w.at(done, all); done == all {
				w.begin("choosing links")
			}
		}
		if e.Done {
			fmt.Printf("  trial %d %v at %.2f s, ndcg@10 %.4f\n", e.Trial.Number+1, e.Trial.Values, spent()-w.began,
				e.Trial.NDCG)
		}
	case train.ChoiceEnded:
		w.begin("after the choice")
	case train.TrainingBegan:
		w.begin(e.Training.String())
	case train.BatchDone:
		w.at(e.Done, e.All)
	case train.TrainingEnded:
		w.begin("links")
	case train.Evaluating:
		w.begin("evaluating")
	case train.Evaluated:
		w.begin("making the model")
	case train.LayingOut:
		w.begin("laying out")
		w.at(e.Done, e.All)
	case train.LaidOut:
		w.begin("calibrating")
	}
}

// spent returns the processor time of this process in seconds.
func spent() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	of := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return of(u.Utime) + of(u.Stime)
}
