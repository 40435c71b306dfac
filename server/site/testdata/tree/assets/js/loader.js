// The loader. `import "./gone.js"` in a comment is prose.
import "./wasm_exec.js";
import { start,
  stop } from './lib/start.js';
export * from "./lib/shared.js";

const later = () => import("./lib/later.js");
const worker = new URL("./lib/worker.js", import.meta.url);
const text = 'import x from "./gone.js"';
start(later, worker, stop, text);
