// Visits to the tiny site, in frames of this tab. Each resolves to "" on success, or to the failures.
globalThis.trials = (() => {
  const moment = () => new Promise((resolve) => setTimeout(resolve, 25));

  async function publish(place, to) {
    await fetch(`/control?place=${place}&to=${encodeURIComponent(JSON.stringify(to))}`, { cache: "no-store" });
  }

  function open(place) {
    const frame = document.createElement("iframe");
    frame.src = `/${place}/`;
    document.body.append(frame);
    return frame;
  }

  /**
   * Polls f until it returns a truthy value, and returns that. After a minute it fails with `what` and the result of
   * state.
   */
  async function until(what, f, state = () => "") {
    for (let tries = 0; tries < 2400; tries++) {
      const value = await f();
      if (value) {
        return value;
      }
      await moment();
    }
    throw new Error(`waited in vain for ${what}${await state()}`);
  }

  /** The requests of a frame: name, status, and whether they bypassed the worker. */
  const files = (frame) =>
    [...frame.contentWindow.performance.getEntries()]
      .filter((e) => e.workerStart !== undefined)
      .map((e) => ({ name: e.name.split("/").at(-1) || "page", status: e.responseStatus, past: e.workerStart === 0 }));

  /** The state of a frame: its page, its worker, and its files. */
  async function state(frame) {
    const page = frame.contentDocument;
    if (page === null) {
      return ": the browser's own error page";
    }
    const r = await navigator.serviceWorker.getRegistration(page.URL);
    const workers = ["installing", "waiting", "active"].filter((at) => r?.[at]).map((at) => `${at} ${r[at].state}`);
    const controlled = frame.contentWindow.navigator.serviceWorker.controller?.state ?? "none";
    const asked = files(frame).map((f) => `${f.name} ${f.status} ${f.past ? "past it" : "by the worker"}`);
    return `: ${page.readyState}, “${page.title}”, its worker: ${controlled}; workers: ${workers}; ${asked.join(", ")}`;
  }

  const stamps = (frame) => until("a page that has read its files",
    () => frame.contentDocument?.documentElement?.dataset.stamps, () => state(frame));

  async function reload(frame) {
    const gone = frame.contentDocument;
    frame.contentWindow.location.reload();
    await until("the next page",
      () => frame.contentDocument !== gone && frame.contentDocument?.readyState === "complete");
  }

  const kept = (frame) => until("the site to be kept", () => frame.contentWindow.tiny?.known?.since > 0);

  /**
   * The registration of a place. Chromium returns none for a few milliseconds while it stores a newly installed worker
   * (two of 120 times, polled without a pause), although the worker has already told the page that it is kept.
   */
  const registration = (place) => until("a registration", () => navigator.serviceWorker.getRegistration(`/${place}/`));

  // A redundant worker may stay there for an instant.
  const newest = (r) => [r.installing, r.waiting, r.active].find((worker) => worker && worker.state !== "redundant");
  const latest = new WeakMap(); // registration → its newest worker when an update of it last ended

  /**
   * Checks for an update until there is one, and waits for its end: "redundant", or "activated", which counts from its
   * installation. A single check may join one in progress, which the host answered before the release was published, or
   * which failed because the host was down.
   */
  async function update(place) {
    const r = await registration(place);
    const before = latest.get(r) ?? r.active;
    let found;
    r.addEventListener("updatefound", () => (found = r.installing), { once: true });
    const worker = await until("a new worker", async () => {
      if (newest(r) === before) {
        await r.update().catch(() => {});
      }
      return newest(r) === before ? found : newest(r);
    });
    const end = await until("the update to end",
      () => worker.state !== "installing" && worker.state.replace(/installed|activating/, "activated"));
    latest.set(r, end === "activated" ? worker : before);
    return end;
  }

  /**
   * Waits until no update check is in progress, at a place whose host is down. The browser makes one by itself some
   * time after a page was opened, once the previous one has ended: it could find the failing release again, whose
   * worker would be taken for the next update's. Checks of a place are sequential, so all have ended when one does not
   * reach the host.
   */
  async function settled(place) {
    const r = await registration(place);
    await until("the checks for updates to end", () => r.update().then(() => false, () => true));
  }

  /**
   * Updates from release to release, each of which fails for one file (a pattern) with one fault after the other, and
   * then succeeds. `says` holds each release's page state, one release more than faults, so that no file was downloaded
   * before. Also returns the number of tried faults.
   */
  async function faulty(place, file, faults, says) {
    const wrong = [];
    let trials = 0;
    const releases = Object.keys(says);
    await publish(place, { Release: releases[0] });
    let frame = open(place);
    const first = await stamps(frame);
    if (first !== says[releases[0]]) {
      wrong.push(`${file}: first visit: “${first}”`);
    }
    await kept(frame);
    for (const [n, fault] of faults.entries()) {
      const [from, to] = releases.slice(n, n + 2);
      const expect = (when, got, want) =>
        got === want || wrong.push(`${file}, ${fault}: ${when}: “${got}” instead of “${want}”`);
      await publish(place, { Release: to, Fault: fault, File: file });
      expect("update with a fault", await update(place), "redundant");
      await publish(place, { Down: true });
      await settled(place);
      await reload(frame);
      expect("without a network after the faulty update", await stamps(frame), says[from]);

      await publish(place, { Release: to });
      expect("update without a fault", await update(place), "activated");
      expect("the open page, of its own files", await frame.contentWindow.tiny.stamps(), says[from]);
      await until("the page to say so", () => frame.contentWindow.tiny.known.update, () => state(frame));
      await publish(place, { Down: true });
      await reload(frame);
      expect("without a network after the update", await stamps(frame), says[to]);
      frame.remove();
      frame = open(place);
      expect("without a network, where the new worker takes over", await stamps(frame), says[to]);
      await until("the release before the last to be removed", async () => (await cached(place)) === 2, () => told(place));
      trials++;
    }
    frame.remove();
    await (await registration(place)).unregister();
    return { trials, wrong };
  }

  /** All files with all faults, a few files at a time. */
  async function all(files, faults, says) {
    const left = [...files];
    const all = { trials: 0, wrong: [] };
    const some = async () => {
      for (let file; (file = left.shift()) !== undefined; ) {
        try {
          const { trials, wrong } = await faulty(`f${files.indexOf(file)}`, file, faults, says);
          all.trials += trials;
          all.wrong.push(...wrong);
        } catch (error) {
          all.wrong.push(`${file}: ${error.message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, some));
    return all;
  }

  /** Collects failures. */
  function checker() {
    const wrong = [];
    const check = (when, got, want) => got === want || wrong.push(`${when}: “${got}” instead of “${want}”`);
    return { wrong, check };
  }

  const cached = async (place) => (await caches.keys()).filter((name) => name.startsWith(`site /${place}/ `)).length;

  /** The caches of a place and their contents, for errors. */
  async function told(place) {
    const names = (await caches.keys()).filter((name) => name.startsWith(`site /${place}/ `));
    const all = await Promise.all(names.map(async (name) => {
      const cache = await caches.open(name);
      const record = await cache.match(`/${place}/?version`);
      return `${name}: ${(await cache.keys()).length} files, ${record ? JSON.stringify(await record.json()) : "no record"}`;
    }));
    return `: ${all.join("; ")}`;
  }

  /** The worker's records of its versions. */
  async function recorded(place) {
    const names = (await caches.keys()).filter((name) => name.startsWith(`site /${place}/ `));
    const answers = await Promise.all(names.map(async (name) => (await caches.open(name)).match(`/${place}/?version`)));
    return Promise.all(answers.filter((r) => r !== undefined).map((r) => r.json()));
  }

  /** Keeps release one; then the other is installed and waits. */
  async function updated(place, to) {
    await publish(place, { Release: "one" });
    const frame = open(place);
    await stamps(frame);
    await kept(frame);
    await publish(place, { Release: to });
    const end = await update(place);
    if (end !== "activated") {
      throw new Error(`the update ended ${end}`);
    }
    return frame;
  }

  const title = (frame) => until("a title", () => frame.contentDocument.title);

  /** A release that fails to start is replaced at its third start, even offline; the next release is tried again. */
  async function rollback(place, bad, next, leave) {
    const { wrong, check } = checker();
    let frame = await updated(place, bad);
    const again = async () => {
      if (leave) {
        frame.remove();
        frame = open(place);
      } else {
        await reload(frame);
      }
      await stamps(frame); // wait for its attempt
    };
    await publish(place, { Down: true });
    for (const want of [bad, bad, "one", "one"]) {
      await again();
      check("start", await title(frame), want);
    }
    check("the start after", await stamps(frame), Array(8).fill("one").join(" "));
    check("a release that was taken back is no news", frame.contentWindow.tiny.known.update, false);
    await publish(place, { Release: next });
    check("the next release", await update(place), "activated");
    await reload(frame);
    check("the next release", await stamps(frame), Array(8).fill(next).join(" "));
    await until("the bad release to be removed", async () => (await cached(place)) === 2, () => told(place));
    return wrong;
  }

  /** A release that is left before it could start is not considered bad. */
  async function impatience(place, slow) {
    const { wrong, check } = checker();
    const frame = await updated(place, slow);
    for (let i = 0; i < 5; i++) {
      await reload(frame);
      check("start", await title(frame), slow);
      // The previous page has reported that it is leaving.
      await until("the excuse to be heard", async () => (await recorded(place)).every((r) => r.failures === 0));
    }
    return wrong;
  }

  /** If the only release fails, the network is used, the copy is checked, and it starts again later. */
  async function alone(place, bad) {
    const { wrong, check } = checker();
    await publish(place, { Release: "one" });
    const frame = open(place);
    await stamps(frame);
    await kept(frame);
    // A damaged cache: one file has other content.
    const [name] = (await caches.keys()).filter((n) => n.startsWith(`site /${place}/ `));
    const cache = await caches.open(name);
    const file = (await cache.keys()).find((request) => request.url.includes("/part."));
    await cache.put(file, new Response("throw new Error('damaged');",
      { headers: { "Content-Type": "text/javascript" } }));
    await until("the damage to be mended", async () => {
      await reload(frame);
      return (await (await cache.match(file)).text()).includes("stamp");
    });
    await publish(place, { Down: true });
    await reload(frame);
    check("the start after", await stamps(frame), Array(8).fill("one").join(" "));
    return wrong;
  }

  /** Two releases are damaged, and the worker of the second is still waiting: it repairs its own. */
  async function both(place, releases) {
    const { wrong, check } = checker();
    await publish(place, { Release: releases[0] });
    const frame = open(place);
    await stamps(frame);
    await kept(frame);
    await reload(frame); // now the worker controls it
    await stamps(frame);
    await publish(place, { Release: releases[1] });
    await update(place);
    const waits = async () => (await registration(place)).waiting?.state;
    check("the new worker, while a page has the older one", await waits(), "installed");
    const page = new URL(`/${place}/index.html`, location).href;
    const names = (await caches.keys()).filter((n) => n.startsWith(`site /${place}/ `));
    for (const name of names) {
      await (await caches.open(name)).put(page,
        new Response("<!doctype html>damaged", { headers: { "Content-Type": "text/html" } }));
    }
    await until("the damage to be mended", async () => {
      await reload(frame);
      return (await (await (await caches.open(names[1])).match(page)).text()).includes("stamp");
    });
    check("the new worker, after all these reloads", await waits(), "installed");
    await publish(place, { Down: true });
    await reload(frame);
    check("the start after", await stamps(frame), Array(8).fill(releases[1]).join(" "));
    return wrong;
  }

  /** Workers are asked for their state, and read their versions for it, while older ones are removed. */
  async function asked(place, releases) {
    const { wrong, check } = checker();
    await publish(place, { Release: releases[0] });
    const frame = open(place);
    await stamps(frame);
    await kept(frame);
    let asking = true;
    const answers = async () => {
      for (; asking; await moment()) {
        const r = await registration(place);
        for (let n = 0; n < 4; n++) {
          r.active?.postMessage({ kind: "state", version: "" }, [new MessageChannel().port2]);
        }
      }
    };
    const asks = answers();
    try {
      for (const release of releases.slice(1)) {
        await publish(place, { Release: release });
        check("update", await update(place), "activated");
        await reload(frame);
        check("the start after", await stamps(frame), Array(8).fill(release).join(" "));
        await until("what is not needed to be removed", async () => (await cached(place)) <= 2, () => told(place));
      }
    } finally {
      asking = false;
      await asks;
    }
    return wrong;
  }

  /** Each tab stays on its first release, however many releases appear and compete. */
  async function tabs(place, releases) {
    const { wrong, check } = checker();
    await publish(place, { Release: releases[0] });
    const frames = [open(place)];
    await stamps(frames[0]);
    await kept(frames[0]);
    for (const release of releases.slice(1)) {
      await publish(place, { Release: release });
      await Promise.all([...frames.map((f) => f.contentWindow.navigator.serviceWorker.getRegistration().then((r) => r.update())), update(place)]);
      await publish(place, { Down: true });
      frames.push(open(place));
      await stamps(frames.at(-1));
      for (const [i, f] of frames.entries()) {
        check(`tab ${i} after release ${release}`, await f.contentWindow.tiny.stamps(),
          Array(8).fill(releases[i]).join(" "));
      }
    }
    check("caches while all are open", await cached(place), releases.length);
    const last = frames.pop();
    frames.forEach((f) => f.remove());
    await reload(last);
    await stamps(last);
    await until("the caches of closed tabs to go", async () => (await cached(place)) === 2, () => told(place));
    check("the last tab", await stamps(last), Array(8).fill(releases.at(-1)).join(" "));
    return wrong;
  }

  /**
   * Alternating releases, offline: a reloaded page, and one that opens as the last one closes, get their files from a
   * worker.
   */
  async function seam(place, releases, rounds) {
    const { wrong, check } = checker();
    await publish(place, { Release: releases[0], NoStore: true });
    let frame = open(place);
    await stamps(frame);
    await kept(frame);
    const whole = async (when, release) => {
      check(when, await stamps(frame), Array(8).fill(release).join(" "));
      const asked = files(frame);
      check(`${when}: files past the worker`, asked.filter((f) => f.past).map((f) => f.name).join(" "), "");
      check(`${when}: files asked for, and the page`, asked.length, 10);
    };
    for (let i = 1; i <= rounds; i++) {
      const release = releases[i % releases.length];
      await publish(place, { Release: release, NoStore: true });
      check("update", await update(place), "activated");
      await publish(place, { Down: true });
      await reload(frame);
      await whole("loaded anew", release);
      frame.remove();
      frame = open(place);
      await whole("opened as the last one closed", release);
    }
    return wrong;
  }

  /** Runs a few at a time: with more load, workers were more often ended before they had sent everything. */
  async function seams(places, releases, rounds) {
    return (await Promise.all(places.map((place) => seam(place, releases, rounds)))).flat();
  }

  return {
    publish, open, stamps, kept, reload, update, settled, all, rollback, impatience, alone, both, asked, tabs, seams,
  };
})();
