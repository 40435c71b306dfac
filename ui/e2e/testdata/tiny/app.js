// A page whose every file says which version it is of. data-stamps of the document: what it has seen of them at its
// start.
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

/** What each file that the page names says, in the same order always. */
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

// What the tests ask of it. The lazy files are read at the time of asking.
globalThis.tiny = { stamps, failed, restart, known: null };
watch((known) => (globalThis.tiny.known = known));
root.dataset.stamps = await stamps();
switch (stamp) {
  case "silent": // something breaks before the start, and nobody says so
    throw new Error("this release is bad");
  case "slow": // it never comes so far
    break;
  case "broken":
    failed();
    break;
  default:
    started();
}
