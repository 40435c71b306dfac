// Visits to the tiny site while the storage of its worker fails (faults.js stands before that), in frames of this tab. Whatever
// fails, the page opens: from what is kept, from the network, or as a readable page that says why it does not. And what it says of
// its copy is so. Each trial gives what did not go as promised.
globalThis.faultTrials = (() => {
  const { publish, update } = trials;
  const moment = () => new Promise((resolve) => setTimeout(resolve, 5));
  const patience = 20_000;
  const sentence = "This page cannot be opened"; // of the readable page

  async function until(what, f) {
    for (const end = performance.now() + patience; ; await moment()) {
      const value = await f();
      if (value) {
        return value;
      }
      if (performance.now() > end) {
        throw new Error(`waited in vain for ${what}`);
      }
    }
  }

  /** Loads a place into a frame, anew where it is there, and gives what it shows: stamps, or the readable page's text. */
  async function visit(frame, place) {
    if (frame.isConnected) {
      frame.contentWindow.location.reload();
    } else {
      frame.src = `/${place}/`;
      document.body.append(frame);
    }
    await new Promise((loaded) => frame.addEventListener("load", loaded, { once: true }));
    return until("a page", () => {
      if (frame.contentDocument === null) {
        return "lost: the browser's own page of an error";
      }
      const { body, documentElement } = frame.contentDocument;
      return documentElement.dataset.stamps || (body?.textContent.includes(sentence) ? sentence : "");
    });
  }

  /** Gives the active worker of a place a fault, null: none, and returns what it has asked of its storage since the last. */
  async function fault(place, f) {
    const { active } = await until("a worker", () => navigator.serviceWorker.getRegistration(`/${place}/`));
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    active.postMessage({ fault: f }, [port2]);
    return answer;
  }

  /** What the page says of its copy, once it says anything but that it is being made. */
  const says = (frame) =>
    until("the page to say whether it is kept", () => {
      const known = frame.contentWindow.tiny?.known;
      return known?.since > 0 ? "kept" : known?.refused ? (known.full ? "no room" : "refused") : "";
    });

  /** What came of one visit to a place while its worker has this fault. stamps are what may be shown; the first is the newest. */
  async function one(place, frame, f, down, stamps) {
    const wrong = [];
    const expect = (what, got, want) => want.includes(got) || wrong.push(`${what}: “${got}” instead of “${want.join("” or “")}”`);
    await publish(place, { Release: "one", NoStore: true, Down: down });
    await fault(place, f);
    const shown = await visit(frame, place);
    expect("the page", shown, stamps);
    let said = "";
    if (shown !== sentence) {
      said = await says(frame);
    }
    const calls = await fault(place, null);
    if (said === "kept") {
      await publish(place, { Down: true });
      expect(`the page, which said that it is kept, without a network`, await visit(frame, place), [stamps[0]]);
    }
    await publish(place, { Release: "one", NoStore: true });
    await until("the site to be kept again", async () => {
      expect("the page, once nothing fails", await visit(frame, place), [stamps[0]]);
      return wrong.length > 0 || (await says(frame)) === "kept";
    });
    return { wrong, calls, said };
  }

  /** A place whose site is kept, and whose page has a worker. */
  async function settled(place) {
    await publish(place, { Release: "one", NoStore: true });
    const frame = document.createElement("iframe");
    await visit(frame, place);
    await until("the site to be kept", async () => (await says(frame)) === "kept");
    await visit(frame, place);
    return frame;
  }

  /**
   * Visits to a place whose site is kept: each call of the storage fails in turn, by number until there is none of that number, or
   * by method. down: the host cannot be reached meanwhile.
   */
  async function returning(place, error, down, methods, stamp) {
    const frame = await settled(place);
    // What was removed cannot be shown without a network; all else is there.
    const stamps = down && (error === "removed" || methods !== null) ? [stamp, sentence] : [stamp];
    const all = { trials: 0, wrong: [], said: {} };
    for (let at = 1; ; at++) {
      const f = methods === null ? { at, error } : { method: methods[at - 1], error };
      if (methods !== null && at > methods.length) {
        return all;
      }
      const { wrong, calls, said } = await one(place, frame, f, down, stamps);
      if (methods === null && calls.length < at) {
        return all;
      }
      all.trials++;
      all.said[said] = (all.said[said] ?? 0) + 1;
      all.wrong.push(...wrong.map((w) => `${error} at ${methods?.[at - 1] ?? `call ${at}, ${calls[at - 1]}`}${down ? ", without a network" : ""}: ${w}`));
      if (wrong.length > 3) {
        return all;
      }
    }
  }

  /** First visits, each to a place of its own, whose worker has a fault from its beginning. */
  async function first(error, faults, stamp) {
    const all = { trials: 0, wrong: [], said: {} };
    for (const [at, method] of faults) {
      const place = `one:${at}:${method}:${error}`;
      await publish(place, { Release: "one", NoStore: true });
      const frame = document.createElement("iframe");
      let said = "";
      for (const visits of ["the first visit", "the second", "the third"]) {
        const shown = await visit(frame, place);
        if (shown !== stamp) {
          all.wrong.push(`${error} at ${method || `call ${at}`}: ${visits} shows “${shown}”`);
        }
        said = await says(frame);
      }
      if (said === "kept") {
        await publish(place, { Down: true });
        const shown = await visit(frame, place);
        if (shown !== stamp) {
          all.wrong.push(`${error} at ${method || `call ${at}`}: the page, which said that it is kept, shows without a network “${shown}”`);
        }
      }
      all.trials++;
      all.said[said] = (all.said[said] ?? 0) + 1;
      frame.remove();
      await (await navigator.serviceWorker.getRegistration(`/${place}/`))?.unregister();
    }
    return all;
  }

  /** Updates from release one to release two, whose worker has a fault from its beginning. What starts is one of them, whole. */
  async function updates(error, faults, old, fresh) {
    const all = { trials: 0, wrong: [], said: {} };
    for (const [at, method] of faults) {
      const place = `two:${at}:${method}:${error}`;
      const frame = await settled(place);
      await publish(place, { Release: "two", NoStore: true });
      const end = await update(place);
      all.said[end] = (all.said[end] ?? 0) + 1;
      for (const to of [{ Down: true }, { Release: "two", NoStore: true }, { Down: true }]) {
        await publish(place, to);
        const shown = await visit(frame, place);
        if (![old, fresh].includes(shown)) {
          all.wrong.push(`${error} at ${method || `call ${at}`}, after an update that ended ${end}: “${shown}”`);
        }
      }
      all.trials++;
      frame.remove();
      await (await navigator.serviceWorker.getRegistration(`/${place}/`))?.unregister();
    }
    return all;
  }

  return { settled, returning, first, updates, fault, visit, says };
})();
