package dataset

import "testing"

// In Shopify's export of products, variants share the cells of the product's first line, and lines of pictures are not
// items. Other tables stay as they are.
func TestShopifyProducts(t *testing.T) {
	const header = "Handle,Title,Vendor,Tags,Variant SKU,Variant Price,Image Src,Status\n"
	for name, c := range map[string]struct {
		text, title, vendor string
		items, withheld     int
	}{
		"variants":       {header + "pan,Pan,Fern,gift,P1,10,a.jpg,active\npan,,,,P2,12,,\n", "Pan", "Fern", 2, 0},
		"pictures":       {header + "pan,Pan,Fern,gift,P1,10,a.jpg,active\npan,,,,,,b.jpg,\npan,,,,P2,12,,\n", "Pan", "Fern", 2, 0},
		"draft variants": {header + "cup,Cup,Loom,new,C1,5,c.jpg,draft\ncup,,,,C2,6,,\npan,Pan,Fern,gift,P1,10,a.jpg,active\npan,,,,P2,12,,\n", "Pan", "Fern", 2, 2},
		"next product":   {header + "pan,Pan,Fern,gift,P1,10,a.jpg,active\ncup,Cup,,new,C1,5,,active\n", "Cup", "", 2, 0},
		"other table":    {"Handle,Title,Vendor,sku\npan,Pan,Fern,P1\npan,,,P2\n", "P2", "", 2, 0},
	} {
		items, read, err := LoadCatalogue(write(t, t.TempDir(), "products.csv", c.text), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		last := items.Items[items.Len()-1]
		vendor := ""
		if k := items.Column("Vendor"); k >= 0 && k < len(last.Values) {
			vendor = last.Values[k]
		}
		if items.Len() != c.items || len(read.Withheld) != c.withheld || last.Title != c.title || vendor != c.vendor {
			t.Errorf("%s: %d items, the last %+v, %d withheld", name, items.Len(), last, len(read.Withheld))
		}
	}
}
