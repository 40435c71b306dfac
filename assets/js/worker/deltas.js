// Builds files from earlier contents and the deltas that the site publishes. Loaded by service-worker.js.

/**
 * Builds a file with published deltas (core/delta) from the latest earlier contents in a cache; undefined if there are
 * none. Throws if a delta cannot be fetched, or the result is not the published file: then the whole file is fetched.
 */
async function byDeltas(all, { digest: want, steps = [] }, signal) {
  for (let first = steps.length - 1; first >= 0; first--) {
    const base = await found(all, steps[first].from.address, steps[first].from.digest);
    if (base === undefined) {
      continue;
    }
    let { content } = base;
    for (const step of steps.slice(first)) {
      const response = await fetch(new URL(step.address, scope), { mode: "same-origin", signal });
      const delta = await published(response, step);
      content = applied(new Uint8Array(content), new Uint8Array(delta)).buffer;
    }
    if ((await digest(content)) !== want) {
      throw new Error("a delta gives the wrong file");
    }
    return { content, headers: base.headers };
  }
}

/** Applies a delta to a base. Both were checked by their digests, so the delta is well formed. */
function applied(base, delta) {
  let at = 8; // after the header
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++];
      value += (byte % 128) * scale;
      if (byte < 128) {
        return value;
      }
    }
  };
  const target = new Uint8Array(number());
  const count = number();
  const [copies, literals, seeks] = Array.from({ length: 3 }, () => Array.from({ length: count }, number));
  let from = 0;
  let to = 0;
  for (let i = 0; i < count; i++) {
    from += seeks[i] % 2 === 0 ? seeks[i] / 2 : -(seeks[i] + 1) / 2;
    target.set(base.subarray(from, from + copies[i]), to);
    to += copies[i];
    target.set(delta.subarray(at, at + literals[i]), to);
    at += literals[i];
    to += literals[i];
    from += copies[i] + literals[i];
  }
  return target;
}
