// The file system that the studio's commands see: Go's package os calls it as node's module fs, with callbacks.
//
// Folders and the files of /tmp, /site and /pmlam are in memory. A file under /project is a Blob, read in pieces where
// it lies: a dropped file is never whole in memory. A file that a command writes there is stored (store.js) when the
// command syncs, closes, renames or removes it, one transaction each, so a killed tab leaves the state that a killed
// command would leave.

import { full } from "./store.js";

/** The folder that is stored, and that commands run in. */
export const project = "/project";

const windowSize = 1 << 20; // read ahead, in bytes
// Temporaries of core/internal/durable get their final name when they are whole.
const stored = (path) => path.startsWith(`${project}/`) && !/\/\.[^/]*\.tmp$/.test(path);

/** An error as Go expects it: by its code. */
function fault(code, path = "") {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

let inodes = 0;

class Folder {
  entries = new Map();
  inode = ++inodes;
  time = Date.now();
}

class File {
  inode = ++inodes;
  time = Date.now();
  size = 0;
  bytes = null; // the content in memory, with room behind it; null: in blob
  blob = null;
  changed = false; // since it was stored
  window = { at: 0, bytes: new Uint8Array(0) };
  last = 0; // where the last reading ended

  static of(blob, time) {
    const file = new File();
    Object.assign(file, { blob, size: blob.size, time });
    return file;
  }

  /** Copies bytes at a position into a buffer and returns how many there are, or a promise of it. */
  read(to, at) {
    const want = Math.min(to.length, this.size - at);
    if (want <= 0) {
      return 0;
    }
    if (this.bytes !== null) {
      to.set(this.bytes.subarray(at, at + want));
      return want;
    }
    const have = this.window;
    const inside = at - have.at;
    if (inside >= 0 && inside < have.bytes.length) {
      const some = have.bytes.subarray(inside, inside + want);
      to.set(some);
      this.last = at + some.length;
      return some.length;
    }
    const ahead = at === this.last ? windowSize : want;
    return this.blob
      .slice(at, at + Math.max(ahead, want))
      .arrayBuffer()
      .then((buffer) => {
        if (buffer.byteLength === 0) {
          throw fault("EIO"); // the file was changed or removed on the disk
        }
        this.window = { at, bytes: new Uint8Array(buffer) };
        return this.read(to, at);
      });
  }

  /** Makes the content writable; a promise if it has to be read first. */
  open() {
    if (this.bytes !== null) {
      return undefined;
    }
    if (this.size === 0) {
      this.bytes = new Uint8Array(1024);
      this.blob = null;
      return undefined;
    }
    return this.blob.arrayBuffer().then((buffer) => {
      // Another call may have been quicker, and have written.
      if (this.bytes === null) {
        this.bytes = new Uint8Array(buffer);
        this.blob = null;
      }
    });
  }

  /** Writes at a position; the content is open. */
  write(from, at) {
    const end = at + from.length;
    if (end > this.bytes.length) {
      const more = new Uint8Array(Math.max(end, 2 * this.bytes.length));
      more.set(this.bytes.subarray(0, this.size));
      this.bytes = more;
    }
    this.bytes.set(from, at);
    this.touch(Math.max(this.size, end));
    return from.length;
  }

  touch(size) {
    this.size = size;
    this.time = Date.now();
    this.changed = true;
  }

  truncate(size) {
    if (size > this.bytes.length) {
      this.write(new Uint8Array(size - this.size), this.size);
    }
    this.bytes.fill(0, size, this.size);
    this.touch(size);
  }

  /** The content as a Blob. */
  toBlob() {
    return this.bytes === null ? (this.blob ?? new Blob([])) : new Blob([this.bytes.subarray(0, this.size)]);
  }

  /** Keeps a stored content as this Blob only. */
  rest(blob) {
    this.blob = blob;
    this.bytes = null;
    this.window = { at: 0, bytes: new Uint8Array(0) };
  }
}

/** The path without . and .. parts, from the root; relative ones start in the project. */
function absolute(path) {
  const parts = [];
  for (const part of (path.startsWith("/") ? path : `${project}/${path}`).split("/")) {
    if (part === "..") {
      parts.pop();
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return parts;
}

const flags = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

/**
 * The file system over a store. It has the methods that Go calls, and others for the worker.
 *
 * @param {import("./store.js").Store} store
 * @param {(text: string) => void} onFull called once if the storage is full; afterwards nothing is stored until erase
 */
export function createFiles(store, onFull = () => {}) {
  const root = new Folder();
  const descriptors = new Map(); // number → {file, path, at, append}
  const outputs = { 1: () => {}, 2: () => {} };
  let next = 3;
  let keeps = true;

  /** The folder of a path and the last part of its name. */
  function parent(path, make = false) {
    const parts = absolute(path);
    const name = parts.pop() ?? "";
    let folder = root;
    for (const part of parts) {
      let inner = folder.entries.get(part);
      if (inner === undefined && make) {
        inner = new Folder();
        folder.entries.set(part, inner);
      }
      if (inner === undefined) {
        throw fault("ENOENT", path);
      }
      if (!(inner instanceof Folder)) {
        throw fault("ENOTDIR", path);
      }
      folder = inner;
    }
    return { folder, name };
  }

  function find(path) {
    const { folder, name } = parent(path);
    const node = name === "" ? root : folder.entries.get(name);
    if (node === undefined) {
      throw fault("ENOENT", path);
    }
    return node;
  }

  const fileOf = (fd) => {
    const open = descriptors.get(fd);
    if (open === undefined) {
      throw fault("EBADF");
    }
    return open;
  };

  /** Stores changes in one transaction: [path, blob or null, time]. */
  async function commit(changes) {
    const wanted = changes.filter(([path]) => stored(path));
    if (!keeps || wanted.length === 0) {
      return;
    }
    try {
      await store.commit(wanted);
    } catch (error) {
      // The tab goes on in memory. The stored files are an earlier state, and complete.
      keeps = false;
      onFull(full(error) ? "The browser's storage for this page is full." : `The browser cannot store: ${error}`);
    }
  }

  /** Stores a file that has changed. Unless it is still open, its copy in memory goes. */
  function save(file, path) {
    if (!file.changed || !stored(path)) {
      return undefined;
    }
    const blob = file.toBlob();
    file.changed = false;
    if (![...descriptors.values()].some((open) => open.file === file)) {
      file.rest(blob);
    }
    return commit([[path, blob, file.time]]);
  }

  /** All files under a path, with their paths. */
  function* walk(node, path) {
    if (node instanceof File) {
      yield [path, node];
      return;
    }
    for (const [name, inner] of node.entries) {
      yield* walk(inner, `${path}/${name}`);
    }
  }

  const stat = (node) => {
    const folder = node instanceof Folder;
    const size = folder ? 0 : node.size;
    return {
      dev: 1,
      ino: node.inode,
      mode: folder ? 0o40755 : 0o100644,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      size,
      blksize: 4096,
      blocks: Math.ceil(size / 512),
      atimeMs: node.time,
      mtimeMs: node.time,
      ctimeMs: node.time,
      isDirectory: () => folder,
    };
  };

  // What Go calls, without the callback. A result may be a promise.
  const calls = {
    open(path, how) {
      const { folder, name } = parent(path);
      let node = name === "" ? root : folder.entries.get(name);
      const writes = (how & 3) !== 0;
      if (node !== undefined && how & flags.O_CREAT && how & flags.O_EXCL) {
        throw fault("EEXIST", path);
      }
      if (node instanceof Folder && writes) {
        throw fault("EISDIR", path);
      }
      if (node instanceof File && how & flags.O_DIRECTORY) {
        throw fault("ENOTDIR", path);
      }
      if (node === undefined) {
        if (!(how & flags.O_CREAT)) {
          throw fault("ENOENT", path);
        }
        node = new File();
        node.changed = true;
        folder.entries.set(name, node);
      }
      const fd = next++;
      descriptors.set(fd, { file: node, path: `/${absolute(path).join("/")}`, at: 0, append: how & flags.O_APPEND });
      if (writes && how & flags.O_TRUNC) {
        Object.assign(node, { bytes: null, blob: null });
        node.touch(0);
      }
      const opened = writes ? node.open() : undefined;
      return opened === undefined ? fd : opened.then(() => fd);
    },
    close(fd) {
      const { file, path } = fileOf(fd);
      descriptors.delete(fd);
      return file instanceof File && named(file, path) ? save(file, path) : undefined;
    },
    fsync(fd) {
      const { file, path } = fileOf(fd);
      if (!(file instanceof File) || !named(file, path)) {
        return undefined;
      }
      return save(file, path);
    },
    read(fd, buffer, offset, length, position) {
      const open = fileOf(fd);
      if (open.file instanceof Folder) {
        throw fault("EISDIR", open.path);
      }
      const to = buffer.subarray(offset, offset + length);
      if (position !== null) {
        return open.file.read(to, position);
      }
      const move = (n) => {
        open.at += n;
        return n;
      };
      const got = open.file.read(to, open.at);
      return typeof got === "number" ? move(got) : got.then(move);
    },
    write(fd, buffer, offset, length, position) {
      const from = buffer.subarray(offset, offset + length);
      if (fd in outputs) {
        outputs[fd](from);
        return length;
      }
      const open = fileOf(fd);
      const write = () => {
        if (position !== null) {
          return open.file.write(from, position);
        }
        open.at = (open.append ? open.file.size : open.at) + length;
        return open.file.write(from, open.at - length);
      };
      const opened = open.file.open(); // another descriptor may have stored it
      return opened === undefined ? write() : opened.then(write);
    },
    ftruncate(fd, length) {
      const { file } = fileOf(fd);
      const opened = file.open();
      return opened === undefined ? file.truncate(length) : opened.then(() => file.truncate(length));
    },
    truncate(path, length) {
      const file = find(path);
      const done = () => {
        file.truncate(length);
        return save(file, `/${absolute(path).join("/")}`);
      };
      const opened = file.open();
      return opened === undefined ? done() : opened.then(done);
    },
    stat: (path) => stat(find(path)),
    lstat: (path) => stat(find(path)),
    fstat(fd) {
      if (fd < 3) {
        return { ...stat(new File()), mode: 0o20666 }; // a terminal's kind
      }
      return stat(fileOf(fd).file);
    },
    mkdir(path) {
      const { folder, name } = parent(path);
      if (name === "" || folder.entries.has(name)) {
        throw fault("EEXIST", path);
      }
      folder.entries.set(name, new Folder());
    },
    readdir(path) {
      const node = find(path);
      if (!(node instanceof Folder)) {
        throw fault("ENOTDIR", path);
      }
      return [...node.entries.keys()];
    },
    rename(from, to) {
      const source = parent(from);
      const node = source.folder.entries.get(source.name);
      const target = parent(to);
      const old = target.folder.entries.get(target.name);
      if (node === undefined) {
        throw fault("ENOENT", from);
      }
      if (old instanceof Folder && (old.entries.size > 0 || node instanceof File)) {
        throw fault(old.entries.size > 0 ? "ENOTEMPTY" : "EISDIR", to);
      }
      const [was, is] = [from, to].map((path) => `/${absolute(path).join("/")}`);
      if (was === is) {
        return undefined;
      }
      source.folder.entries.delete(source.name);
      target.folder.entries.set(target.name, node);
      const changes = [];
      for (const [path, file] of walk(node, is)) {
        changes.push([was + path.slice(is.length), null, 0]);
        if (stored(path)) {
          const blob = file.toBlob();
          file.changed = false;
          file.rest(blob);
          changes.push([path, blob, file.time]);
        }
      }
      for (const open of descriptors.values()) {
        if (open.path === was || open.path.startsWith(`${was}/`)) {
          open.path = is + open.path.slice(was.length);
        }
      }
      return commit(changes);
    },
    unlink(path) {
      const { folder, name } = parent(path);
      const node = find(path);
      if (node instanceof Folder) {
        throw fault("EISDIR", path);
      }
      folder.entries.delete(name);
      return commit([[`/${absolute(path).join("/")}`, null, 0]]);
    },
    rmdir(path) {
      const { folder, name } = parent(path);
      const node = find(path);
      if (!(node instanceof Folder)) {
        throw fault("ENOTDIR", path);
      }
      if (node.entries.size > 0) {
        throw fault("ENOTEMPTY", path);
      }
      folder.entries.delete(name);
      return undefined;
    },
    utimes(path, _accessed, modified) {
      find(path).time = modified * 1000;
    },
    chmod: (path) => void find(path),
    fchmod: () => undefined,
    chown: (path) => void find(path),
    fchown: () => undefined,
    lchown: (path) => void find(path),
    readlink(path) {
      find(path);
      throw fault("EINVAL", path); // there are no links
    },
    link(_path, to) {
      throw fault("ENOSYS", to);
    },
    symlink(_path, to) {
      throw fault("ENOSYS", to);
    },
  };

  /** Whether a path still names a file. */
  function named(file, path) {
    try {
      return find(path) === file;
    } catch {
      return false;
    }
  }

  const fs = { constants: flags };
  for (const [name, call] of Object.entries(calls)) {
    fs[name] = (...args) => {
      const callback = args.pop();
      let result;
      try {
        result = call(...args);
      } catch (error) {
        callback(typeof error.code === "string" ? error : fault("EIO", error.message));
        return;
      }
      if (result instanceof Promise) {
        result.then(
          (value) => callback(null, value),
          (error) => callback(typeof error.code === "string" ? error : fault("EIO", error.message)),
        );
      } else {
        callback(null, result);
      }
    };
  }
  fs.writeSync = (fd, bytes) => calls.write(fd, bytes, 0, bytes.length, null);

  const process = {
    pid: 1,
    ppid: 0,
    getuid: () => 0,
    getgid: () => 0,
    geteuid: () => 0,
    getegid: () => 0,
    getgroups: () => [],
    umask: () => 0o22,
    cwd: () => project,
    chdir() {
      throw fault("ENOSYS");
    },
  };

  return {
    fs,
    process,
    path: { resolve: (...parts) => `/${absolute(parts.join("/")).join("/")}` },

    /** Fills the project with the stored files. */
    async load() {
      for (const name of ["project", "tmp", "pmlam", "site"]) {
        root.entries.set(name, new Folder());
      }
      for (const { path, blob, time } of await store.load()) {
        const { folder, name } = parent(path, true);
        folder.entries.set(name, File.of(blob, time));
      }
    },

    /** Whether everything under /project is stored. */
    keeps: () => keeps && store.durable,

    /** Sends what commands print on standard output and standard error to these functions, in bytes. */
    setOutputs(out, err) {
      Object.assign(outputs, { 1: out, 2: err });
    },

    /** Closes what a command that was cut off left open. */
    closeAll() {
      descriptors.clear();
    },

    /** Removes a folder outside of the project. */
    clear(path) {
      const { folder, name } = parent(path, true);
      folder.entries.set(name, new Folder());
    },

    /** Puts a Blob at a path, with the folders above it, without storing it. */
    put(path, blob) {
      const { folder, name } = parent(path, true);
      folder.entries.set(name, File.of(blob, Date.now()));
    },

    /** Stores a file that put has put. */
    async keep(path) {
      const file = find(path);
      await commit([[path, file.toBlob(), file.time]]);
    },

    /** The content of a file as a Blob; null if there is no such file. */
    blob(path) {
      try {
        const node = find(path);
        return node instanceof File ? node.toBlob() : null;
      } catch {
        return null;
      }
    },

    /** The files under a folder: [path relative to it, size, time]. */
    list(path) {
      try {
        return [...walk(find(path), "")].map(([name, file]) => ({
          path: name.slice(1),
          size: file.size,
          time: file.time,
        }));
      } catch {
        return [];
      }
    },

    /** Removes a file, or a folder with everything in it, in one transaction. */
    async remove(path) {
      let node;
      try {
        node = find(path);
      } catch {
        return;
      }
      const { folder, name } = parent(path);
      folder.entries.delete(name);
      await commit([...walk(node, path)].map(([name]) => [name, null, 0]));
    },

    /** Removes the project and the site, and everything that is stored, also after the storage was full. */
    async erase() {
      await store.erase();
      for (const name of ["project", "site"]) {
        root.entries.set(name, new Folder());
      }
      keeps = true;
    },
  };
}
