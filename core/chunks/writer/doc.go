// Package writer cuts a model into the parts that package chunks reads: natively, once, after the training.
//
//	err := writer.Write(ctx, m, writer.Settings{}, put)
//
// # How the parts are chosen
//
// A list is right where its items are among those that were gathered, so items that are listed together must lie in
// few cells:
//
//  1. Cells are k-means clusters of the rows θ, about Settings.Size items each. Clusters of clusters are the start, and
//     a few steps of k-means over all cells make them what they are: of a million items of drawn data, in cells of the
//     first kind alone, 22,751 had to be read for 99% of what visitors of one like are shown, and 742 after three
//     steps.
//  2. Well-known items lie towards the middle, far from every cell's mean, and are near to many visitors. So each cell
//     has guests: the items of other cells that are nearest to a visitor whose likes are the cell.
//  3. What is a guest most often is common: it travels with the index, and is a guest no more. So are the items nearest
//     to a visitor of whom nothing is known, whose list takes the index alone.
//
// With 20 guests and 300 frequent guests as common items 316, 582, 434 and 493 items held 99% for 1, 3, 10 and 30
// likes, and without either 742, 640, 22,734 and 731: on the same data, where all cells' means are known.
//
// # Shapes
//
// I items, h latent dimension, C cells, G groups of 33 on average.
package writer
