package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Lines that are not likes are left out and counted; what no vocabulary has is asked about.
func TestLinesThatAreNotLikes(t *testing.T) {
	for name, c := range map[string]struct {
		header string
		rows   []string // of the columns after user,item, repeated for many lines
		likes  int      // of the rows
		out    string   // the values that are left out, with their counts; "?VALUE" where VALUE is asked about
		o      Options
	}{
		"cart":          {"event", []string{"view", "add_to_cart", "remove_from_cart", "purchase"}, 3, "remove_from_cart 1", Options{}},
		"GA4 items":     {"event_name", []string{"view_item", "view_item_list", "purchase", "refund", "add_to_wishlist"}, 3, "refund 1 view_item_list 1", Options{}},
		"camel case":    {"eventType", []string{"productViewed", "productAdded To Cart", "removeFromCart"}, 2, "removeFromCart 1", Options{}},
		"retailrocket":  {"event", []string{"view", "addtocart", "transaction"}, 3, "", Options{}},
		"Taobao":        {"behavior", []string{"pv", "fav", "cart", "buy"}, 4, "", Options{}},
		"order state":   {"order_status", []string{"wc-completed", "wc-processing", "wc-cancelled", "wc-refunded", "wc-failed"}, 2, "wc-cancelled 1 wc-failed 1 wc-refunded 1", Options{}},
		"WooCommerce":   {"status", []string{"Completed", "On hold", "Pending payment", "Cancelled", "Trash"}, 3, "Cancelled 1 Trash 1", Options{}},
		"German":        {"Bestellstatus", []string{"bezahlt", "versandt", "storniert", "Rückerstattet", "abgebrochen"}, 2, "Rückerstattet 1 abgebrochen 1 storniert 1", Options{}},
		"French":        {"statut", []string{"payée", "expédiée", "annulée", "remboursée", "échoué"}, 2, "annulée 1 remboursée 1 échoué 1", Options{}},
		"Spanish":       {"estado", []string{"completado", "cancelado", "reembolsado", "pendiente"}, 2, "cancelado 1 reembolsado 1", Options{}},
		"Russian":       {"статус", []string{"оплачен", "доставлен", "отменён", "возврат"}, 2, "возврат 1 отменён 1", Options{}},
		"any column":    {"remark2", []string{"purchase", "refund"}, 1, "refund 1", Options{}},
		"flag":          {"is_refunded", []string{"true", "false", "False", "TRUE"}, 2, "TRUE 1 true 1", Options{}},
		"flag of 1":     {"cancelled", []string{"0", "1", "0"}, 2, "1 1", Options{}},
		"moment":        {"cancelled_at", []string{"", "2025-01-04 10:00:00", ""}, 2, "filled 1", Options{}},
		"skips":         {"action", []string{"play", "skip", "like", "dislike", "pause"}, 2, "dislike 1 pause 1 skip 1", Options{}},
		"unknown":       {"event", []string{"view", "frobnicate"}, 0, "?frobnicate", Options{}},
		"unknown state": {"payment_status", []string{"paid", "refunded", "schrödinger"}, 0, "?schrödinger", Options{}},
		"told":          {"event", []string{"view", "frobnicate", "buy"}, 2, "view 1", Options{Events: []string{"frobnicate", "buy"}}},
		"told column":   {"what", []string{"a", "b", "c"}, 1, "b 1 c 1", Options{EventColumn: "what", Events: []string{"a"}}},
		"all likes":     {"event", []string{"view", "refund"}, 2, "", Options{EventColumn: "-"}},
		"codes":         {"event_type", []string{"1", "2", "3", "4"}, 0, "?1", Options{}},
		"codes told":    {"behavior_type", []string{"1", "2", "3", "4"}, 2, "1 1 2 1", Options{Events: []string{"3", "4"}}},
		"state codes":   {"order_status", []string{"A", "B"}, 0, "?A", Options{}},
		"sent":          {"Fulfillment Status", []string{"fulfilled", "warehouse 7", "returned"}, 2, "returned 1", Options{}},
		"sales":         {"transaction_type", []string{"Sale", "Return", "Void"}, 1, "Return 1 Void 1", Options{}},
		"yes and no":    {"is_return", []string{"N", "Y", "N"}, 2, "Y 1", Options{}},
		"Portuguese":    {"situacao", []string{"pago", "estornado", "entregue"}, 2, "estornado 1", Options{}},
		"Dutch":         {"status", []string{"betaald", "geannuleerd", "terugbetaald"}, 1, "geannuleerd 1 terugbetaald 1", Options{}},
		"Polish":        {"status", []string{"zrealizowane", "anulowane"}, 1, "anulowane 1", Options{}},
		"membership":    {"status", []string{"gold", "silver", "basic"}, 3, "", Options{}},
		"state":         {"state", []string{"OR", "TX", "NY"}, 3, "", Options{}},
		"category":      {"category", []string{"Returned", "Draft", "Test"}, 3, "", Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			fmt.Fprintf(&b, "user_id,item_id,%s\n", c.header)
			for i, row := range c.rows {
				fmt.Fprintf(&b, "u%d,i%d,%s\n", i%3, i, row)
			}
			path := filepath.Join(t.TempDir(), "log.csv")
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			c.o.MinUser, c.o.MinItem = -1, -1
			d, err := Load(path, c.o)
			if value, asks := strings.CutPrefix(c.out, "?"); asks {
				q, ok := errors.AsType[*QuestionError](err)
				if !ok || q.Role != "event" || q.Column != c.header || q.Unknown != value {
					t.Fatalf("%v, want a question about %s", err, value)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, x := range d.Read.LeftOut {
				out = append(out, fmt.Sprint(x.Value, " ", x.Lines))
			}
			slices.Sort(out)
			if got := strings.Join(out, " "); got != c.out || d.Read.Kept != c.likes {
				t.Errorf("%d likes, left out %q; want %d and %q", d.Read.Kept, got, c.likes, c.out)
			}
		})
	}
}

// A column of words of opinion is the rating, whatever its name.
func TestOpinionsInAnyColumn(t *testing.T) {
	for name, c := range map[string]struct {
		values []string
		likes  int
	}{
		"feedback_type": {[]string{"like", "dislike", "like"}, 2},
		"note2":         {[]string{"thumbs_up", "thumbs_down"}, 1},
		"wie":           {[]string{"gefällt", "schlecht", "gut"}, 2},
		"kind":          {[]string{"love", "hate", "neutral"}, 1},
		"reaction":      {[]string{"👍", "👎", "👍"}, 2},
		"mood":          {[]string{"positive", "negative"}, 1},
		"avis2":         {[]string{"aime", "mauvais"}, 1},
	} {
		text := "user_id,item_id," + name + "\n"
		for i, v := range c.values {
			text += fmt.Sprintf("u%d,i%d,%s\n", i, i, v)
		}
		path := filepath.Join(t.TempDir(), "r.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if d, err := Load(path, Options{MinUser: -1, MinItem: -1}); err != nil || d.Read.Kept != c.likes || !d.Read.Words {
			t.Errorf("%s: %v, %v; want %d likes", name, d, err, c.likes)
		}
	}
}

// The state of an order holds for all of its lines; lines without a customer are left out; a line without a number of
// the article is known by its name.
func TestOrdersOfSeveralLines(t *testing.T) {
	const shopify = "Name,Email,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem sku,Cancelled at\n"
	for name, c := range map[string]struct{ rows, out string }{
		"refunded":  {"#1,a@x.example,refunded,2025-01-01 10:00:00 +0100,1,A,S1,\n#1,a@x.example,,2025-01-01 10:00:00 +0100,1,B,S2,\n#2,b@x.example,paid,2025-01-01 10:00:00 +0100,1,C,S3,\n", "refunded 2"},
		"cancelled": {"#1,a@x.example,paid,2025-01-01 10:00:00 +0100,1,A,S1,2025-01-02 10:00:00 +0100\n#1,a@x.example,,2025-01-01 10:00:00 +0100,1,B,S2,\n#2,b@x.example,paid,2025-01-01 10:00:00 +0100,1,C,S3,\n", "filled 2"},
		"no e-mail": {"#1,,paid,2025-01-01 10:00:00 +0100,1,A,S1,\n#2,b@x.example,paid,2025-01-01 10:00:00 +0100,1,C,S3,\n", " 1"},
	} {
		path := filepath.Join(t.TempDir(), "orders.csv")
		if err := os.WriteFile(path, []byte(shopify+c.rows), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Load(path, Options{MinUser: -1, MinItem: -1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var out []string
		for _, x := range d.Read.LeftOut {
			out = append(out, fmt.Sprint(x.Value, " ", x.Lines))
		}
		if got := strings.Join(out, ","); got != c.out || d.Read.Kept != 1 || d.Items.ID(0) != "S3" {
			t.Errorf("%s: %q, %d kept; want %q", name, got, d.Read.Kept, c.out)
		}
	}
}
