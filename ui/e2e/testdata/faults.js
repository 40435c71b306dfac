// Precedes the service worker of a tiny site, counts its storage calls, and makes them fail.
//
// A fault is {at, method, error}. It affects the call of that number, counted from 1, or all calls of that method, such
// as "Cache.put", or "*" for any. The call throws an exception named `error` or, for "removed", all caches of the site
// disappear. A worker has the fault in the name of its folder (/RELEASE:AT:METHOD:ERROR/…, for the worker of that
// release), or one sent by message; {fault} is answered with the names of all calls since the last one.
//
// RELEASE, set before this script, is the worker's release.
(() => {
  const [release, at, method, error] = new URL("./", self.location.href).pathname.split("/")[1].split(":");
  let fault = release === RELEASE ? { at: Number(at), method, error } : null;
  let calls = [];
  const remove = CacheStorage.prototype.delete;
  const names = CacheStorage.prototype.keys;

  async function removed() {
    const folder = new URL("./", self.location.href).pathname;
    for (const name of await names.call(caches)) {
      if (name.startsWith(`site ${folder} `)) {
        await remove.call(caches, name);
      }
    }
  }

  for (const [type, methods] of [
    [CacheStorage, ["keys", "match", "open", "delete"]],
    [Cache, ["keys", "match", "put"]],
    [LockManager, ["request"]],
    [Clients, ["get", "matchAll", "claim"]],
  ]) {
    for (const name of methods) {
      const original = type.prototype[name];
      type.prototype[name] = function (...a) {
        const call = `${type.name}.${name}`;
        calls.push(call);
        const struck = fault !== null && (calls.length === fault.at || fault.method === call || fault.method === "*");
        if (!struck) {
          return original.apply(this, a);
        }
        if (fault.error === "removed") {
          return removed().then(() => original.apply(this, a));
        }
        return Promise.reject(new DOMException("as the test has it", fault.error));
      };
    }
  }

  self.addEventListener("message", (event) => {
    if (event.data?.fault !== undefined) {
      event.ports[0].postMessage(calls);
      fault = event.data.fault;
      calls = [];
    }
  });
})();
