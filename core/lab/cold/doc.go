// Package cold measures items without ratings (package coldstart). A share of a data set's items is hidden entirely, a
// model is trained on the others and calibrated, and the hidden ones are added by their content. Then it counts the
// likes of hidden items that people's lists find, compared with plain methods, the loss of warm items, and whether the
// stated chances and row errors hold.
//
// Data flow: native only. bench/cold runs it (make measure-cold).
package cold
