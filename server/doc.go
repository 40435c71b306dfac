// Package server serves a site folder: the page, its program, its model.
//
// Nothing of a visitor passes through here. The program runs in the visitor's browser and asks for nothing after the
// page's own files, so the whole of this package is a careful static file server, and any other static host will do
// as well (docs/deploy.md).
//
// A [Handler] reads the folder once, when it is made, and from then on answers from that snapshot. Three promises
// follow from it:
//
//   - An address is looked up in a table of the names that were read; it is never turned into a path. There is nothing
//     to traverse, no directory to list, and a symbolic link is never followed.
//   - A page and the files it names always belong to the same build. A new build is served after a restart.
//   - A compressed form (.br, .gz) was compared with its original before the first answer.
//
// [Serve] bounds the connections of its clients: see [Limits]. Addresses are known for as long as a connection is open,
// and are written nowhere.
//
// Where it stands in the flow: server/site writes the folder, this package serves it, server/cmd/serve is the command.
package server
