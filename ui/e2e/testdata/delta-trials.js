// Updates of tiny sites by deltas, in frames of the tab that holds trials.js. Each resolves to what did not go as
// promised.
globalThis.deltaTrials = (() => {
  const { publish, open, stamps, kept, reload, update, settled } = globalThis.trials;

  /** What the host has sent of a place since it was asked last: names of files. */
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
   * A visitor of release from, and an update to release to while files whose names begin with file cannot be had. whole:
   * whether the update succeeds all the same, because files can be fetched whole. Then it starts without a network, all
   * of one release; and an update without a fault succeeds in any case.
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

  /** Many of them, a few at a time. */
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

  /** What a visitor of one release fetches of another, and what the page then shows without a network. */
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
