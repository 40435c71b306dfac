// Package model is the model file, what training leaves behind and the browser loads, and the nouns that it holds: the
// Model, the map of tastes, the item links, and the calibration of its statements of uncertainty.
//
// A Model is a decoded file. Encode turns it into bytes, the same model always into the same bytes; Decode turns
// bytes into a Model or into an *Error that says what is wrong, and where. docs/model-format.md describes the layout,
// field by field.
//
// # What Decode promises
//
// A file may come from anywhere, so nothing in it is trusted before it is checked. Decode goes over the bytes four
// times:
//
//  1. walk: structure only. Keys, types, lengths and limits are held against the schema; the outcome is a fixed
//     array of positions. Nothing is allocated.
//  2. digest: SHA-256 over the content. Nothing is allocated.
//  3. check: everything that the values must satisfy: shapes, ranges, finite numbers, σ ≥ gaussian.MinStddev,
//     indices, unique ids. It works on the file's own bytes; the most it allocates is 4 bytes an item or user, which
//     the file's length has proved to be there.
//  4. build: makes the Model. It cannot fail, so a partial Model is never seen.
//
// Up to the end of step 3, then, what is allocated because the file asks for it stays below 1.1 times its length plus
// 1 MiB; a file that is refused never costs more. Only an accepted file is expanded: int8 becomes float32 (four times
// as large), every item becomes a catalogue.Item. Step 4 takes what the Model needs and no scratch beside it.
//
// # Shapes
//
// U users, I items, h latent dimension, H hidden width of a margin network, n rows of a table.
//
// # Where it stands
//
// pmlam trains, tastemap lays out the map, train finds the item links and fits the calibration, model stores them,
// recommend infers. The browser's programs call Decode only: Encode and WriteFile are left out of js builds, for the
// writer's library would cost 130 KB.
package model
