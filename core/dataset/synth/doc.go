// Package synth draws interactions of realistic shape and any size, to measure how cost grows with size: few items
// have most of the likes, few users like most, people like what others of the same taste like, and items appear over
// time. It says nothing about quality on anybody's data.
//
// # What is drawn
//
// Letters: U users, I items, N interactions, T tastes.
//
//   - An item has one taste, drawn evenly, and a popularity p ∝ 1/(rank + I/200), Zipf's law as Mandelbrot bent it at
//     its head, by a rank drawn at random. A third of the items is there from the beginning; the others appear evenly
//     over the years.
//   - A user has at least Least interactions, their number is log-normal (σ = 1.1) and at most half of the items; all
//     together there are N. Three tastes have weights 0.5, 0.3 and 0.2.
//   - A like is drawn by popularity, three times of four among the items of one of the user's tastes, else among all.
//     Items that have not appeared yet are drawn again, and old ones are passed over with a chance that grows to ½.
//     Nobody likes an item twice.
//   - A user begins at a random time, and the waits between their likes are exponential with a mean of an hour.
//
// Each user has a random source of their own, so what one likes does not depend on the others. The same Config gives
// the same bytes.
//
// Memory is O(U + I), the time O(N log I).
package synth
