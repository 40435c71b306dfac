//go:build gpu && linux

package cuda

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/pmlam/pmlam/core/internal/cuda/standin"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Errors of Open state the problem of the machine, the failed call and CUDA's name of the failure.
func TestOpenSaysWhatIsWrong(t *testing.T) {
	driver := standin.Use(t)
	opens := func(number int, want string) {
		t.Helper()
		d, err := Open(number)
		if err == nil {
			d.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	driver.Set("version", 10020)
	opens(0, "NVIDIA's driver is too old: it supports CUDA 10.2, but CUDA 11.0 is needed; update the driver")
	driver.Set("version", 11000)
	opens(1, "cuda:1 does not exist: NVIDIA's driver sees 1")
	driver.Set("major", 6)
	opens(0, "cuda:0 (Stand-in) is too old: its compute capability is 6.0, but the kernels need 7.0")
	driver.Set("major", 7)
	driver.Set("bad_ptx", "ptxas fatal: Unsupported .version 6.3")
	opens(0,
		"cuda:0 (Stand-in) failed: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (a PTX JIT compilation failed): its "+
			"driver cannot compile the kernels; update the driver; the compiler says: ptxas fatal: Unsupported .version "+
			"6.3")
	driver.Set("reset", 0)
	driver.Set("devices", 0)
	opens(0, "cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)")
	driver.Set("reset", 0)

	t.Setenv("PMLAM_CUDA_LIBRARY", filepath.Join(t.TempDir(), "none.so"))
	opens(0, "none.so (PMLAM_CUDA_LIBRARY) cannot be opened")
	empty := filepath.Join(t.TempDir(), "empty.so")
	if out, err := exec.Command("g++", "-shared", "-o", empty, "-x", "c++", os.DevNull).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PMLAM_CUDA_LIBRARY", empty)
	opens(0, "has no function cuInit: it is not NVIDIA's driver, or too old")
}

// A full device reports that and stays usable; a failed one does not, and repeats its error.
func TestDeviceFullAndLost(t *testing.T) {
	driver := standin.Use(t)
	driver.Set("memory", 1<<20)
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	first, err := d.Alloc(1 << 19)
	if err != nil {
		t.Fatal(err)
	}
	const want = "cuda:0 (Stand-in) failed: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory): 1.0 MiB were " +
		"requested, but only 524288 bytes of 1.0 MiB are free, besides 524288 bytes that this training holds"
	var e *Error
	if _, err := d.Alloc(1 << 20); !errors.As(err, &e) || e.Lost() || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
	if err := d.Reserve(1 << 20); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
	if err := errors.Join(d.Free(first), d.Reserve(1<<20)); err != nil {
		t.Error(err)
	}
	driver.Set("lost_after", 0)
	answer, err := d.Alloc(8)
	if err != nil {
		t.Fatal(err)
	}
	w := Work{Figures: Figures{Bad: answer}}
	if err := d.Launch("layout", 1, &w); err != nil {
		t.Errorf("a launch reported %v without waiting", err)
	}
	driverSays := Download(d, make([]uint32, 1), answer)
	if !errors.As(driverSays, &e) || !e.Lost() || e.Call != "cuMemcpyDtoH" || e.Name != "CUDA_ERROR_ILLEGAL_ADDRESS" {
		t.Errorf("%v", driverSays)
	}
	if again := d.Fill(answer, 0, 1); again == nil || again.Error() != driverSays.Error() {
		t.Errorf("%v, and before %v", again, driverSays)
	}
	if err := d.Launch("nonsense", 1, &w); err == nil {
		t.Error("a lost device accepts launches")
	}
}

// Writes outside a block are noticed when it is freed. The tests of all kernels rely on that.
func TestTheStandInGuardsItsBlocks(t *testing.T) {
	standin.Use(t)
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	from, err := copied(d, make([]float32, 18))
	if err != nil {
		t.Fatal(err)
	}
	to, err := d.Alloc(4 * 17)
	if err != nil {
		t.Fatal(err)
	}
	var w Work
	w.X, w.Across, w.Items, w.Dim = from, to, 9, 1 // 18 values, one more than allocated
	if err := d.Launch("transpose", 1, &w); err != nil {
		t.Fatal(err)
	}
	if err := d.Free(to); err == nil {
		t.Error("a write past the end of a block is not noticed")
	}
}

// The noise has the same bits as package vec's on a CPU, for all shapes.
func TestNoiseIsThatOfTheProcessor(t *testing.T) {
	standin.OrReal(t)
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const pairs = 37
	for _, own := range []int{1, 2, 10} {
		for _, half := range []int{8, 16, 56} {
			length := (2 + own) * half
			rows, err := copied(d, make([]int32, pairs*(2+own)))
			if err != nil {
				t.Fatal(err)
			}
			eps, err := copied(d, make([]float32, pairs*length))
			if err != nil {
				t.Fatal(err)
			}
			var w Work
			w.Rows, w.Eps, w.Half = rows, eps, int32(half)
			w.BatchSizes = BatchSizes{B: pairs, From: 1000, Per: int32(2 + own), Own: int32(own)}
			w.Seeds = Seeds{Epoch: 7 << 32, NoiseKey: 0xfedcba9876543210}
			got := make([]float32, pairs*length)
			if err := errors.Join(d.Launch("noise", pairs*((length+31)/32*8)/32+1, &w),
				Download(d, got, eps)); err != nil {
				t.Fatal(err)
			}
			want := make([]float32, length)
			for i := range pairs {
				vec.Normals(want, w.NoiseKey, 7<<32|uint64(1000+i))
				for k, x := range want {
					if y := got[i*length+k]; math.Float32bits(x) != math.Float32bits(y) {
						t.Fatalf("%d negatives of %d: draw %d of pair %d is %v, on the CPU %v", own, half, k, i,
							y, x)
					}
				}
			}
		}
	}
}

var entry = regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`)

// The module contains the kernels of the sources, exactly as compiled by clang-19.
func TestModuleIsThatOfTheSources(t *testing.T) {
	var want, got []string
	sources, err := filepath.Glob("kernels/*.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		b, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^KERNEL(?:_OF_ALL)?\((\w+)\)`).FindAllSubmatch(b, -1) {
			want = append(want, string(m[1]))
		}
	}
	for _, m := range entry.FindAllStringSubmatch(kernels, -1) {
		got = append(got, m[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the module has the kernels %v, but the sources have %v", got, want)
	}
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("SKIPPED: clang-19 is missing, so the kernels were not compiled again")
	}
	out := filepath.Join(t.TempDir(), "kernels.ptx")
	if text, err := exec.Command("kernels/build.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if b, err := os.ReadFile(out); err != nil || string(b) != kernels {
		t.Errorf("kernels.ptx differs from its sources compiled by clang-19 (%v): run go generate", err)
	}
	// Both sides agree on the size of Tasks; Open checks the layout by its last field.
	if size := fmt.Sprintf(".b8 layout_param_0[%d]", unsafe.Sizeof(Tasks{})); !strings.Contains(kernels, size) {
		t.Errorf("the module does not take %s", size)
	}
	// NVIDIA's assembler, if installed, accepts it.
	if _, err := exec.LookPath("ptxas"); err == nil {
		if text, err := exec.Command("ptxas", "-arch=sm_90", out, "-o", out+".cubin").CombinedOutput(); err != nil {
			t.Errorf("ptxas: %v\n%s", err, text)
		}
	}
	// Without an explicit rounding, the driver's compiler may fuse or approximate an operation.
	if loose := regexp.MustCompile(`\b(add|sub|mul|fma|div|sqrt)\.(ftz|approx|full|f32|f64)`).FindString(kernels); loose != "" {
		t.Errorf("the module contains %s, which does not specify its rounding", loose)
	}
	// Kernels must neither spill registers to memory nor call functions.
	for _, bad := range []string{"__local_depot", "call.uni", ".extern"} {
		if strings.Contains(kernels, bad) {
			t.Errorf("the module contains %q", bad)
		}
	}
}

func ExampleError() {
	fmt.Println(&Error{Device: "cuda:0 (NVIDIA H100)", Call: "cuMemAlloc", Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY",
		Text: "out of memory"})
	// Output: cuda:0 (NVIDIA H100) failed: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (out of memory)
}

// copied copies x to new memory on the device.
func copied[T number](d *Device, x []T) (Ptr, error) {
	var zero T
	p, err := d.Alloc(uint64(len(x)) * uint64(unsafe.Sizeof(zero)))
	if err != nil {
		return 0, err
	}
	return p, Upload(d, p, x)
}
