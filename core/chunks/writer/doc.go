// Package writer cuts a model into the parts that package chunks reads. It runs natively, once, after the training.
//
//	err := writer.Write(ctx, m, writer.Settings{}, put)
//
// # How the parts are chosen
//
// A list is complete if all its items were gathered, so items that are listed together must be in few cells:
//
//  1. Cells are k-means clusters of the rows θ, about Settings.Size items each. Clusters of clusters are the start, and
//     a few steps of k-means over all cells refine them. With a million synthetic items and visitors with one like,
//     three steps reduced the items to read for 99% of the list from 22,751 to 742.
//  2. Well-known items are near the middle, far from every cell's mean, and near many visitors. So each cell has
//     guests: the items of other cells nearest to a visitor whose likes are the cell.
//  3. The most frequent guests are common instead: they travel with the index. So do the items nearest to a neutral
//     visitor, whose list needs only the index.
//
// On the same data, with all cells' means known, 20 guests and the 300 most frequent guests as common items need 316,
// 582, 434 and 493 items for 99% of the list of visitors with 1, 3, 10 and 30 likes. With neither it takes 742, 640,
// 22,734 and 731.
//
// # Shapes
//
// I items, h latent dimension, C cells, G groups of 33 on average.
package writer
