package uitest

import (
	"strings"
	"testing"
	"time"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/keep"
)

// Visitor is somebody at the page.
type Visitor struct {
	T     *testing.T
	P     *ui.Page
	Env   *staticrender.RWMutexEventEnv
	Root  *ui.Root
	Build *vugu.BuildEnv

	disk *Memory // nil: not a Memory, or none
	tab  int     // number of this tab at the disk
}

// Come opens the page on a disk, or for nil without one, and waits until it is idle.
func Come(t *testing.T, e recommend.Engine, disk *Memory) *Visitor {
	t.Helper()
	c := ui.Config{Engine: e}
	if disk != nil {
		c.Disk = disk
	}
	v := ComeTo(t, ui.New(c))
	if disk != nil {
		v.disk, v.tab = disk, len(disk.tabs)-1
	}
	return v
}

// ComeTo opens a page, and waits until it is idle.
func ComeTo(t *testing.T, root *ui.Root) *Visitor {
	t.Helper()
	v := Arrive(t, root)
	v.HTML()
	v.P.Tasks.Wait()
	return v
}

// Arrive opens a page without building it.
func Arrive(t *testing.T, root *ui.Root) *Visitor {
	t.Helper()
	v := &Visitor{T: t, Root: root, P: root.P, Env: &staticrender.RWMutexEventEnv{}}
	var err error
	if v.Build, err = vugu.NewBuildEnv(v.Env); err != nil {
		t.Fatal(err)
	}
	return v
}

// Does runs f like an event handler, and waits until the page is idle.
func (v *Visitor) Does(f func()) {
	v.Env.Lock()
	f()
	v.Env.UnlockRender()
	v.P.Tasks.Wait()
}

// HTML renders the page as text.
func (v *Visitor) HTML() string {
	v.T.Helper()
	v.Env.RLock()
	defer v.Env.RUnlock()
	var b strings.Builder
	if err := staticrender.New(&b).Render(v.Build.RunBuild(v.Root)); err != nil {
		v.T.Fatal(err)
	}
	return b.String()
}

// Sees fails unless the page shows all texts.
func (v *Visitor) Sees(texts ...string) {
	v.T.Helper()
	page := v.HTML()
	for _, s := range texts {
		if !strings.Contains(page, s) {
			v.T.Errorf("the page does not show %q", s)
		}
	}
}

// Misses fails if the page shows any of the texts.
func (v *Visitor) Misses(texts ...string) {
	v.T.Helper()
	page := v.HTML()
	for _, s := range texts {
		if strings.Contains(page, s) {
			v.T.Errorf("the page shows %q", s)
		}
	}
}

// State returns the shown person's marks, with the settings.
func (v *Visitor) State() keep.State {
	s := v.P.Now().State
	s.Settings = v.P.Settings()
	return s
}

// Titles returns the titles of the list.
func (v *Visitor) Titles() []int {
	out := make([]int, len(v.P.List.Titles))
	for k, s := range v.P.List.Titles {
		out[k] = s.Item
	}
	return out
}

// Hears tells the visitor's tab that another one has changed or erased the stored visit, and waits until the page is
// idle.
func (v *Visitor) Hears(erased bool) {
	v.disk.tabs[v.tab](erased)
	v.P.Tasks.Wait()
}

// File returns the backup that SaveBackup would save.
func (v *Visitor) File() []byte { return v.P.Store.Backup(uint64(time.Now().UnixMilli())).Bytes() }

// Opens opens a file as a backup.
func (v *Visitor) Opens(file string) {
	v.Does(func() { v.P.Backup.OpenBackup("backup.json", []byte(file)) })
}
