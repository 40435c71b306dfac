// Package json reads and writes the little JSON (RFC 8259) that the browser's program meets: backups, and what the
// renderer is told of events.
//
// It promises to take no more memory than the texts that are asked for, never to panic, and to say in which line a text
// is wrong. It is fuzzed against encoding/json.
package json
