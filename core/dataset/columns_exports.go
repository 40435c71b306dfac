package dataset

import "slices"

// export is a table of a known program whose column names would mislead: a table of orders has a Location, a line
// item's own id, or a user id that is empty for guests.
type export struct {
	needs   []string        // all of these columns identify it
	columns [roles][]string // by role: the first of these that is filled in most of the first rows; none: no column
	order   string          // the column of the order's number; only an order's first line has its state
}

// exports by their documented headers.
var exports = []export{
	{ // Shopify: Orders, Export
		needs: []string{"Email", "Created at", "Lineitem quantity", "Lineitem name", "Lineitem sku"},
		columns: [roles][]string{roleUser: {"Email"}, roleItem: {"Lineitem sku", "Lineitem name"},
			roleRating: {"Lineitem quantity"}, roleTime: {"Created at"}, roleTitle: {"Lineitem name"}},
		order: "Name",
	},
	{ // WooCommerce: Customer/Order/Coupon Export, one row per item. The customer id of all guests is 0.
		needs: []string{"order_id", "item_id", "item_product_id", "item_quantity"},
		columns: [roles][]string{roleUser: {"billing_email", "customer_id"}, roleItem: {"item_product_id"},
			roleRating: {"item_quantity"}, roleTime: {"date", "order_date"}, roleTitle: {"item_name"}},
		order: "order_id",
	},
	{ // WooCommerce: Advanced Order Export
		needs: []string{"Order Number", "Order Status", "Email (Billing)", "Item Name"},
		columns: [roles][]string{roleUser: {"Email (Billing)"}, roleItem: {"SKU", "Item Name"},
			roleRating: {"Quantity (- Refund)", "Quantity"}, roleTime: {"Order Date"}, roleTitle: {"Item Name"}},
		order: "Order Number",
	},
	{ // Google Analytics 4: BigQuery's events with a row for each of their items
		needs: []string{"user_pseudo_id", "event_timestamp", "event_name", "item_id"},
		columns: [roles][]string{roleUser: {"user_pseudo_id"}, roleItem: {"item_id"}, roleTime: {"event_timestamp"},
			roleTitle: {"item_name"}},
	},
	{ // Google Analytics 4: BigQuery's events of pages
		needs: []string{"user_pseudo_id", "event_timestamp", "event_name", "page_location"},
		columns: [roles][]string{roleUser: {"user_pseudo_id"}, roleItem: {"page_location"},
			roleTime: {"event_timestamp"}, roleTitle: {"page_title"}},
	},
	{ // Matomo: its table log_conversion_item
		needs: []string{"idvisitor", "server_time", "idaction_sku", "quantity"},
		columns: [roles][]string{roleUser: {"idvisitor"}, roleItem: {"idaction_sku"}, roleRating: {"quantity"},
			roleTime: {"server_time"}},
	},
}

// exportOf returns the export that the columns are of, or nil.
func (l *layout) exportOf() *export {
	for i := range exports {
		if !slices.ContainsFunc(exports[i].needs, func(name string) bool { return !l.has(plainName(name)) }) {
			return &exports[i]
		}
	}
	return nil
}

// find returns the column of the export for a role, −1 if none. A title is never the column that is already the item.
func (e *export) find(r role, l *layout, s *sample) int {
	first := -1
	for _, name := range e.columns[r] {
		i := named(l.have, name)
		if i < 0 || r == roleTitle && i == l.columns[roleItem] {
			continue
		}
		if first < 0 {
			first = i
		}
		empty := 0
		for _, v := range s.column(i) {
			if isNull([]byte(v)) {
				empty++
			}
		}
		least := 2 // of users, half: orders at the till have none
		if r == roleItem {
			least = 10
		}
		if empty*least <= len(s.rows) {
			return i
		}
	}
	return first
}
