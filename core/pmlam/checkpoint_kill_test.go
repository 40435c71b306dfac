package pmlam

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/training"
)

// asChild makes the test's own binary run a training that writes a checkpoint of every batch to the folder it names.
const asChild = "PMLAM_TEST_AS_CHILD"

func TestMain(m *testing.M) {
	if folder := os.Getenv(asChild); folder != "" {
		end, err := childTraining(folder)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Print(end)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// childTraining trains, with checkpoints if folder is not empty, and returns the final bits.
func childTraining(folder string) (string, error) {
	c, err := Preset("paper")
	if err != nil {
		return "", err
	}
	c.Dim, c.Hidden, c.Negatives, c.Candidates, c.Resample, c.Batch, c.Epochs = 2, 2, 2, 5, 2, 20, 4
	c.Validation, c.Every = 0.2, 1
	trainer, err := New(context.Background(), clustered(20, 30, 10), c, 2)
	if err != nil {
		return "", err
	}
	if folder != "" {
		refused := ""
		if _, err := trainer.Keep(training.Checkpoints{Folder: folder,
			Note: func(text string) { refused = text }}); err != nil {
			return "", err
		}
		if refused != "" {
			return "", fmt.Errorf("a kill damaged a checkpoint: %s", refused)
		}
	}
	if _, err := trainer.Run(context.Background(), nil); err != nil {
		return "", err
	}
	return trainer.Fingerprint(), nil
}

// kills is the number of processes to kill: at least a thousand.
const kills = 1000

// A training is killed (SIGKILL, which it cannot handle) at a thousand random moments and restarted each time. It
// always ends with the same bits as an undisturbed training.
func TestKilledAtAThousandMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: starting and killing a thousand processes takes most of a minute (-short)")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := childTraining("")
	if err != nil {
		t.Fatal(err)
	}
	start := func(folder string) (*exec.Cmd, *bytes.Buffer) {
		c := exec.Command(self)
		c.Env = append(os.Environ(), asChild+"="+folder)
		out := &bytes.Buffer{}
		c.Stdout = out
		if err := c.Start(); err != nil {
			t.Error(err)
			return nil, nil
		}
		return c, out
	}
	root := t.TempDir()
	var killed, ended, moved atomic.Int64
	var group sync.WaitGroup
	for lane := range 2 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(lane)))
			longest := 8 * time.Millisecond
			for n := 0; ; n++ {
				folder := filepath.Join(root, fmt.Sprint(lane, " ", n))
				for last, whole := "", killed.Load() >= kills; ; whole = killed.Load() >= kills {
					c, out := start(folder)
					if c == nil {
						return
					}
					if !whole {
						time.Sleep(time.Duration(r.Int64N(int64(longest))))
						c.Process.Kill()
					}
					if c.Wait() == nil {
						ended.Add(1)
						if out.String() != want {
							t.Errorf("lane %d, training %d: %s\nundisturbed: %s", lane, n, out, want)
						}
						longest = max(longest*3/4, time.Millisecond) // it finished: kill sooner
						break
					}
					if c.ProcessState.Exited() {
						t.Errorf("lane %d, training %d: exit code %d, %s", lane, n, c.ProcessState.ExitCode(), out)
						return
					}
					killed.Add(1)
					if at := newest(t, folder); at != last {
						moved.Add(1)
						last = at
					} else {
						longest += longest / 16 // it made no progress: kill later
					}
				}
				if killed.Load() >= kills {
					return
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d processes killed, %d of them after writing a checkpoint; %d trainings finished", killed.Load(),
		moved.Load(), ended.Load())
	if killed.Load() < kills || moved.Load() < kills/10 || ended.Load() < 2 {
		t.Error("too few processes were killed to test anything")
	}
}

// newest returns the name of the newest checkpoint. It fails the test if there are more than three: the two kept, and
// one just written.
func newest(t *testing.T, folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	name, n, temporaries := "", 0, 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			temporaries++
			continue
		}
		n++
		name = e.Name()
	}
	if n > 3 || temporaries > 1 {
		t.Errorf("%s has %d checkpoints and %d temporaries", folder, n, temporaries)
	}
	return name
}
