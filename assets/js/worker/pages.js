// Talks with the pages that are open: how their starts went, what they want to know. Loaded by service-worker.js.

// What a page says of its start.
const words = {
  started(version, id) {
    version.failures = 0;
    version.proven = true;
    version.clients[id] = "started";
  },
  failed(version, id) {
    if (version.clients[id] === "open") {
      version.failures += 1;
    }
    version.clients[id] = "counted";
  },
  // It was left before it could start: no failure.
  excused(version, id) {
    if (version.clients[id] === "counted") {
      version.failures -= 1;
    }
    delete version.clients[id];
  },
};

async function hear(word, name, id) {
  await attempt(() =>
    exclusively(async () => {
      const version = (await versions()).find((v) => v.version === name);
      if (version !== undefined) {
        words[word](version, id);
        await note(version);
      }
    }),
  );
  if (word === "started") {
    // A page that began without a worker (the first visit; one loaded anew past everything) gets one. A worker that has
    // no page gives way to a new one as soon as it has nothing to do: at that page's reload, say, and Chromium then
    // took the page from it and its files past it. A worker that was replaced meanwhile may not claim, and need not.
    await attempt(() => self.clients.claim());
    await attempt(tidy);
    await tell();
  }
}

let fetchedAgain = false;

/**
 * What a page wants to know: since when the site starts without a network (0: not yet), and whether a newer version
 * waits; also, but only where it is so, that what there is could not be fetched or read (refused), and that there is no
 * room (full).
 */
async function state(event, name) {
  const known = await attempt(
    async () => {
      const all = await versions();
      const next = await choose(all);
      const running = all.find((v) => v.version === name);
      return { since: next?.since ?? 0, update: next !== null && running !== undefined && next.order > running.order };
    },
    { since: 0, update: false, refused: true },
  );
  const { installing, waiting } = self.registration;
  if (known.since === 0 && refusal === null && repairing === null && !installing && !waiting) {
    // It was lost since the page began. One worker fetches it once for that, and not for ever where it does not stay.
    known.refused ||= fetchedAgain;
    if (!known.refused) {
      fetchedAgain = true;
      event.waitUntil(repair());
    }
  }
  return { ...known, ...refusal, ...(full ? { full } : {}) };
}

/** Whether an address is the page's, whatever is asked of it. */
const isPage = (address) => [scope.href, page].includes(address.split(/[?#]/, 1)[0]);

/** Tells all pages of this site. The browser lists those of other sites of the same origin too. */
async function broadcast(message) {
  for (const client of await attempt(() => self.clients.matchAll({ type: "window", includeUncontrolled: true }), [])) {
    if (isPage(client.url)) {
      client.postMessage(message);
    }
  }
}

const tell = () => broadcast({ kind: "changed" });
