package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestMain also runs as the child process of TestBig, whose peak memory is due to the Load alone.
func TestMain(m *testing.M) {
	if arg := os.Getenv("PMLAM_TEST_RELATION"); arg != "" {
		if err := searchBig(arg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv("PMLAM_TEST_BIG"); path != "" {
		start := time.Now()
		all := 0.5
		d, err := Load(path, Options{MinRating: &all})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%d %d %.1f ", d.Positives.Len()+d.Read.Duplicates+d.Read.BelowUser+d.Read.BelowItem, len(d.Times),
			time.Since(start).Seconds())
		for _, line := range bytes.Split(status, []byte("\n")) {
			if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == "VmHWM:" {
				fmt.Printf("%s\n", f[1])
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestBig reads 25 million synthetic ratings in no order at all and measures the peak of resident memory, everything
// kept: the largest result there can be. The bound is 1 GB.
func TestBig(t *testing.T) {
	if os.Getenv("PMLAM_BIG") != "1" {
		t.Skip("SKIPPED: reading 25 million ratings takes half a minute and 0.7 GB of disk; set PMLAM_BIG=1 to run it")
	}
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("SKIPPED: peak memory is read from /proc/self/status, which this system has not")
	}
	const lines = 25_000_000
	path := filepath.Join(t.TempDir(), "ratings.csv")
	if err := writeBig(path, lines); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PMLAM_TEST_BIG="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var interactions, times, peak int
	var seconds float64
	if _, err := fmt.Sscan(string(out), &interactions, &times, &seconds, &peak); err != nil {
		t.Fatalf("the child said %q: %v", out, err)
	}
	t.Logf("%d interactions, %d kept: %.1f s by the clock, %.1f s of processor, peak of resident memory %d KiB",
		interactions, times, seconds, cmd.ProcessState.UserTime().Seconds(), peak)
	if interactions != lines {
		t.Errorf("%d of %d interactions are accounted for", interactions, lines)
	}
	if peak > 1_000_000_000/1024 {
		t.Errorf("peak of resident memory is %d KiB, more than 1 GB", peak)
	}
}

// writeBig writes ratings of 162,000 users and 59,000 items, the size of MovieLens 25M.
func writeBig(path string, lines int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	w.WriteString("userId,movieId,rating,timestamp\n")
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for range lines {
		u, i := r.Float64(), r.Float64()
		b = strconv.AppendInt(b[:0], 1+int64(u*u*162_000), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, 1+int64(i*i*i*59_000), 10)
		b = append(b, ',')
		half := r.IntN(10) + 1
		b = append(b, byte('0'+half/2), '.', byte('0'+half%2*5), ',')
		b = strconv.AppendInt(b, 800_000_000+r.Int64N(800_000_000), 10)
		b = append(b, '\n')
		w.Write(b)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
