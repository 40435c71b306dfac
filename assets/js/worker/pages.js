// Talks with open pages: the outcomes of their starts, and the state of the site's copy. Loaded by service-worker.js.

// A page's reports of its start.
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
  // The page was left before it could start: not a failure.
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
    // A page that was loaded without a worker (the first visit, or a forced reload) gets one. Otherwise a worker
    // without pages gives way to a new one as soon as it is idle, such as during that page's reload; Chromium then
    // bypassed it for the page and its files. A worker that was replaced meanwhile may not claim, and need not.
    await attempt(() => self.clients.claim());
    await attempt(tidy);
    await tell();
  }
}

let fetchedAgain = false;

/**
 * The state of the site's copy: since when the site starts without a network (0: not yet), and whether a newer version
 * waits. Where they apply, also refused (the site could not be fetched or read) and full (there is no room).
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
    // The copy was lost while the page was open. A worker fetches it again once, and not forever if it keeps getting
    // lost.
    known.refused ||= fetchedAgain;
    if (!known.refused) {
      fetchedAgain = true;
      event.waitUntil(repair());
    }
  }
  return { ...known, ...refusal, ...(full ? { full } : {}) };
}

/** Whether an address is the page's, with any query or fragment. */
const isPage = (address) => [scope.href, page].includes(address.split(/[?#]/, 1)[0]);

/** Tells all pages of this site. The browser also lists pages of other sites on the same origin. */
async function broadcast(message) {
  for (const client of await attempt(() => self.clients.matchAll({ type: "window", includeUncontrolled: true }), [])) {
    if (isPage(client.url)) {
      client.postMessage(message);
    }
  }
}

const tell = () => broadcast({ kind: "changed" });
