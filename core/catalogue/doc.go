// Package catalogue describes the items (titles, years, genres, further columns) and finds them by title as people
// type: any case, with or without accents, words in any order, unfinished words, small typing errors, with or without
// articles.
//
// NewIndex reads the titles once and builds an index of their words. A query then costs about one pass over the
// vocabulary for each typed word. The order follows plain rules (Tier), not tuned weights, so visitors can foresee it:
// exact title, prefix of a title, all words, all beginnings of words, and titles with typing errors. Within a tier the
// better-known title comes first.
//
// In the flow: dataset reads a Catalogue from files, model stores it, recommend builds the index and ui shows it.
// importer uses the rules for names (Forms, Fold, Errors) to match titles. The only tables it needs are in package
// unicode, so the package is safe to link into the browser's program.
package catalogue
