package catalogue

// RuleColumn returns the name of a second column for rules, next to a column that the page shows unchanged: prices as
// numbers, stock as 1 and 0.
func RuleColumn(name string) string { return name + ", for rules" }
