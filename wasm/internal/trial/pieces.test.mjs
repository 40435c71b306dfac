// The loader's pieces under node: node --test pieces.test.mjs

import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";
import { bytes, download, DownloadError, Progress } from "../../../assets/js/loader/download.js";
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
  b.learn(99); // known by now
  b.add(20);
  a.add(6);
  a.end();
  b.end();
  assert.deepEqual(reports, [[0, 10], [0, 0], [4, 0], [4, 30], [4, 30], [24, 30], [30, 30], [30, 30], [30, 30]]);
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
      download(url, { progress }).then(bytes).then((got) => assert.deepEqual(Buffer.from(got), content));
    });
    await ended;
    assert.deepEqual(last, [content.length, content.length]);
  });
});

test("a refusal, a broken connection and no connection are DownloadErrors", async () => {
  await serving((_, answer) => answer.writeHead(503).end(), async (url) => {
    const unavailable = (e) => e instanceof DownloadError && e.status === 503 && e.message.includes(url);
    await assert.rejects(download(url), unavailable);
  });
  await serving((_, answer) => {
    answer.writeHead(200, { "Content-Length": 1000 }).write("part");
    setTimeout(() => answer.destroy(), 20);
  }, async (url) => {
    await assert.rejects(download(url).then(bytes), (e) => e instanceof DownloadError && e.status === 0);
  });
  let gone;
  await serving((_, answer) => answer.end(), async (url) => (gone = url));
  await assert.rejects(download(gone), (e) => e instanceof DownloadError && e.status === 0);
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
