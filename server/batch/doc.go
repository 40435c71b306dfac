// Package batch prepares, splits, compares and ranks interactions that are too many for one machine, as Apache Beam
// pipelines that call the core's own functions. What they write is what the core computes on one machine, row by row;
// the tests compare them byte for byte.
//
//	prepare     read → cut at a moment, where asked for → merge → filter to the fixed point → number → statistics →
//	            a folder of shards
//	split       folds, or by each user's times, of a folder of shards → one with a training and a test part
//	neighbours  the nearest items of every item by cosine
//	links       the item-item part of the preset hybrid
//	rank        the best items of every user by a model file, and the evaluation on the test part
//
// # Files
//
//	run       a runner, and a folder that appears whole or not at all
//	collect   small pipelines that all others use: sums, and what fits one worker
//	row       a user's interactions, and how they travel
//	scan      files → rows; cut: the moment of a split; filter: merging, and the rounds; number: the shards; prepare:
//	          the jobs in a row
//	shards    one shard as a matrix
//	split, neighbours, links, rank
//
// # What must fit where
//
// A worker holds all items (ids, counts, a model's rows: what travels to a browser in the end), one user's
// interactions, and one shard of users. Interactions and users are never on one machine together. No step groups by
// item what every user of the item has, so an item that everybody likes costs no more than its share of each shard.
//
// All paths are on a file system that the workers share. A module of its own: the main one must not require Beam.
package batch
