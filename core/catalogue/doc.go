// Package catalogue says what the items are (titles, years, genres, further columns) and finds them by their titles as
// people type them: any case, with or without accents, words in any order, unfinished words, small typing errors,
// articles or none.
//
// NewIndex reads the titles once and builds an index of their words; a query then costs about as much as looking at the
// vocabulary once for each word typed. The order follows plain rules (Tier), not tuned weights, so a visitor can
// foresee it: the very title, then titles that begin so, then titles that have all the words, then titles that have
// words beginning so, then titles that need a letter changed. Within a tier the better known title comes first.
//
// In the flow: dataset reads a Catalogue from files, model stores it, recommend builds the index and ui shows it;
// importer uses the rules for names (Forms, Fold, Errors) to match titles. The package needs no tables but those of
// package unicode, so it is safe to link into the browser's program.
package catalogue
