// Links the Go program and the SIMD kernel. The page's loader, the module for other sites and the tests under node
// share this file, so that tests run the real code.
//
// The two need each other: the program imports the kernel's function, and the kernel imports the program's memory, to
// work on Go's slices in place. To break the cycle, the program gets small functions (trampolines) that look the kernel
// up when called, and the kernel is instantiated second.

// A module with one function that returns (i8x16.extract_lane_s 0 (i8x16.splat 0)).
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
  0, // function 0 has type 0
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
 * Instantiates a module, while it still loads if possible.
 *
 * @param {WebAssembly.Module | Response | BufferSource} source the module: compiled, as a response, or as bytes
 * @param {WebAssembly.Imports} imports
 * @returns {Promise<WebAssembly.Instance>}
 */
async function instantiateModule(source, imports) {
  if (source instanceof WebAssembly.Module) {
    return WebAssembly.instantiate(source, imports);
  }
  if (typeof Response === "function" && source instanceof Response) {
    // Streaming fails for a content type other than application/wasm; the bytes work in any case.
    const type = (source.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
    if (WebAssembly.instantiateStreaming && type === "application/wasm") {
      return (await WebAssembly.instantiateStreaming(source, imports)).instance;
    }
    source = await source.arrayBuffer();
  }
  return (await WebAssembly.instantiate(source, imports)).instance;
}

/**
 * Instantiates the program for `go`, an instance of the class Go of wasm_exec.js, together with the kernel.
 * Without a kernel, or if it fails, the program scans in Go.
 *
 * @param {{importObject: WebAssembly.Imports}} go
 * @param {WebAssembly.Module | Response | BufferSource | Promise<WebAssembly.Module | Response | BufferSource>} program
 * @param {Response | BufferSource | null | Promise<Response | BufferSource | null>} kernel null: none
 * @returns {Promise<{instance: WebAssembly.Instance, simd: boolean, problem: unknown}>} the argument of go.run; whether
 *   the kernel is in use; and the error of a kernel that failed
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
  // Await both together: otherwise a kernel that fails while the program loads is an unhandled rejection.
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
