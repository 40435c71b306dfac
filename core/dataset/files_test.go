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

// base is the content of most files of testdata/files: seven ratings by three people of three items, of which four are
// 4 or 5.
const base = "3/3/4"

// siteFiles are files in testdata/files as site owners have them, with the expected number of users, items and kept
// likes, and the roles of the columns; or else with the expected error.
var siteFiles = []struct {
	file    string
	options Options
	want    string // users/items/kept
	roles   string // of the first file: role=column; = stands before those that are not used
	err     any    // a pointer to the type of the error
	says    string
}{
	// Names of ratings, users and items, in many words.
	{"star_rating.csv", none, base, "user=user_id item=product_id rating=star_rating", nil, ""},
	{"review_score.csv", none, base, "user=customer item=sku rating=review_score", nil, ""},
	{"your-rating.csv", none, base, "user=Member ID item=Film rating=Your Rating", nil, ""},
	{"vote.csv", none, base, "user=buyer item=item rating=vote", nil, ""},
	{"grade.csv", none, base, "user=student_id item=course_id rating=grade", nil, ""},
	{"value.csv", none, base, "user=user item=item rating=value", nil, ""},
	{"bewertung.csv", none, base, "user=Kundennummer item=Artikelnummer rating=Bewertung time=Bestelldatum", nil, ""},
	{"note-fr.csv", none, base, "user=Client item=Produit rating=Note time=Date", nil, ""},
	{"calificacion-es.csv", none, base, "user=usuario item=película rating=calificación time=fecha", nil, ""},
	{"voto-it.csv", none, base, "user=utente item=prodotto rating=voto time=data", nil, ""},
	{"avaliacao-pt.csv", none, base, "user=utilizador item=produto rating=avaliação", nil, ""},
	{"beoordeling-nl.csv", none, base, "user=klant item=artikel rating=beoordeling", nil, ""},
	{"ocena-pl.csv", none, base, "user=Użytkownik item=Produkt rating=Ocena", nil, ""},
	{"ocenka-ru.csv", none, base, "user=пользователь item=товар rating=оценка", nil, ""},
	{"pingfen-zh.csv", none, base, "user=用户 item=商品 rating=评分", nil, ""},
	{"hyoka-ja.csv", none, base, "user=ユーザー item=商品 rating=評価", nil, ""},
	{"bookcrossing.csv", none, base, "user=User-ID item=ISBN rating=Book-Rating", nil, ""},

	// Shops.
	{"shop.csv", none, "3/3/7", "item=lineitem_sku user=customer_email count=qty", nil, ""},
	{"shopify.csv", none, "3/3/7", "=Name user=Email time=Created at count=Lineitem quantity title=Lineitem name " +
		"item=Lineitem sku =Billing City", nil, ""},
	{"woocommerce.csv", none, "3/3/7", "=order_id user=customer_id item=product_id title=product_name " +
		"count=quantity =total time=order_date", nil, ""},
	{"shopify-orders.csv", none, "3/2/4", "=Name user=Email event=Financial Status =Paid at event=Fulfillment Status =Fulfilled at =Accepts " +
		"Marketing =Currency =Subtotal =Shipping =Taxes =Total =Discount Code =Discount Amount =Shipping " +
		"Method time=Created at count=Lineitem quantity title=Lineitem name =Lineitem price =Lineitem " +
		"compare at price item=Lineitem sku =Lineitem requires shipping =Lineitem taxable event=Lineitem " +
		"fulfillment status event=Cancelled at", nil, ""},
	{"shopify-no-sku.csv", none, "3/2/4", "=Name user=Email event=Financial Status =Paid at event=Fulfillment Status =Fulfilled at =Accepts " +
		"Marketing =Currency =Subtotal =Shipping =Taxes =Total =Discount Code =Discount Amount =Shipping " +
		"Method time=Created at count=Lineitem quantity item=Lineitem name =Lineitem price =Lineitem " +
		"compare at price =Lineitem sku =Lineitem requires shipping =Lineitem taxable event=Lineitem " +
		"fulfillment status event=Cancelled at", nil, ""},
	{"woocommerce-items.csv", none, "3/2/4", "=order_id =order_number =order_number_formatted time=date event=status =shipping_total =order_total " +
		"=customer_id =billing_first_name =billing_last_name user=billing_email =billing_phone =item_id " +
		"item=item_product_id title=item_name =item_sku count=item_quantity =item_subtotal =item_total " +
		"=item_refunded =item_meta", nil, ""},
	{"ga4-items.csv", none, "3/2/3", "=event_date time=event_timestamp event=event_name =user_id user=user_pseudo_id item=item_id " +
		"title=item_name =item_brand =item_category =price =quantity", nil, ""},
	{"matomo-items.csv", none, "3/2/4", "=idlink_va =idsite user=idvisitor time=server_time =idvisit =idorder item=idaction_sku " +
		"=idaction_name =price count=quantity event=deleted", nil, ""},
	{"with-items.zip", none, "3/3/7", "user=customer_id item=sku count=quantity", nil, ""},

	// Values.
	{"thumbs.csv", none, base, "user=user item=item rating=thumb", nil, ""},
	{"liked.csv", none, base, "user=user item=item rating=liked", nil, ""},
	{"gefaellt.csv", none, base, "user=Kunde item=Artikel rating=Gefällt", nil, ""},
	{"emoji.csv", none, base, "user=user item=item rating=reaction", nil, ""},
	{"stars.csv", none, base, "user=user item=item rating=stars", nil, ""},
	{"likes.jsonl", none, base, "user=userId item=productId rating=liked", nil, ""},
	{"minus-one.csv", none, base, "user=user item=item rating=vote", nil, ""},
	{"jester.csv", none, "2/2/2", "user=user item=item rating=score", nil, ""},
	{"plays.csv", none, "3/3/5", "user=user item=track =artist count=plays", nil, ""},
	{"lastfm.tsv", none, "3/3/7", "user=userID item=artistID count=weight", nil, ""},
	{"hours.csv", none, "3/3/7", "user=user_id item=game =hours", nil, ""},
	{"decimal-comma.csv", none, "2/2/2", "user=Kunde item=Artikel rating=Sterne", nil, ""},
	{"value-is-price.csv", none, "3/3/7", "user=user item=item =value", nil, ""},
	{"no-ratings.csv", none, "3/3/7", "user=user item=item", nil, ""},
	{"playcount-thousands.csv", none, "", "", new(*ParseError), "may separate thousands or decimals"},
	{"words-and-numbers.csv", none, "", "", new(*ParseError), "some lines of this file rate by words"},
	{"anonymous.csv", none, "", "", new(*ParseError), "an id must not be empty"},

	// Times.
	{"dates-german.csv", timed, base, "user=user item=item rating=rating time=Datum", nil, ""},
	{"dates-us.csv", timed, base, "user=user item=item rating=rating time=date", nil, ""},
	{"dates-words.csv", timed, base, "user=user item=item rating=rating time=date", nil, ""},
	{"dates-compact.csv", timed, base, "user=user item=item rating=rating time=day", nil, ""},
	{"dates-ambiguous.csv", none, base, "user=user item=item rating=rating time=date", nil, ""},
	{"dates-ambiguous.csv", timed, "", "", new(*ParseError),
		"has a day above 12, which shows the order of day and month"},

	// Encodings and packings.
	{"excel-sep.csv", none, "2/2/2", "user=Kunde item=Artikel rating=Sterne", nil, ""},
	{"utf16le.txt", none, base, "user=Käufer item=Artikel rating=Bewertung", nil, ""},
	{"utf16be.csv", none, base, "user=user item=item rating=rating", nil, ""},
	{"utf16-unmarked.csv", none, base, "user=user item=item rating=rating", nil, ""},
	{"bom.csv", none, base, "user=user item=item rating=rating", nil, ""},
	{"windows-1252.csv", none, base, "user=user item=item rating=rating", nil, ""},
	{"bars.txt", none, base, "user=user item=item rating=rating", nil, ""},
	{"packed.csv.gz", none, base, "user=user item=item rating=rating", nil, ""},
	{"one-table.zip", none, base, "user=user item=item rating=rating", nil, ""},
	{"known-folder.zip", none, "1/2/2", "user=userId item=movieId rating=rating time=timestamp", nil, ""},
	{"two-tables.zip", none, base, "user=user item=item rating=rating", nil, ""}, // the same columns: one table
	{"two-tables.zip/b.csv", none, base, "user=user item=item rating=rating", nil, ""},
	{"sheet.xlsx", none, "", "", new(*FormatError), "a table of Excel; save it as CSV"},

	// Other shapes.
	{"atomic", none, base, "user=user_id:token item=item_id:token rating=rating:float time=timestamp:float", nil, ""},
	{"atomic/shop.inter", none, base, "user=user_id:token item=item_id:token rating=rating:float time=timestamp:float",
		nil, ""},
	{"atomic/shop.user", none, "", "", new(*FormatError), "holds no interactions"},
	{"atomic-split", none, "2/3/5", "user=user_id:token item=item_id:token", nil, ""},
	{"m1", none, "3/4/9", "user=user item=items …", nil, ""},
	{"split-csv", none, base, "user=user item=item rating=rating", nil, ""},
	{"split-columns", none, "", "", new(*ColumnError), "1 (0), 2 (10), 3 (5)"},
	{"counts.txt", none, "4/3/8", "=(count) item=items …", nil, ""},
	{"user-counts.txt", none, "3/3/6", "user=user =(count) item=items …", nil, ""},
	{"count-or-user.txt", none, "", "", new(*FormatError), "may be a count or a user"},
	{"count-or-user.txt", Options{Format: "adjacency", MinUser: -1, MinItem: -1}, "3/3/6", "user=user item=items …",
		nil, ""},
	{"count-or-user.txt", Options{Format: "adjacency-counts", MinUser: -1, MinItem: -1}, "3/3/6",
		"=(count) item=items …", nil, ""},
	{"matrix.csv", none, base, "user=(first column) item=(header) rating=(cells)", nil, ""},
	{"matrix-binary.tsv", none, "2/2/3", "user=(first column) item=(header) =(cells)", nil, ""},
	{"matrix-comma.csv", none, "2/2/2", "user=(first column) item=(header) rating=(cells)", nil, ""},
	{"pandas.parquet", timed, base, "user=user_id item=item_id rating=rating time=timestamp", nil, ""},
	{"spark.parquet", timed, "3/3/7", "user=user_id item=item_id time=timestamp", nil, ""},
	{"nested.parquet", none, "", "", new(*ColumnError), "the user"},
	{"pandas-index.csv", none, base, "= user=userId item=movieId rating=rating", nil, ""},
	{"titles.csv", none, base, "user=user item=item rating=rating title=product name", nil, ""},
	{"titles-are-items.csv", none, base, "user=user item=title rating=rating", nil, ""},

	// Questions, and options that answer them.
	{"unnamed.csv", none, "", "", new(*ColumnError), "holds no known column names"},
	{"unnamed.csv", columns(Columns{User: "1", Item: "2"}), "", "", new(*QuestionError),
		`the column "3" (5, 4, 3, …) is not used and looks like a rating`},
	{"unnamed.csv", columns(Columns{User: "1", Item: "2", Rating: "3"}), "1/2/2", "user=1 item=2 rating=3", nil, ""},
	{"unnamed.csv", columns(Columns{User: "1", Item: "2", Rating: "-"}), "2/2/3", "user=1 item=2 =3", nil, ""},
	{"nested.jsonl", none, "", "", new(*ColumnError), `"who"`},
	{"nested.jsonl", columns(Columns{User: "who"}), base, "user=who item=product_id rating=stars", nil, ""},
	{"unused-rating.csv", none, "", "", new(*QuestionError),
		`"impression" (5, 2, 4, …) is not used and looks like a rating`},
	{"unused-rating.csv", columns(Columns{Rating: "impression"}), "2/2/3", "user=user item=item rating=impression", nil,
		""},
	{"unused-rating.csv", columns(Columns{Rating: "-"}), "2/3/4", "user=user item=item =impression", nil, ""},
	{"unused-boolean.csv", none, "", "", new(*QuestionError),
		`"purchased" (yes, no, …) is not used and looks like a rating`},
	{"letters.csv", none, "", "", new(*QuestionError), `"grade" (A, E, B, …) is not used and looks like a rating`},
	{"unused-time.csv", none, base, "user=user item=item rating=rating =when", nil, ""},
	{"unused-time.csv", timed, "", "", new(*QuestionError),
		`"when" (978300765, 978300761, 978300764, …) is not used and looks like a time`},
	{"unused-title.csv", none, "", "", new(*QuestionError), "looks like the items' titles"},
	{"unused-title.csv", columns(Columns{Title: "shown as"}), base, "user=user item=item rating=rating title=shown as",
		nil, ""},
	{"other-columns.csv", none, "3/3/7", "user=user_id item=item_id =category_id =store =price =age =country =verified",
		nil, ""},
	{"emails-as-items.csv", none, "2/2/3", "item=sku user=customer_email count=qty", nil, ""},
	{"emails-as-items.csv", columns(Columns{User: "sku", Item: "customer_email"}), "", "", new(*ParseError),
		`line 2, column 2 (customer_email): "a…om": the id of an item must not hold an e-mail address`},
	{"phones-as-items.csv", none, "", "", new(*ParseError),
		`"+…67": the id of an item must not hold a telephone number`},
}

