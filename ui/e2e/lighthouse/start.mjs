// Compares the start of sites on a phone, in turn: a quarter of this CPU's speed, and the network that browsers' tools
// call Fast 4G. make measure-start calls it:
//
//   node start.mjs SERVER ROUNDS NAME=SITE…
//
// SERVER is the program that serves the folders. It prints medians for each site, of times from the navigation:
//
//   usable     the invitation takes picks
//   list       ten recommendations are on the screen, after three picks as soon as possible
//   return     ten recommendations are on the screen, for a visitor with three stored likes and the site's copy
//   program    the same, computed by the program
//   like       from a press of Like to the new list
//   blocked    the sum of each task's time over 50 ms, at a first visit until the page rests (total blocking time)
//   work       the page's thread until the list
//
// blocked and work are processor times, because on a busy machine the clock's times are mostly times of waiting. Needs
// Chromium: the one in CHROME_PATH, else chromium.

import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:net";
import puppeteer from "puppeteer-core";

const slower = 4;
const [server, rounds, ...named] = process.argv.slice(2);
const sites = named.map((n) => n.split("=", 2));
if (!(rounds > 0) || sites.length === 0) {
  throw new Error("usage: node start.mjs SERVER ROUNDS NAME=SITE…");
}
const executablePath = process.env.CHROME_PATH ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
// 9 Mbit/s, less a tenth, and 60 ms times 2.75
const network = { download: (9_000_000 / 8) * 0.9, upload: (1_500_000 / 8) * 0.9, latency: 60 * 2.75 };

/** Notes in globalThis.noted when the page reaches its states. */
function watch() {
  const noted = (globalThis.noted = {});
  const shown = (name) => {
    noted[name] = 0;
    requestAnimationFrame(() => {
      const next = new MessageChannel();
      next.port1.onmessage = () => {
        noted[name] = performance.now();
        performance.mark(name);
      };
      next.port2.postMessage(0);
    });
  };
  let first = null; // the list's first title when Like was pressed
  const key = () => document.querySelector("#app #recommendations > [data-key]")?.dataset.key;
  new MutationObserver(() => {
    if (noted.usable === undefined && document.documentElement.dataset.picks === "") {
      shown("usable");
      if (sessionStorage.getItem("pick") !== null) {
        [...document.querySelectorAll("#loading .starter")].slice(0, 3).forEach((b) => b.click());
      }
    }
    if (noted.list === undefined && document.querySelectorAll(".card .card-title").length >= 10) {
      shown("list");
    }
    if (noted.like === undefined && first !== null && key() !== first) {
      shown("like");
    }
  }).observe(document, { childList: true, subtree: true, attributes: true });
  globalThis.like = () => {
    first = key();
    noted.pressed = performance.now();
    document.querySelector("#app #recommendations button[data-act=like]").click();
  };
}

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const address = `http://127.0.0.1:${port}/`;

async function serve(folder) {
  const serving = spawn(server, ["serve", "--folder", folder, "--log", "off", "--address", `127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (let tries = 0; tries < 500; tries++) {
    try {
      await fetch(address);
      return serving;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`no answer from ${server} at ${address}`);
}

/** The processor times of the page's thread in ms: [until the mark, over 50 ms in a task]. Chromium's slowness counts. */
function processor(events, mark) {
  const end = events.findLast((e) => e.name === mark && e.cat.includes("blink.user_timing"));
  const tasks = events.filter(
    (e) => e.ph === "X" && e.pid === end.pid && e.tid === end.tid && e.name.endsWith("RunTask") && e.tdur !== undefined,
  );
  const times = tasks.map((e) => e.tdur / 1000);
  return [
    times.filter((_, i) => tasks[i].ts < end.ts).reduce((a, b) => a + b, 0),
    times.reduce((a, b) => a + Math.max(0, b - 50), 0),
  ];
}

/** One visitor's first visit, return and like. */
async function measure() {
  const browser = await puppeteer.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"],
    protocolTimeout: 600_000,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    await page.setViewport({ width: 412, height: 823, isMobile: true, hasTouch: true, deviceScaleFactor: 1.75 });
    await page.evaluateOnNewDocument(watch);
    const until = (what, argument) => page.waitForFunction(what, { polling: 200 }, argument);
    const noted = async (name) => {
      await until((n) => globalThis.noted?.[n] > 0, name);
      return page.evaluate((n) => globalThis.noted[n], name);
    };
    const rests = () => until(() => globalThis.ellipsis?.tasks === 0 && document.getElementById("loading").hidden);
    const session = await page.createCDPSession();
    const traced = async (mark, act) => {
      const events = [];
      const collect = ({ value }) => events.push(...value);
      session.on("Tracing.dataCollected", collect);
      await session.send("Tracing.start", { traceConfig: { includedCategories: ["toplevel", "blink.user_timing"] } });
      await act();
      await noted(mark);
      await rests();
      const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
      await session.send("Tracing.end");
      await complete;
      session.off("Tracing.dataCollected", collect);
      return processor(events, mark);
    };
    const slow = async () => {
      await page.emulateCPUThrottling(slower);
      await page.emulateNetworkConditions(network);
    };
    const found = {};
    await page.goto(`${address}LICENSE`); // of the same origin
    await page.evaluate(() => sessionStorage.setItem("pick", ""));
    await slow();
    [found["work to list"], found["blocked first"]] = await traced("list", () => page.goto(address));
    found.usable = await noted("usable");
    found.list = await noted("list");
    // the site's copy, and the compiled code, which browsers keep from the second visit on
    await page.emulateCPUThrottling(1);
    await page.emulateNetworkConditions(null);
    await until(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === "activated");
    await page.goto(address);
    await noted("list");
    await rests();
    await page.goto("about:blank");
    await slow();
    [found["work to return"], found["blocked return"]] = await traced("list", () => page.goto(address));
    found.return = await noted("list");
    await until(() => document.querySelectorAll("#app #recommendations > .card").length >= 10);
    found.program = await page.evaluate(() => performance.now());
    await rests();
    await page.evaluate(() => globalThis.like());
    const liked = await noted("like");
    found.like = liked - (await page.evaluate(() => globalThis.noted.pressed));
    return found;
  } finally {
    await browser.close();
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const all = new Map(sites.map(([name]) => [name, []]));
for (let round = 1; round <= rounds; round++) {
  for (const [name, folder] of sites) {
    const serving = await serve(folder);
    try {
      const found = await measure();
      all.get(name).push(found);
      console.log(
        `${name} ${round}:`,
        JSON.stringify(found, (_, v) => (typeof v === "number" ? Math.round(v) : v)),
      );
    } finally {
      serving.kill();
      await new Promise((resolve) => serving.once("exit", resolve));
    }
  }
}
for (const [name, visits] of all) {
  console.log(
    `${name}, medians in ms: ` +
      Object.keys(visits[0])
        .map((part) => `${part} ${Math.round(median(visits.map((v) => v[part])))}`)
        .join(", "),
  );
}
