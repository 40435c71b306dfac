// Package siteconfig reads pmlam.toml, a site owner's settings for `pmlam train` and the site builder: the data and its
// columns, the model, the site's name, colours, links and pictures, and the words for its titles.
//
// In the flow: pmlam.toml → siteconfig → flags of pmlam train, and the elements that package server/site writes.
package siteconfig
