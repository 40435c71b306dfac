// Tests of the loader's parts under node: node --test pieces.test.mjs

import assert from "node:assert/strict";
import http from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import zlib from "node:zlib";
import { bytes, download, DownloadError, LengthError, Progress } from "../../../assets/js/loader/download.js";
import { hasSIMD, hasWebAssembly, instantiate } from "../../../assets/js/loader/instantiate.js";

async function serving(handler, use) {
  const server = http.createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}/file`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("progress adds up files, and knows the total only when it knows every size", () => {
  const reports = [];
  const progress = new Progress((loaded, total) => reports.push([loaded, total]));
  const a = progress.begin("a", 10);
  const b = progress.begin("b", 0);
  a.add(4);
  b.learn(20);
  b.learn(99); // already known
  b.add(20);
  a.add(6);
  a.end();
  b.end();
  assert.deepEqual(reports, [
    [0, 10],
    [0, 0],
    [4, 0],
    [4, 30],
    [4, 30],
    [24, 30],
    [30, 30],
    [30, 30],
    [30, 30],
  ]);
});

test("progress of a file that was begun again forgets the first attempt", () => {
  let last;
  const progress = new Progress((loaded, total) => (last = [loaded, total]));
  const first = progress.begin("a", 10);
  first.add(7);
  const second = progress.begin("a", 10);
  first.add(2);
  second.add(1);
  assert.deepEqual(last, [1, 10]);
});

test("a file larger than was said does not go past its total", () => {
  let last;
  const file = new Progress((loaded, total) => (last = [loaded, total])).begin("a", 10);
  file.add(12);
  assert.deepEqual(last, [12, 12]);
});

test("a download reports its bytes and gives them", async () => {
  const content = Buffer.alloc(300_000, 7);
  const answers = (_, answer) => answer.writeHead(200, { "Content-Length": content.length }).end(content);
  await serving(answers, async (url) => {
    let last;
    const ended = new Promise((resolve) => {
      const progress = new Progress((loaded, total) => {
        last = [loaded, total];
        if (loaded === content.length) resolve();
      });
      download(url, { progress })
        .then(bytes)
        .then((got) => assert.deepEqual(Buffer.from(got), content));
    });
    await ended;
    assert.deepEqual(last, [content.length, content.length]);
  });
});

test("a refusal, a broken connection and no connection are DownloadErrors", async () => {
  await serving(
    (_, answer) => answer.writeHead(503).end(),
    async (url) => {
      const unavailable = (e) => e instanceof DownloadError && e.status === 503 && e.message.includes(url);
      await assert.rejects(download(url), unavailable);
    },
  );
  await serving(
    (_, answer) => {
      answer.writeHead(200, { "Content-Length": 1000 }).write("part");
      setTimeout(() => answer.destroy(), 20);
    },
    async (url) => {
      await assert.rejects(download(url).then(bytes), (e) => e instanceof DownloadError && e.status === 0);
    },
  );
  let gone;
  await serving(
    (_, answer) => answer.end(),
    async (url) => (gone = url),
  );
  await assert.rejects(download(gone), (e) => e instanceof DownloadError && e.status === 0);
});

// A head followed by endless zeros, compressed into a few bytes.
function bomb(head) {
  return (_, answer) => {
    answer.writeHead(200, { "Content-Encoding": "gzip", "Content-Type": "application/wasm" });
    const zeros = new Readable({ read: () => zeros.push(Buffer.alloc(1 << 16)) });
    zeros.push(head);
    zeros.pipe(zlib.createGzip()).pipe(answer);
    answer.on("close", () => zeros.destroy());
  };
}

test("an answer that is longer than it may be is refused, packed or not", { timeout: 60_000 }, async () => {
  const tooLong = (e) => e instanceof LengthError && e.message.endsWith(" is longer than 1000000 bytes");
  const size = 1_000_000;
  const progress = new Progress(() => {});
  const wasm = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 0, 255, 255, 255, 255, 7, 1, 97]); // a section without end
  await serving(bomb(wasm), async (url) => {
    await assert.rejects(
      download(url).then((answer) => bytes(answer, { most: size })),
      tooLong,
    );
    await assert.rejects(
      download(url, { size, progress }).then((answer) => bytes(answer)),
      tooLong,
    );
    await assert.rejects(
      download(url, { most: size }).then((answer) => answer.arrayBuffer()),
      tooLong,
    );
    await assert.rejects(WebAssembly.compileStreaming(download(url, { size, progress })));
  });
});

test("of an answer that does not begin as it must only the begin is read", { timeout: 60_000 }, async () => {
  await serving(bomb(""), async (url) => {
    const got = await bytes(await download(url), { begin: "model" });
    assert.ok(got.length >= 5 && got.length < 1 << 20 && got.every((byte) => byte === 0));
  });
});

test("an answer of as many bytes as it may have, and a shorter one, are read", async () => {
  const content = Buffer.from("model".repeat(1_000_000));
  await serving(
    (_, answer) => answer.end(content),
    async (url) => {
      for (const most of [content.length, 1 << 30]) {
        const got = await bytes(await download(url, { size: content.length }), { most, begin: "model" });
        assert.deepEqual(Buffer.from(got), content);
      }
    },
  );
  await serving(
    (_, answer) => answer.end("mo"),
    async (url) => {
      assert.equal((await bytes(await download(url), { most: 2, begin: "model" })).length, 2);
    },
  );
});

test("this engine has WebAssembly and SIMD, and one that refuses the probe has not", () => {
  assert.ok(hasWebAssembly());
  assert.ok(hasSIMD());
  const { validate } = WebAssembly;
  try {
    WebAssembly.validate = () => false;
    assert.ok(!hasSIMD());
  } finally {
    WebAssembly.validate = validate;
  }
});

test("the program's failure is reported, the kernel's is not fatal", async () => {
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const go = { importObject: {} };
  const { simd, problem } = await instantiate(go, empty, Promise.reject(new Error("no kernel")));
  assert.equal(simd, false);
  assert.equal(problem.message, "no kernel");
  assert.equal((await instantiate(go, empty, null)).problem, null);
  const noKernel = Promise.reject(new Error("no kernel"));
  await assert.rejects(instantiate(go, new Uint8Array([1, 2, 3]), noKernel), WebAssembly.CompileError);
});
