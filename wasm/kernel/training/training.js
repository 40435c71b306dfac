// Links a Go program that trains with the kernels of training.c. Both work on one memory, which is made here; the
// command importmemory has made the program import it. The studio's worker and the tests under node and in Chromium use
// this file.

/** The size of the memory in pages of 64 KiB: at first, and at most (1 GiB). */
const pages = { initial: 1024, maximum: 16384 };

/**
 * Instantiates the kernels, in the fastest version that this engine has: with the machine's fused multiply-add, without
 * it (the same results, slower), or none, when the program computes in Go.
 *
 * @param {WebAssembly.Memory} memory
 * @param {{fused: BufferSource, plain: BufferSource}} modules
 * @returns {Promise<{kernels: WebAssembly.ModuleImports, version: "fused" | "plain" | "go"}>}
 */
async function instantiateKernels(memory, { fused, plain }) {
  for (const [version, module] of [
    ["fused", fused],
    ["plain", plain],
  ]) {
    if (!WebAssembly.validate(module)) {
      continue;
    }
    const { instance } = await WebAssembly.instantiate(module, { go: { mem: memory } });
    if (version === "fused") {
      // The program has not started, so its memory is free.
      const floats = new Float32Array(memory.buffer, 0, 3);
      floats.set([1 + 2 ** -12, -1, 0]);
      const fuses = instance.exports.fused(0, 4, 8) === 1;
      floats.fill(0);
      if (!fuses) {
        continue;
      }
    }
    return { kernels: instance.exports, version };
  }
  return { kernels: new Proxy({}, { get: () => () => 0 }), version: "go" };
}

/**
 * Instantiates the program for `go`, an instance of the class Go of wasm_exec.js.
 *
 * @param {{importObject: WebAssembly.Imports}} go
 * @param {WebAssembly.Module} program
 * @param {{fused: BufferSource, plain: BufferSource}} modules fused.wasm and plain.wasm
 * @param {number} [maximum] pages that the program's memory may grow to
 * @returns {Promise<{instance: WebAssembly.Instance, memory: WebAssembly.Memory, version: "fused" | "plain" | "go"}>}
 *   the argument of go.run, its memory, and the version of the kernels
 */
export async function instantiateTraining(go, program, modules, maximum = pages.maximum) {
  const memory = new WebAssembly.Memory({ initial: pages.initial, maximum });
  const { kernels, version } = await instantiateKernels(memory, modules);
  const imports = { ...go.importObject, go: { mem: memory }, vec: kernels };
  return { instance: await WebAssembly.instantiate(program, imports), memory, version };
}
