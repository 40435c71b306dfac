// Package model is the model file, which training writes and the browser loads, and its types: the Model, the map of
// tastes, the item links, and the calibration of its statements of uncertainty.
//
// A Model is a decoded file. Encode turns it into bytes, always the same ones for the same model. Decode turns bytes
// into a Model, or returns an *Error that names the problem and its place. docs/model-format.md describes the layout,
// field by field.
//
// # Guarantees of Decode
//
// A file may come from anywhere, so nothing in it is trusted unchecked. Decode passes over the bytes four times:
//
//  1. walk: structure only. Keys, types, lengths and limits are compared with the schema; the result is a fixed
//     array of positions. Nothing is allocated.
//  2. digest: SHA-256 of the content. Nothing is allocated.
//  3. check: all rules for values: shapes, ranges, finite numbers, σ ≥ gaussian.MinStddev, indices, unique ids. It
//     works on the file's own bytes and allocates at most 4 bytes per item or user, whose existence the file's
//     length has proved.
//  4. build: makes the Model. It cannot fail, so callers never see a partial Model.
//
// So until the end of step 3, allocations that depend on the file stay below 1.1 times its length plus 1 MiB, and a
// refused file never costs more. Only an accepted file is expanded: int8 becomes float32 (four times as large), every
// item becomes a catalogue.Item. Step 4 allocates what the Model needs, and no scratch memory.
//
// # Shapes
//
// U users, I items, h latent dimension, H hidden width of a margin network, n rows of a table.
//
// # Data flow
//
// pmlam trains, tastemap lays out the map, train finds the item links and fits the calibration, model stores them,
// recommend infers. The browser's programs call only Decode: js builds leave out Encode and WriteFile, whose library
// would cost 130 KB.
package model
