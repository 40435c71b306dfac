package catalogue

// RuleColumn returns the name of the column that a model holds for rules next to that column, which it shows
// unchanged: prices as numbers, stock as 1 and 0.
func RuleColumn(name string) string { return name + ", for rules" }
