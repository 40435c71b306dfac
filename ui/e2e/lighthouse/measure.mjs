// Measures a served site with Lighthouse, three times on a simulated phone (slow network, a quarter of this CPU's
// speed) and three times on a desktop, and fails if a median is below the required score. Before the scores are
// computed, the clock's times of a thread's work are replaced by its processor times: on a busy machine, a task mostly
// waits for its turn. make lighthouse calls it:
//
//   node measure.mjs SERVER SITE OUT
//
// SERVER is the program that serves the folder SITE. OUT gets the reports, phone-1.html and so on. Needs Chromium: the
// one in CHROME_PATH, else chromium.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse, { defaultConfig, desktopConfig } from "lighthouse";

const promised = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const times = 3;

const [server, site, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
process.env.CHROME_PATH ??= execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const address = `http://127.0.0.1:${port}/`;
const serving = spawn(server, ["serve", "--folder", site, "--log", "off", "--address", `127.0.0.1:${port}`], {
  stdio: ["ignore", "ignore", "inherit"],
});

async function listening() {
  for (let tries = 0; tries < 500; tries++) {
    try {
      await fetch(address);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`no answer from ${server} at ${address}`);
}

/** Replaces the durations of tasks, and of events within them, by the processor times of their thread. */
function inProcessorTime(file) {
  const trace = JSON.parse(readFileSync(file, "utf8"));
  const threads = new Map();
  for (const e of trace.traceEvents) {
    if (e.ph === "X" && e.tts !== undefined && e.tdur !== undefined) {
      const thread = `${e.pid} ${e.tid}`;
      if (!threads.has(thread)) {
        threads.set(thread, []);
      }
      threads.get(thread).push(e);
    }
  }
  for (const events of threads.values()) {
    let task = null; // the one around the event, as it was
    for (const e of events.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
      if (task === null || e.ts >= task.ts + task.dur) {
        task = e.name.endsWith("RunTask") ? { ...e } : null;
      }
      if (task !== null) {
        const before = Math.min(Math.max(e.tts - task.tts, 0), task.tdur);
        e.ts = task.ts + before;
        e.dur = Math.min(e.tdur, task.tdur - before);
      }
    }
  }
  writeFileSync(file, JSON.stringify(trace));
}

/**
 * One visit with a fresh profile. Returns the scores out of 100 and the parts of the performance, or null if the visit
 * must be repeated.
 */
async function measure(name, config) {
  const chrome = await launch({
    chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"],
  });
  try {
    const visit = join(out, name);
    await lighthouse(address, { port: chrome.port, gatherMode: visit, logLevel: "error" }, config);
    inProcessorTime(join(visit, "defaultPass.trace.json"));
    const { lhr, report } = await lighthouse(address, { auditMode: visit, output: "html", logLevel: "error" }, config);
    if (lhr.runtimeError?.code === "NO_NAVSTART") {
      // its trace begins too late, which is not the page's fault
      console.log(`${name}: Lighthouse lost the start of the visit; repeating.`);
      return null;
    }
    writeFileSync(join(out, `${name}.html`), report);
    const scores = Object.fromEntries(
      Object.keys(promised).map((id) => [id, Math.round(100 * lhr.categories[id].score)]),
    );
    const shown = (id) => `${lhr.audits[id].title} ${lhr.audits[id].displayValue}`;
    console.log(
      `${name}: ${Object.entries(scores)
        .map(([id, score]) => `${id} ${score}`)
        .join(", ")}`,
    );
    console.log(
      `  ${["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "speed-index"].map(shown).join(", ")}`,
    );
    for (const [id, least] of Object.entries(promised)) {
      for (const { id: audit, weight } of scores[id] < least ? lhr.categories[id].auditRefs : []) {
        if (weight > 0 && lhr.audits[audit].score < 0.9) {
          console.log(`  ${id}: ${lhr.audits[audit].title}`);
        }
      }
    }
    return scores;
  } finally {
    chrome.kill();
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  await listening();
  for (const [name, config] of [
    ["phone", defaultConfig],
    ["desktop", desktopConfig],
  ]) {
    const visits = [];
    for (let i = 1; i <= times; i++) {
      let scores = null;
      for (let tries = 0; scores === null && tries < times; tries++) {
        scores = await measure(`${name}-${i}`, config);
      }
      if (scores === null) {
        throw new Error(`Lighthouse lost the start of ${times} visits in a row`);
      }
      visits.push(scores);
    }
    for (const [id, least] of Object.entries(promised)) {
      const score = median(visits.map((scores) => scores[id]));
      if (score < least) {
        console.log(`On the ${name}, the median of ${id} is ${score}, below ${least}.`);
        process.exitCode = 1;
      }
    }
  }
  console.log(`The reports are in ${out}/.`);
} finally {
  serving.kill();
}
