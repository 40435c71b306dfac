// Package search finds titles as one types: any case, with or without accents, words in any order, unfinished words,
// small typing errors, articles or none.
//
// New reads the titles once and builds an index of their words; a query then costs about as much as looking at the
// vocabulary once per word typed. What is best is a matter of plain rules (Tier), not of tuned weights, so a visitor
// can foresee it: the very title, then titles that begin so, then titles that have all the words, then titles that have
// words beginning so, then titles that need a letter changed. Within a tier the better known title comes first.
//
// In the flow: recommender builds the index from the catalogue. The package imports no tables beyond package unicode's,
// which the standard library brings along anyway.
package catalogue
