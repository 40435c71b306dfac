// Runs PostgreSQL with pgvector on a free port of 127.0.0.1, and prints the port: node serve.js [FOLDER [PORT]]. Without
// a folder the database is in memory. It ends with its standard input. All connections share one session, so clients
// use the simple protocol.
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { createServer } from 'node:net';

// copying makes COPY … FROM STDIN work. The database needs all messages together, so this acknowledges the COPY,
// buffers the messages, and passes them on with the last one.
const copying = (db) => {
  const begins = Buffer.from([71, 0, 0, 0, 7, 1, 0, 0]); // CopyInResponse, binary, without columns
  let held = null;
  const pass = db.execProtocolRawStream.bind(db);
  db.execProtocolRawStream = async (message, options) => {
    const m = Buffer.from(message);
    const type = String.fromCharCode(m[0]);
    if (type === 'Q' && /^copy .* from stdin/i.test(m.toString('latin1', 5))) {
      held = [m];
      options.onRawData(begins);
      return;
    }
    if (!held) return pass(message, options);
    held.push(m);
    if (type === 'd') return;
    const all = Buffer.concat(held);
    held = null;
    const answer = [];
    await pass(all, { ...options, onRawData: (data) => answer.push(Buffer.from(data)) });
    const data = Buffer.concat(answer);
    // The acknowledgement of the COPY was already sent.
    options.onRawData(data[0] === 71 ? data.subarray(1 + data.readInt32BE(1)) : data);
  };
  return db;
};
const free = () => new Promise((resolve) => {
  const s = createServer().listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => resolve(port));
  });
});
const [folder, wanted] = process.argv.slice(2);
const db = copying(await PGlite.create({ dataDir: folder || 'memory://', extensions: { vector } }));
const port = Number(wanted) || await free();
const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 16 });
await server.start();
console.log(port);
process.stdin.resume().on('end', async () => {
  await server.stop();
  await db.close();
  process.exit(0);
});
