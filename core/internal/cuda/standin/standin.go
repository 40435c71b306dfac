//go:build gpu && linux

package standin

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Use makes package cuda open the stand-in for the rest of the test, with default settings. It skips the test if the
// machine lacks a C++ compiler.
func Use(t testing.TB) *Driver {
	if _, err := exec.LookPath(compiler()); err != nil {
		t.Skipf("SKIPPED: the stand-in for a GPU needs a C++ compiler: %v", err)
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PMLAM_CUDA_LIBRARY", path)
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		t.Fatal(err)
	}
	d := &Driver{t: t}
	for name, at := range map[string]*uintptr{"standin_set": &d.set, "standin_get": &d.get} {
		if *at, err = purego.Dlsym(handle, name); err != nil {
			t.Fatal(err)
		}
	}
	d.Set("reset", 0)
	t.Cleanup(func() { d.Set("reset", 0) })
	return d
}

// OrReal is Use, unless PMLAM_GPU asks for the machine's own GPU; then it does nothing, and the test uses that GPU.
func OrReal(t testing.TB) {
	if os.Getenv("PMLAM_GPU") == "" {
		Use(t)
	}
}

// Driver is the stand-in, of which a process has one.
type Driver struct {
	t        testing.TB
	set, get uintptr
}

// Set changes a setting: memory (bytes), version, devices, major (compute capability), order of the warps (0, 1 or 2),
// skip (the name of a kernel that omits the warp skip_warp), lost_after (launches), fail_copy (1), bad_ptx (an error
// message of the driver's compiler).
func (d *Driver) Set(name string, value any) {
	d.t.Helper()
	n, v := append([]byte(name), 0), append([]byte(fmt.Sprint(value)), 0)
	if bad, _, _ := purego.SyscallN(d.set, uintptr(unsafe.Pointer(&n[0])), uintptr(unsafe.Pointer(&v[0]))); bad != 0 {
		d.t.Fatalf("the stand-in has no setting %s", name)
	}
}

// Get returns a count of the stand-in: launches, bytes to_device and to_host, bytes used, blocks.
func (d *Driver) Get(name string) int {
	n := append([]byte(name), 0)
	got, _, _ := purego.SyscallN(d.get, uintptr(unsafe.Pointer(&n[0])))
	return int(got)
}

// compiler returns the C++ compiler.
func compiler() string {
	if c := os.Getenv("CXX"); c != "" {
		return c
	}
	return "g++"
}

// build compiles the stand-in once per version of its sources, and returns its path.
var build = sync.OnceValues(func() (string, error) {
	_, here, _, _ := runtime.Caller(0)
	folder := filepath.Join(filepath.Dir(here), "..", "kernels")
	sum := sha256.New()
	fmt.Fprint(sum, compiler())
	sources, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(sources) == 0 {
		return "", fmt.Errorf("the sources of the kernels are missing in %s", folder)
	}
	for _, source := range sources {
		b, err := os.ReadFile(source)
		if err != nil {
			return "", err
		}
		sum.Write(b)
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("pmlam-standin-%d-%x.so", os.Getuid(), sum.Sum(nil)[:8]))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	part := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer os.Remove(part)
	if out, err := exec.Command(filepath.Join(folder, "standin.sh"), part).CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot compile the stand-in for a GPU: %w\n%s", err, out)
	}
	return path, os.Rename(part, path)
})
