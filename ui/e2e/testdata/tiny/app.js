// A page whose every file has the stamp of its version. The document's data-stamps are the stamps found at its start.
import { failed, restart, started, watch } from "./offline.js";
import { stamp as part } from "./part.js";

const stamp = "STAMP";
const script = document.querySelector("script[data-model]");
const root = document.documentElement;

async function read(address) {
  const response = await fetch(address);
  return response.ok ? (await response.text()).trim() : `status ${response.status}`;
}

const linked = (kind) => document.querySelector(`link[rel=${kind}]`)?.href;

/** The stamps of all files that the page refers to, in a fixed order. */
async function stamps() {
  const seen = [root.dataset.stamp, stamp, part, await read(script.dataset.model)];
  if (linked("stylesheet")) {
    seen.push(getComputedStyle(root).getPropertyValue("--stamp").trim());
  }
  if (script.dataset.lazy) {
    seen.push(await read(script.dataset.lazy));
  }
  if (linked("icon")) {
    seen.push((await read(linked("icon"))).match(/<title>(.*)<\/title>/)[1]);
  }
  if (linked("manifest")) {
    seen.push(JSON.parse(await read(linked("manifest"))).name);
  }
  return seen.join(" ");
}

// The interface for tests. Lazy files are read on each call.
globalThis.tiny = { stamps, failed, restart, known: null };
watch((known) => (globalThis.tiny.known = known));
root.dataset.stamps = await stamps();
switch (stamp) {
  case "silent": // fails before the start without reporting it
    throw new Error("this release is bad");
  case "slow": // never gets to start
    break;
  case "broken":
    failed();
    break;
  default:
    started();
}
