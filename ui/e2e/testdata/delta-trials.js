// Delta updates of tiny sites, in frames of the tab with trials.js. Each function resolves to a list of failures.
globalThis.deltaTrials = (() => {
  const { publish, open, stamps, kept, reload, update, settled } = globalThis.trials;

  /** The names of files that the host has sent for a place since the last call. */
  const sent = async (place) => (await fetch(`/sent?place=${place}`, { cache: "no-store" })).json();

  /** A page of a place with a release that its worker keeps. */
  async function visit(place, release) {
    await publish(place, { Release: release });
    const frame = open(place);
    await stamps(frame);
    await kept(frame);
    await sent(place);
    return frame;
  }

  async function leave(place, frame) {
    frame.remove();
    await (await navigator.serviceWorker.getRegistration(`/${place}/`))?.unregister();
    for (const name of await caches.keys()) {
      if (name.startsWith(`site /${place}/ `)) {
        await caches.delete(name);
      }
    }
  }

  /**
   * A visitor of release `from`, and an update to release `to` while files whose names start with `file` fail. `whole`
   * tells whether the update succeeds anyway, because files can be downloaded whole. The page then starts offline with
   * one release, and an update without a fault succeeds in any case.
   */
  async function faulty(place, { from, to, file, fault, whole }, says) {
    const wrong = [];
    const expect = (when, got, want) => got === want || wrong.push(`${when}: “${got}” instead of “${want}”`);
    const frame = await visit(place, from);
    await publish(place, { Release: to, Fault: fault, File: file });
    expect("the update", await update(place), whole ? "activated" : "redundant");
    await publish(place, { Down: true });
    await reload(frame);
    expect("without a network after it", await stamps(frame), says[whole ? to : from]);
    if (!whole) {
      await settled(place);
      await publish(place, { Release: to });
      expect("the update without a fault", await update(place), "activated");
      await publish(place, { Down: true });
      await reload(frame);
      expect("without a network after that", await stamps(frame), says[to]);
    }
    await leave(place, frame);
    return wrong.map((w) => `${from} to ${to}, ${file}, ${fault}: ${w}`);
  }

  /** Runs many of them, a few at a time. */
  async function all(cases, says) {
    const left = [...cases.entries()];
    const wrong = [];
    const some = async () => {
      for (let next; (next = left.shift()) !== undefined; ) {
        const [n, trial] = next;
        try {
          wrong.push(...(await faulty(`d${n}`, trial, says)));
        } catch (error) {
          wrong.push(`${JSON.stringify(trial)}: ${error.message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, some));
    return { trials: cases.length, wrong };
  }

  /** The files that a visitor of one release downloads for another, and the page's offline state afterwards. */
  async function fetched(place, from, to) {
    const frame = await visit(place, from);
    await publish(place, { Release: to });
    const end = await update(place);
    const files = await sent(place);
    await publish(place, { Down: true });
    await reload(frame);
    const shown = await stamps(frame);
    await leave(place, frame);
    return { end, files, shown };
  }

  return { all, fetched };
})();
