// Visits to the tiny site, in frames of this tab. Each resolves to "" where all went as promised, or to what did not.
globalThis.trials = (() => {
  const seconds = (n) => new Promise((resolve) => setTimeout(resolve, 1000 * n));

  async function publish(place, to) {
    await fetch(`/control?place=${place}&to=${encodeURIComponent(JSON.stringify(to))}`, { cache: "no-store" });
  }

  function open(place) {
    const frame = document.createElement("iframe");
    frame.src = `/${place}/`;
    document.body.append(frame);
    return frame;
  }

  /** Waits until f gives something true, and gives that; what: for the error after a minute. */
  let seq=0; globalThis.at={}; globalThis.slow=[];
  async function until(what, f) {
    const k=++seq; const t0=performance.now();
    globalThis.at[k]=what;
    try { return await until0(what, f); } finally { delete globalThis.at[k]; if (performance.now()-t0>1000) globalThis.at["slow"+k]=what+" "+(performance.now()-t0|0); }
  }
  async function until0(what, f) {
    for (let tries = 0; tries < 6000; tries++) {
      const value = await f();
      if (value) {
        return value;
      }
      await seconds(0.01);
    }
    throw new Error(`waited in vain for ${what}`);
  }

  const stamps = (frame) => until("a page that has read its files", () => frame.contentDocument?.documentElement?.dataset.stamps);

  async function reload(frame) {
    const gone = frame.contentDocument;
    frame.contentWindow.location.reload();
    await until("the next page", () => frame.contentDocument !== gone && frame.contentDocument?.readyState === "complete");
  }

  const kept = (frame) => until("the site to be kept", () => frame.contentWindow.tiny?.known?.since > 0);
  const registration = (place) => navigator.serviceWorker.getRegistration(`/${place}/`);

  /** Looks for an update and waits for its end: "redundant" or "activated", which it is for a page once it is installed. */
  async function update(place) {
    const r = await registration(place);
    const before = r.active;
    const found = new Promise((resolve) => r.addEventListener("updatefound", () => resolve(r.installing), { once: true }));
    await r.update();
    const worker = r.installing ?? r.waiting ?? (r.active !== before ? r.active : await found);
    return until("the update to end", () => worker.state !== "installing" && worker.state.replace(/installed|activating/, "activated"));
  }

  /** A visitor of release one, an update to release two of which one file cannot be had, then one that can. */
  async function faulty(place, file, fault, old, fresh) {
    const wrong = [];
    const expect = (when, got, want) => got === want || wrong.push(`${when}: “${got}” instead of “${want}”`);
    await publish(place, { Release: "one" });
    const frame = open(place);
    expect("first visit", await stamps(frame), old);
    await kept(frame);

    await publish(place, { Release: "two", Fault: fault, File: file });
    expect("update with a fault", await update(place), "redundant");
    await publish(place, { Down: true });
    await reload(frame);
    expect("without a network after the faulty update", await stamps(frame), old);

    await publish(place, { Release: "two" });
    expect("update without a fault", await update(place), "activated");
    expect("the open page, of its own files", await frame.contentWindow.tiny.stamps(), old);
    await until("the page to say so", () => frame.contentWindow.tiny.known.update);
    await publish(place, { Down: true });
    await reload(frame);
    expect("without a network after the update", await stamps(frame), fresh);
    expect("caches", (await caches.keys()).filter((name) => name.startsWith(`site /${place}/ `)).length, 2);
    frame.remove();
    await (await registration(place)).unregister();
    return wrong.map((w) => `${file}, ${fault}: ${w}`);
  }

  /** All files with all faults, a few at a time. */
  async function all(files, faults, old, fresh) {
    const left = files.flatMap((file) => faults.map((fault) => [file, fault]));
    const wrong = [];
    let place = 0;
    const some = async () => {
      for (let next; (next = left.shift()) !== undefined; ) {
        try {
          wrong.push(...(await faulty(`f${++place}`, ...next, old, fresh)));
        } catch (error) {
          wrong.push(`${next.join(", ")}: ${error.message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, some));
    return { trials: place, wrong };
  }

  return { publish, open, until, stamps, reload, kept, registration, update, all };
})();
