package ui

import (
	"testing"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"
)

// BenchmarkBuild measures what every event costs before the browser's part: building the whole page.
func BenchmarkBuild(b *testing.B) {
	env := &staticrender.RWMutexEventEnv{}
	root := New(Config{Engine: newLine(2000), Store: newMemory()})
	build, err := vugu.NewBuildEnv(env)
	if err != nil {
		b.Fatal(err)
	}
	build.RunBuild(root)
	root.P.Wait()
	for _, i := range []int{3, 50, 900} {
		env.Lock()
		root.P.Marking.Pick(i)
		env.Unlock()
		root.P.Wait()
	}
	b.ReportAllocs()
	for b.Loop() {
		build.RunBuild(root)
	}
}
