// Visits to the tiny site in frames of this tab, while its worker's storage fails (faults.js precedes the worker).
// Whatever fails, the page opens: from the copy, from the network, or as a readable error page. The page's message
// about its copy is true. Each trial returns its failures.
globalThis.faultTrials = (() => {
  const { publish, update } = trials;
  const moment = () => new Promise((resolve) => setTimeout(resolve, 25));
  const patience = 60_000;
  const sentence = "This page cannot be opened"; // of the readable error page
  const last = 50; // calls; more than a worker makes until its site is kept
  const stripped = "the page without its files"; // which were removed after the page was read

  async function state() {
    const all = [...document.querySelectorAll("iframe")].map(async (frame) => {
      const r = await navigator.serviceWorker.getRegistration(frame.src);
      const workers = ["installing", "waiting", "active"].filter((at) => r?.[at]).map((at) => `${at} ${r[at].state}`);
      return `${frame.src}: ${JSON.stringify(frame.contentWindow.tiny?.known)}, workers: ${workers}`;
    });
    return (await Promise.all(all)).join("; ");
  }

  async function until(what, f) {
    for (const end = performance.now() + patience; ; await moment()) {
      const value = await f();
      if (value) {
        return value;
      }
      if (performance.now() > end) {
        throw new Error(`waited in vain for ${what}; ${await state()}`);
      }
    }
  }

  /** Loads a place into a frame, again if it is already there, and returns its stamps, or the error page's text. */
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
      const asked = frame.contentWindow.performance.getEntriesByType("resource");
      if (!documentElement.dataset.stamps && asked.some((e) => e.responseStatus === 0)) {
        return stripped;
      }
      return documentElement.dataset.stamps || (body?.textContent.includes(sentence) ? sentence : "");
    });
  }

  /**
   * Gives the active worker of a place a fault, or null for none, and returns its storage calls since the last time.
   */
  async function fault(place, f) {
    const { active } = await until("a worker", () => navigator.serviceWorker.getRegistration(`/${place}/`));
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    active.postMessage({ fault: f }, [port2]);
    return answer;
  }

  /** The page's message about its copy, once it is no longer in progress. */
  const says = (frame) =>
    until(`the page of ${frame.src} to say whether it is kept`, () => {
      const known = frame.contentWindow.tiny?.known;
      return known?.since > 0 ? "kept" : known?.refused ? (known.full ? "no room" : "refused") : "";
    });

  /**
   * The result of one visit to a place while its worker has this fault. `stamps` are the acceptable states, newest
   * first.
   */
  async function one(place, frame, f, down, stamps) {
    const wrong = [];
    const expect = (what, got, want) => want.includes(got) ||
      wrong.push(`${what}: “${got}” instead of “${want.join("” or “")}”`);
    await publish(place, { Release: "one", NoStore: true, Down: down });
    await fault(place, f);
    let shown = await visit(frame, place);
    if (shown === stripped && stamps.includes(sentence)) {
      shown = await visit(frame, place); // the visitor reloads and sees the message
    }
    expect("the page", shown, stamps);
    let said = "";
    if (shown !== sentence && frame.contentDocument !== null) {
      said = await says(frame);
    }
    const calls = await fault(place, null);
    if (said === "kept") {
      await publish(place, { Down: true });
      const again = await visit(frame, place);
      if (again === stamps[0] && (await says(frame)) === "kept") {
        return { wrong, calls, said };
      }
      // Data removed after the message is gone anyway.
      if (again !== stamps[0] && (f.error !== "removed" || again !== sentence)) {
        wrong.push(`the page, which said that it is kept, without a network: “${again}”`);
      }
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

  /** Counts trials and collects failures. */
  function tally(kind, least) {
    const all = { kind, least, trials: 0, wrong: [], said: {} };
    const add = (what, said, wrong) => {
      all.trials++;
      all.said[said] = (all.said[said] ?? 0) + 1;
      all.wrong.push(...wrong.map((w) => `${kind}, ${what}: ${w}`));
    };
    return { all, add, hopeless: () => all.wrong.length > 5 };
  }

  /** Fails each numbered call of a worker, as long as there are calls, while a page and its files are requested. */
  async function byNumber(place, errors, down, stamp) {
    const { all, add, hopeless } = tally(`${errors} once${down ? ", without a network" : ""}`, 30);
    const frame = await settled(place);
    for (let at = 1; !hopeless(); at++) {
      const error = errors[at % errors.length];
      // Removed data cannot be shown offline; everything else is there.
      const { wrong, calls, said } = await one(place, frame, { at, error }, down,
        down && error === "removed" ? [stamp, sentence] : [stamp]);
      if (calls.length < at) {
        break;
      }
      add(`${error} at call ${at}, ${calls[at - 1]}`, said, wrong);
    }
    return all;
  }

  async function byMethod(place, error, down, methods, stamp) {
    const { all, add } = tally(`${error} always${down ? ", without a network" : ""}`, methods.length);
    const frame = await settled(place);
    for (const method of methods) {
      const { wrong, said } = await one(place, frame, { method, error }, down, down ? [stamp, sentence] : [stamp]);
      add(method, said, wrong);
    }
    return all;
  }

  /**
   * Visits places with kept sites: each storage call fails in turn, and each method in all its calls. The two
   * exceptions alternate by number, so that each call meets both, one of them offline.
   */
  function returning(exceptions, methods, stamp) {
    const trials = [];
    for (const down of [false, true]) {
      trials.push(byNumber(`n-exceptions-${down}`, down ? exceptions : exceptions.toReversed(), down, stamp));
      trials.push(byNumber(`n-removed-${down}`, ["removed"], down, stamp));
      for (const error of [...exceptions, "removed"]) {
        trials.push(byMethod(`m-${error}-${down}`, error, down, methods, stamp));
      }
    }
    return Promise.all(trials);
  }

  /**
   * Faults of a worker from its start, by number, with alternating exceptions, and by method. f runs a trial at a place
   * whose name contains the fault, and returns {wrong, said}.
   */
  function fromTheBeginning(exceptions, methods, release, f) {
    const numbers = async (errors) => {
      const { all, add, hopeless } = tally(`${errors} once`, last);
      for (let at = 1; at <= last && !hopeless(); at++) {
        const error = errors[at % errors.length];
        const { wrong, said } = await f(`${release}:${at}::${error}`);
        add(`${error} at call ${at}`, said, wrong);
      }
      return all;
    };
    const always = async (error) => {
      const { all, add } = tally(`${error} always`, methods.length);
      for (const method of methods) {
        const { wrong, said } = await f(`${release}::${method}:${error}`);
        add(method, said, wrong);
      }
      return all;
    };
    return Promise.all([numbers(exceptions), numbers(["removed"]), ...[...exceptions, "removed"].map(always)]);
  }

  async function leave(place, frame) {
    frame.remove();
    await (await navigator.serviceWorker.getRegistration(`/${place}/`))?.unregister();
  }

  /** First visits, each to its own place, whose worker has a fault from its start. */
  const first = (exceptions, methods, stamp) =>
    fromTheBeginning(exceptions, methods, "one", async (place) => {
      const wrong = [];
      const expect = (what, got) => got === stamp || wrong.push(`${what}: “${got}”`);
      await publish(place, { Release: "one", NoStore: true });
      const frame = document.createElement("iframe");
      let said = "";
      for (const visits of ["the first visit", "the second", "the third"]) {
        expect(visits, await visit(frame, place));
        said = await says(frame);
      }
      if (said === "kept" && !place.includes("removed")) {
        await publish(place, { Down: true });
        expect("the page, which said that it is kept, without a network", await visit(frame, place));
      }
      await leave(place, frame);
      return { wrong, said };
    });

  /** Updates from release one to release two, whose worker has a fault from its start. One complete release starts. */
  const updates = (exceptions, methods, old, fresh) =>
    fromTheBeginning(exceptions, methods, "two", async (place) => {
      const wrong = [];
      const frame = await settled(place);
      await publish(place, { Release: "two", NoStore: true });
      const said = await update(place);
      for (const to of [{ Down: true }, { Release: "two", NoStore: true }, { Down: true }]) {
        await publish(place, to);
        let shown = await visit(frame, place);
        if (to.Down && place.includes("removed")) {
          shown = [stripped, sentence].includes(shown) ? fresh : shown;
        }
        if (shown !== old && shown !== fresh) {
          wrong.push(`after an update that ended ${said}: “${shown}”`);
        }
      }
      await leave(place, frame);
      return { wrong, said };
    });

  /** Two sites on one origin, one of which cannot be kept: a page only hears of its own site. */
  async function neighbours(stamp) {
    const { all, add } = tally("neighbours", 1);
    const wrong = [];
    const place = "one::*:QuotaExceededError";
    await publish(place, { Release: "one", NoStore: true });
    const frame = document.createElement("iframe");
    await visit(frame, place);
    const said = await says(frame);
    const heard = [];
    frame.contentWindow.navigator.serviceWorker.addEventListener("message", ({ data }) => heard.push(data.kind));
    const other = await settled("kept");
    const still = await says(frame);
    if (said === "kept" || still !== said || heard.length > 0 || (await says(other)) !== "kept") {
      wrong.push(`the page said “${said}”, then “${still}”; it heard “${heard.join(", ")}” of the other site`);
    }
    await leave(place, frame);
    await leave("kept", other);
    add("a site beside it", said, wrong);
    return [all];
  }

  return { returning, first, updates, neighbours };
})();
