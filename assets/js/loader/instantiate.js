// Puts the Go program and the SIMD kernel together. Shared by the page's loader, by the module that other sites embed
// and by the tests under node, so that what is tested is what runs.
//
// The two need one another: the program imports the kernel's function, and the kernel imports the program's memory so
// that it can work on Go's slices where they lie. The circle is opened here: the program is given small functions
// (trampolines) that ask for the kernel when they are called, and the kernel is instantiated second.

// A module whose one function returns (i8x16.extract_lane_s 0 (i8x16.splat 0)).
const simdProbe = new Uint8Array([
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0, // magic, version
  1,
  5,
  1,
  96,
  0,
  1,
  127, // type 0: () -> i32
  3,
  2,
  1,
  0, // function 0 is of type 0
  10,
  11,
  1,
  9,
  0, // code: one body of nine bytes without locals
  65,
  0,
  253,
  15,
  253,
  21,
  0,
  11, // i32.const 0; i8x16.splat; i8x16.extract_lane_s 0; end
]);

/** Whether this engine has WebAssembly at all. */
export function hasWebAssembly() {
  return typeof WebAssembly === "object" && typeof WebAssembly.instantiate === "function";
}

/** Whether this engine has WebAssembly SIMD. */
export function hasSIMD() {
  return hasWebAssembly() && WebAssembly.validate(simdProbe);
}

/**
 * Instantiates a module, while it still loads where that is possible.
 *
 * @param {WebAssembly.Module | Response | BufferSource} source the module, compiled, as an answer of the network or
 *   as bytes
 * @param {WebAssembly.Imports} imports
 * @returns {Promise<WebAssembly.Instance>}
 */
async function instantiateModule(source, imports) {
  if (source instanceof WebAssembly.Module) {
    return WebAssembly.instantiate(source, imports);
  }
  if (typeof Response === "function" && source instanceof Response) {
    // A server that serves another type than application/wasm makes the streaming call fail; its bytes are as good.
    const type = (source.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
    if (WebAssembly.instantiateStreaming && type === "application/wasm") {
      return (await WebAssembly.instantiateStreaming(source, imports)).instance;
    }
    source = await source.arrayBuffer();
  }
  return (await WebAssembly.instantiate(source, imports)).instance;
}

/**
 * Instantiates the program for `go`, an instance of the class Go of wasm_exec.js, with the kernel beside it.
 * A kernel that cannot be had is no failure: the program then scans in Go.
 *
 * @param {{importObject: WebAssembly.Imports}} go
 * @param {WebAssembly.Module | Response | BufferSource | Promise<WebAssembly.Module | Response | BufferSource>} program
 * @param {Response | BufferSource | null | Promise<Response | BufferSource | null>} kernel null: do without
 * @returns {Promise<{instance: WebAssembly.Instance, simd: boolean, problem: unknown}>} what go.run takes; whether
 *   the kernel is in use; and what went wrong where it was wanted and is not
 */
export async function instantiate(go, program, kernel) {
  let kernelHas = null;
  const imports = {
    ...go.importObject,
    kernel: {
      available: () => (kernelHas === null ? 0 : 1),
      scan: (dst, query, rows, n, w) => kernelHas.scan(dst, query, rows, n, w),
    },
  };
  // Both are awaited together, so that a kernel that fails while the program loads is no unhandled rejection.
  const [started, side] = await Promise.allSettled([
    Promise.resolve(program).then((source) => instantiateModule(source, imports)),
    Promise.resolve(kernel),
  ]);
  if (started.status === "rejected") {
    throw started.reason;
  }
  const instance = started.value;
  let problem = side.status === "rejected" ? side.reason : null;
  if (side.status === "fulfilled" && side.value !== null) {
    try {
      const { exports } = await instantiateModule(side.value, { go: { mem: instance.exports.mem } });
      kernelHas = exports;
    } catch (error) {
      problem = error;
    }
  }
  return { instance, simd: kernelHas !== null, problem };
}