var timed = Options{MinUser: -1, MinItem: -1, Times: true}

func columns(c Columns) Options { return Options{MinUser: -1, MinItem: -1, Columns: c} }

func TestSiteFiles(t *testing.T) {
	used := map[string]bool{}
	for _, c := range siteFiles {
		used[strings.Split(c.file, "/")[0]] = true
		t.Run(c.file, func(t *testing.T) {
			d, err := Load(filepath.Join("testdata/files", c.file), c.options)
			if c.err != nil {
				if err == nil || !errors.As(err, c.err) || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("a %T: %v; want one that says %q", err, err, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			check(t, d)
			if got := fmt.Sprintf("%d/%d/%d", d.Users.Len(), d.Items.Len(), d.Read.Kept); got != c.want {
				t.Errorf("%s; want %s", got, c.want)
			}
			r := d.Read.Readings[0]
			var roles []string
			for _, column := range r.Columns {
				roles = append(roles, column.Role+"="+column.Name)
			}
			if got := strings.Join(roles, " "); got != c.roles {
				t.Errorf("columns %s; want %s", got, c.roles)
			}
			if c.options.Times && slices.Contains(d.Times, 0) {
				t.Errorf("times %v", d.Times)
			}
			if d.Read.Liked+d.Read.BelowRating+d.Read.Unrated+d.Read.Duplicates != d.Read.Interactions {
				t.Errorf("the sides of the threshold are not all: %+v", d.Read)
			}
			for _, row := range r.Rows {
				if len(row) != len(r.Columns) {
					t.Errorf("a row of %d cells for %d columns", len(row), len(r.Columns))
				}
			}
		})
	}
	all, err := os.ReadDir("testdata/files")
	if err != nil || len(all) < 60 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	for _, e := range all {
		if !used[e.Name()] {
			t.Errorf("%s is used by no test", e.Name())
		}
	}
}

// TestSiteDetails holds what the counts do not show.
func TestSiteDetails(t *testing.T) {
	load := func(file string, o Options) *Dataset {
		t.Helper()
		d, err := Load(filepath.Join("testdata/files", file), o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for file, first := range map[string]int64{
		"dates-german.csv": 1612549800, "dates-us.csv": 1622226600, "dates-words.csv": 1615766400,
		"dates-compact.csv": 1615766400, "pandas.parquet": 1615557900, "spark.parquet": 1615557900,
	} {
		if d := load(file, timed); d.Times[0] != first {
			t.Errorf("%s: the first time is %d; want %d", file, d.Times[0], first)
		}
	}
	if d := load("dates-ambiguous.csv", none); d.Read.UnreadTimes != 7 || d.Times != nil {
		t.Errorf("%d times were not read, %v", d.Read.UnreadTimes, d.Times)
	}
	if d := load("minus-one.csv", none); d.Low.Len() != 2 || d.Unliked.Len() != 3 {
		t.Errorf("−1 is a dislike and 0 is none: %d, %d", d.Low.Len(), d.Unliked.Len())
	}
	if d := load("plays.csv", none); d.Low != nil || d.Unliked != nil || d.Read.MinRating != 1 ||
		d.Read.BelowRating != 2 {
		t.Errorf("few plays are not a dislike: %+v", d.Read)
	}
	if d := load("windows-1252.csv", none); d.Items.ID(1) != "chaise à l’été – 5 €" ||
		d.Read.Readings[0].Encoding != "Windows-1252" {
		t.Errorf("%q, %s", d.Items.ID(1), d.Read.Readings[0].Encoding)
	}
	for file, title := range map[string]string{
		"titles.csv": "A red lamp", "shopify.csv": "The lamp, red", "atomic": "A red lamp",
		"atomic/shop.inter": "A red lamp", "known-folder.zip": "Toy Story", "with-items.zip": "A lamp",
	} {
		if d := load(file, none); d.Catalogue.Items[0].Title != title || d.Read.Described != d.Items.Len() {
			t.Errorf("%s: the first title is %q, %d are described", file, d.Catalogue.Items[0].Title, d.Read.Described)
		}
	}
	if d := load("atomic", none); d.Catalogue.Columns[0] != "price" ||
		!slices.Equal(d.Catalogue.Items[0].Genres, []string{"Home", "Light"}) {
		t.Errorf("%v, %v", d.Catalogue.Columns, d.Catalogue.Items[0])
	}
	// Counts of the same pair are summed, so minima apply to the sum.
	two := 2.0
	d, err := Load(write(t, t.TempDir(), "x.csv", "user,item,qty\n1,2,1\n1,2,1\n1,3,1\n"),
		Options{MinUser: -1, MinItem: -1, MinRating: &two})
	if err != nil || strings.Join(pairs(d, d.Positives), ";") != "1 2" {
		t.Errorf("%v, %v", d, err)
	}
	// A split by parts in any table.
	for _, folder := range []string{"split-csv", "atomic-split", "m1"} {
		if !HasTest(filepath.Join("testdata/files", folder), Options{}) {
			t.Errorf("%s has no test part", folder)
		}
		if _, s, err := LoadFixed(filepath.Join("testdata/files", folder), "", Options{}); err != nil ||
			s.Test.Len() == 0 {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
