package ui_test

import (
	"testing"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/internal/uitest"
)

// BenchmarkBuild measures the program's cost of every event: building the whole page.
func BenchmarkBuild(b *testing.B) {
	env := &staticrender.RWMutexEventEnv{}
	root := ui.New(ui.Config{Engine: uitest.NewLine(2000), Disk: uitest.NewMemory()})
	build, err := vugu.NewBuildEnv(env)
	if err != nil {
		b.Fatal(err)
	}
	build.RunBuild(root)
	root.P.Tasks.Wait()
	for _, i := range []int{3, 50, 900} {
		env.Lock()
		root.P.Starters.Pick(i)
		env.Unlock()
		root.P.Tasks.Wait()
	}
	b.ReportAllocs()
	for b.Loop() {
		build.RunBuild(root)
	}
}
