// Package intake admits requests: it bounds the memory that they take while they arrive, wait, are computed and are
// answered, for any number of concurrent and slow clients.
//
//   - A body is read completely before its question waits for a turn, so slow clients hold no turns. Small bodies (up
//     to 16 KiB) that arrive or wait hold MaxSmall bytes in total. A larger one waits for its memory, of which MaxLarge
//     bytes exist, and loses it if it has not arrived after a second and others wait.
//   - Questions with a large body can use half of the turns, so that others wait for few of them.
//   - A body is parsed during its turn, by [Turn.Request], which keeps the fields of a query.Shape, stops at the first
//     field that the shape rejects and at the first list entry beyond MaxMarks, and stores no other values.
//   - An answer is sent after its turn. Answers that wait for their clients hold MaxLeaving bytes in total.
//
// If the bytes of small bodies or answers run out, the costliest request is given up, by bytes held × time held. Slow
// clients therefore go first, and new requests never do.
//
// server.Serve manages the connections, this package the requests; server/api and server/postgres answer.
package intake
