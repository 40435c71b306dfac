// Package intake lets questions in: it bounds the memory that requests take while they arrive, wait, are worked on and
// are answered, however many come at once and however slow their clients are.
//
//   - A body is read whole before its question waits for a turn, so a slow client holds no turn. All small bodies (up
//     to 16 KiB) that arrive or wait hold MaxSmall bytes at most. A larger one waits for its memory, of which all have
//     MaxLarge bytes, and loses it where it has not arrived after a second and others wait.
//   - Questions with a large body have half of the turns, so the others wait for few of them.
//   - A body is parsed within its turn, by [Turn.Request], which keeps the fields of a query.Shape, stops at the first
//     field that the shape refuses and at the first entry of a list beyond MaxMarks, and keeps nothing of other values.
//   - An answer is sent after its turn. All answers that wait for their clients hold MaxLeaving bytes at most.
//
// Where the bytes of small bodies or of answers run out, the request that has cost the most is given up: bytes held ×
// time held. So slow clients go first, and a request that has just come never goes.
//
// Where it stands in the flow: server.Serve holds the connections, this package the requests, server/api and
// server/postgres answer.
package intake
