// A read-only file system in memory, for programs that read files in Chromium: as much of fs of node as Go needs.

/**
 * Fetches the files that files.json lists, and lets the program read them in the folder /data.
 * Output stays as wasm_exec.js set it: lines of the console.
 */
export async function mountFiles() {
  const names = await (await fetch("files.json")).json();
  const files = new Map();
  for (const name of names) {
    files.set(`/data/${name}`, new Uint8Array(await (await fetch(`data/${name}`)).arrayBuffer()));
  }
  const open = new Map(); // descriptor -> {path, at}
  let last = 100;
  const find = (path) => (path === "/" ? path : path.replace(/\/$/, ""));
  const fail = (code) => Object.assign(new Error(code), { code });
  const stat = (path) => {
    const file = files.get(find(path));
    if (file === undefined && find(path) !== "/data") {
      throw fail("ENOENT");
    }
    const [mode, size] = file === undefined ? [0o40755, 0] : [0o100644, file.length];
    const zeros = { dev: 0, ino: 0, nlink: 1, uid: 0, gid: 0, rdev: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0 };
    return { ...zeros, mode, size, blksize: 4096, blocks: 0, isDirectory: () => file === undefined };
  };
  /** Makes a function of node's fs, with a callback, of one that returns or throws. */
  const asynchronous =
    (f) =>
    (...args) => {
      const done = args.pop();
      let result;
      try {
        result = f(...args);
      } catch (error) {
        done(error);
        return;
      }
      done(null, result);
    };
  Object.assign(globalThis.fs, {
    stat: asynchronous(stat),
    lstat: asynchronous(stat),
    fstat: asynchronous((fd) => stat(open.get(fd).path)),
    readdir: asynchronous(() => names),
    open: asynchronous((path) => {
      stat(path);
      open.set(++last, { path: find(path), at: 0 });
      return last;
    }),
    close: asynchronous((fd) => void open.delete(fd)),
    read: asynchronous((fd, buffer, offset, length, position) => {
      const file = open.get(fd);
      const from = position === null ? file.at : Number(position);
      const part = files.get(file.path).subarray(from, from + length);
      buffer.set(part, offset);
      if (position === null) {
        file.at += part.length;
      }
      return part.length;
    }),
  });
}
