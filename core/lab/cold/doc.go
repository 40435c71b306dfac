// Package cold measures items that nobody has rated yet (package coldstart): a share of a data set's items is hidden
// entirely, a model is trained on the others and calibrated, and the hidden ones are entered by what is known of them.
// Then it counts how many of people's likes of hidden items their lists find, beside plain methods; what the items that
// were there lose; and whether the stated chances and the stated errors of the rows hold.
//
// In the flow: native only. bench/cold runs it (make measure-cold).
package cold
