// Package project is pmlam.toml, in which the owner of a site says once what `pmlam train` and the site builder need:
// the data and their columns, the model, the site's name, colours, links and pictures, and what its titles are called.
//
// In the flow: pmlam.toml → project → flags of pmlam train, and the elements that package server/site writes.
package project
