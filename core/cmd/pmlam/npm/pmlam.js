#!/usr/bin/env node
// Runs the command pmlam of the package for this platform, and ends as it ends.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@pmlam/cli-${process.platform}-${process.arch}`;
const platforms = Object.keys(require("./package.json").optionalDependencies);

let program;
try {
  program = require.resolve(`${name}/pmlam${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(
    platforms.includes(name)
      ? `pmlam: the package ${name} is not installed; install again without --omit=optional or --no-optional`
      : `pmlam: there is no package for ${process.platform} on ${process.arch}; there are ${platforms.join(", ")}`,
  );
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C on a terminal reaches both; the command decides when it ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => signal === "SIGINT" || child.kill(signal));
}
child.on("error", (error) => {
  console.error(`pmlam: ${program} does not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
