// Stands before the service worker of a tiny site: counts what it asks of the browser's storage, and has that fail.
//
// A fault is {at, method, error}: the call of that number fails, counted from 1; or all calls of that method, such as
// "Cache.put", or of any, "*", do. How: with an exception of the name error, or, where that is "removed", by all caches
// of the site being gone all of a sudden. A worker has the fault that its folder is named by
// (/RELEASE:AT:METHOD:ERROR/…, for the worker of that release), or the one that it is sent; {fault} is answered with
// the names of all calls since the one before.
//
// RELEASE, which stands in front of this script, is the worker's.
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
