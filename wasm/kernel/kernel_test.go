//go:build !js

package kernel_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
	"github.com/pmlam/pmlam/wasm/kernel"
)

var update = flag.Bool("update", false, "write testdata/distances.golden again")

func TestNativeDistancesAreTheGoldenOnes(t *testing.T) {
	native := func(dst, query, rows []float32) {
		w := len(query)
		for i := range dst {
			dst[i] = gaussian.W2Squared(query, rows[i*w:(i+1)*w])
		}
	}
	if *update {
		var b strings.Builder
		for _, v := range cases() {
			dst := make([]float32, v.n)
			native(dst, v.query, v.rows)
			b.WriteString(format(v.name, dst) + "\n")
		}
		golden = b.String()
		temporary := filepath.Join("testdata", "distances.golden.tmp")
		if err := os.WriteFile(temporary, []byte(golden), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(temporary, filepath.Join("testdata", "distances.golden")); err != nil {
			t.Fatal(err)
		}
	}
	if difference := compare(native); difference != "" {
		t.Fatal(difference)
	}
}

// The tests of kernel_js_test.go compare Go's WebAssembly and the SIMD kernel with the same golden file.
func TestUnderNode(t *testing.T) {
	program := jstest.TestProgram(t, "github.com/pmlam/pmlam/wasm/kernel")
	for _, scan := range []string{"simd", "go"} {
		out := jstest.Node(t, program, []string{"PMLAM_TEST_SCAN=" + scan}, "-test.v")
		if want := "this engine scans with " + scan; !strings.Contains(out, want) {
			t.Errorf("the tests did not print %q:\n%s", want, out)
		}
	}
}

// BenchmarkUnderNode runs the benchmarks of kernel_js_test.go and prints their results.
func BenchmarkUnderNode(b *testing.B) {
	program := jstest.TestProgram(b, "github.com/pmlam/pmlam/wasm/kernel")
	for b.Loop() {
		b.Log("\n" + jstest.Node(b, program, nil, "-test.run=^$", "-test.bench=.", "-test.benchtime=10x"))
	}
}

func TestInChromium(t *testing.T) {
	program := jstest.TestProgram(t, "github.com/pmlam/pmlam/wasm/kernel")
	out := jstest.Browser(t, program, jstest.Page{}, "-test.v")
	if want := "this engine scans with simd"; !strings.Contains(out, want) {
		t.Errorf("the tests did not print %q:\n%s", want, out)
	}
}

func TestModuleOwnsNoMemory(t *testing.T) {
	m, err := parse(kernel.Module)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.imports) != 1 || m.imports[0] != "go.mem: memory" {
		t.Errorf("imports %q; the module must import only Go's memory", m.imports)
	}
	if !slices.Equal(m.exports, []string{"scan: function"}) {
		t.Errorf("exports %q; the module must export only the function scan", m.exports)
	}
	// A data segment would be written into Go's memory, and a global would point to a stack inside it.
	for id, why := range map[byte]string{
		sectionTable: "a table", sectionMemory: "a memory", sectionGlobal: "a global (a stack pointer?)",
		sectionStart:   "a start function",
		sectionElement: "table elements", sectionData: "a data segment", sectionDataCount: "a data segment",
	} {
		if m.sections[id] {
			t.Errorf("the module has %s; it works in Go's memory and must own nothing", why)
		}
	}
	if len(kernel.Module) > 4096 {
		t.Errorf("the module has %d bytes; want about three kilobytes", len(kernel.Module))
	}
}

func TestModuleComesFromItsSource(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("SKIPPED: clang-19 is not installed (apt-get install clang-19 lld-19), " +
			"so kernel.wasm was not compared with kernel.c")
	}
	if _, err := exec.LookPath("wasm-ld-19"); err != nil {
		t.Skip("SKIPPED: lld-19 is not installed (apt-get install clang-19 lld-19), " +
			"so kernel.wasm was not compared with kernel.c")
	}
	if _, err := exec.LookPath("wasm-opt"); err != nil {
		t.Skip("SKIPPED: wasm-opt is not installed (apt-get install binaryen), " +
			"so kernel.wasm was not compared with kernel.c")
	}
	out := filepath.Join(t.TempDir(), "kernel.wasm")
	if b, err := exec.Command("./build.sh", out).CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, b)
	}
	again, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, kernel.Module) {
		t.Errorf("kernel.wasm (%d bytes) differs from the compiled kernel.c (%d bytes): "+
			"run go generate ./wasm/kernel and commit it", len(kernel.Module), len(again))
	}
}
