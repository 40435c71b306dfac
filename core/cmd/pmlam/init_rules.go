package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/cli"
)

// writeRules writes rules that suit the data, and returns notes about them.
func writeRules(b *strings.Builder, in *cli.Input) (notes []string) {
	services, others := inEveryBasket(in)
	stock := stockColumn(in)
	switch {
	case len(services) > 0:
		b.WriteString("\n[rules]\n")
	case len(others) > 0 || stock != "":
		b.WriteString("\n# [rules]\n")
	}
	if stock != "" {
		fmt.Fprintf(b, "# The model then says of each item whether there is some, and not how many.\n"+
			"# in-stock = %s\n", quoted(stock))
	}
	exclude := func(items []int, sign, advice string) {
		var ids []string
		for _, i := range items {
			it := in.Catalogue.Items[i]
			ids = append(ids, it.ID)
			notes = append(notes, fmt.Sprintf("%d%% of the users have %q (%s): %s.", 100*it.Count/in.Users.Len(),
				it.Title, it.ID, advice))
		}
		if len(ids) > 0 {
			fmt.Fprintf(b, "%sexcluded = %s # most users have them: never listed\n", sign, list(ids))
		}
	}
	exclude(services, "", "it looks like a service, so the rules leave it out of all lists (excluded)")
	exclude(others, "# ", "to leave it out of all lists, name it in excluded under [rules]")
	return notes
}

// inEveryBasket finds items that far more users have than any other item: services, such as shipping protection, and
// others. At least a fifth of the users have them, and the next item has at most a third of that.
func inEveryBasket(in *cli.Input) (services, others []int) {
	if in.Users == nil {
		return nil, nil
	}
	const most = 5
	order := make([]int, in.Catalogue.Len())
	for i := range order {
		order[i] = i
	}
	count := func(i int) int { return in.Catalogue.Items[i].Count }
	slices.SortStableFunc(order, func(a, b int) int { return count(b) - count(a) })
	found := 0
	for k := range min(most, len(order)-1) {
		if n := count(order[k]); n*5 >= in.Users.Len() && n >= 3*count(order[k+1]) {
			found = k + 1
		}
	}
	for _, i := range order[:found] {
		if isService(in.Catalogue.Items[i].Title) {
			services = append(services, i)
		} else {
			others = append(others, i)
		}
	}
	return services, others
}

// isService reports whether a title names a service or an extra that shops add to many orders.
func isService(title string) bool {
	title = catalogue.Fold(title)
	return slices.ContainsFunc(serviceWords, func(w string) bool { return strings.Contains(title, w) })
}

// serviceWords are parts of such titles, in the form of catalogue.Fold.
var serviceWords = strings.Fields(`shipping protection versand porto insurance versicherung verpackung wrap donation
	spende pfand deposit gebuhr gebuehr service garantie warranty livraison emballage envio spedizione trinkgeld
	gutschein voucher tragetasche surcharge zuschlag carbon klima aufschlag lieferung delivery handling`)
