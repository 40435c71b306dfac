// Package plot draws the results of studies: lines, intervals and clouds of points, in panels side by side, as PNG and
// SVG. Lines differ in colour, marks and dashes, so that they can be told apart in print and with any colour vision.
//
// Use: fill in a Picture and call Write. NewCanvas serves other kinds of pictures.
//
// Not linked into the browser's program.
package plot
