// Runs a Go program for js/wasm in a page. browser.go serves it and reads the console. The query holds the arguments.

import { instantiate } from "./instantiate.js";

const go = new Go();
go.argv = [
  "program",
  ...location.search
    .slice(1)
    .split("&")
    .filter((argument) => argument !== ""),
];
go.exit = (code) => console.log(`exit: ${code}`);
try {
  const { instance, simd, problem } = await instantiate(go, fetch("program.wasm"), fetch("kernel.wasm"));
  if (!simd) {
    throw problem;
  }
  await go.run(instance);
} catch (error) {
  console.log(`exit: ${error}`);
}
