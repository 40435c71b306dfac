package dataset

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// TestGuessEncoding: a few words are enough to tell the encodings apart that tables have.
func TestGuessEncoding(t *testing.T) {
	for name, texts := range map[string][]string{
		"Windows-1252": {"Müller", "Café", "Die Straße nach Süden\nFür Elise", "Amélie Poulain; Père Noël",
			"São Paulo;Ação", "Ærø Øst", "ÜBER ALLES, ÖL", "El Niño – señor", "It’s a “test”",
			"Þetta er íslenska, það", "Å leve, ære være", "L’Œuvre; cœur, été", "Ação não", "naïve Bücher", "Jõgi, öö"},
		"Mac Roman": {"Müller", "Café crème", "Die Straße nach Süden\nFür Elise", "Amélie Poulain; Père Noël",
			"El Niño señor", "naïve façade"},
		"Windows-1251": {"Фильм 500", "Война и мир", "Ирония судьбы, или С лёгким паром!", "КНИГА О ВКУСНОЙ ЕДЕ",
			"id;название;жанр\n1;Брат;драма", "Тіні забутих предків", "Фильм «Брат»"},
		"KOI8-R":       {"Фильм 500", "Война и мир", "Ирония судьбы, или С лёгким паром!", "Сталкер; Солярис"},
		"Mac Cyrillic": {"Фильм 500", "Война и мир", "Ирония судьбы, или С легким паром!"},
		"Shift-JIS":    {"七人の侍", "となりのトトロ", "千と千尋の神隠し,アニメ", "東京物語, ドラマ", "商品名,カテゴリ"},
		"EUC-JP":       {"七人の侍", "となりのトトロ", "千と千尋の神隠し,アニメ"},
		"GB18030":      {"活着", "霸王别姬,剧情", "卧虎藏龙;动作", "让子弹飞", "电影名称,类别"},
		"EUC-KR":       {"기생충", "올드보이, 스릴러", "살인의 추억"},
		"Windows-1253": {"Ο Νονός, μέρος δεύτερο", "Ποτέ την Κυριακή", "Το ψωμί και άλλες ιστορίες", "Αλέξης Ζορμπάς;δράμα",
			"ΤΙΤΛΟΣ;ΕΙΔΟΣ\nΗ αιωνιότητα και μια μέρα", "Ο άνθρωπος με το γαρύφαλλο, 1980"},
		"Windows-1255": {"ואלס עם באשיר", "הכלה הסורית, דרמה", "שם המוצר;קטגוריה", "מנורת שולחן אדומה", "ביקור התזמורת"},
		"Windows-1256": {"باب الحديد", "المومياء، دراما", "اسم المنتج;الفئة", "مصباح مكتب أحمر", "فيلم وجدة السعودي"},
		"Windows-1250": {"Człowiek z żelaza", "Miasto Łódź, książki", "Pociąg", "Příběh", "Ostře sledované vlaky, příběh", "Třešně; Šťastný",
			"Száll a kakukk fészkére; Tűz, víz, ősz, öröm", "Ljubav i moć; čovjek, noć, šuma, žena", "Żurek, świeże bułki", "Obchod na korze; Ďáblova past"},
		"Windows-1254": {"Kış Uykusu, güz", "Bir Zamanlar Anadolu'da; ışık, çöl", "İstanbul; Güneş", "Ağır Roman; çıplak", "Eşkıya, müzik", "Çoğunluk, şiir",
			"Üç Maymun, dağ"},
		"Big5": {"悲情城市", "牯嶺街少年殺人事件", "飲食男女,劇情"},
	} {
		for _, g := range guessed {
			for _, text := range texts {
				b, err := g.NewEncoder().Bytes([]byte(text))
				if g.name != name || err != nil {
					continue
				}
				if got := guessed[guessEncoding(b)]; got.name != name {
					wrong, _ := got.NewDecoder().Bytes(b)
					t.Errorf("%s: %q is taken for %s, %q", name, text, got.name, wrong)
				}
			}
		}
	}
}

// TestEncodings: interactions and catalogues in other encodings come out right, what was taken for which is said, and
// the encoding asked for counts.
func TestEncodings(t *testing.T) {
	items := "id,title\na,Фильм 500\nb,Война и мир\n"
	russian := func(c *charmap.Charmap) string {
		b, err := c.NewEncoder().String(items)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	again := func(text string) string { // encoded once more
		b, _ := charmap.Windows1252.NewDecoder().String(text)
		return b
	}
	for _, c := range []struct{ text, asked, encoding string }{
		{russian(charmap.Windows1251), "", "Windows-1251"},
		{russian(charmap.KOI8R), "", "KOI8-R"},
		{russian(charmap.MacintoshCyrillic), "", "Mac Cyrillic"},
		{russian(charmap.ISO8859_5), "iso-8859-5", "iso-8859-5, as asked for"},
		{russian(charmap.CodePage866), "ibm866", "ibm866, as asked for"},
		{items, "utf-8", "utf-8, as asked for"},
		{items, "windows-1251", ""}, // garbled, and so as asked for
		{items, "", "UTF-8"},
		{"\ufeff" + items, "", "UTF-8 with a byte order mark"},
		{again(items), "", "UTF-8, encoded twice"},
		{"\ufeff" + again(items), "", "UTF-8, encoded twice"},
	} {
		folder := t.TempDir()
		o := none
		o.Items, o.Encoding = write(t, folder, "items.csv", c.text), c.asked
		d, err := Load(write(t, folder, "r.csv", "user,item\nu,a\nu,b\n"), o)
		if err != nil {
			t.Errorf("%s: %v", c.encoding, err)
			continue
		}
		titles := fmt.Sprint(d.Catalogue.Items[0].Title, ", ", d.Catalogue.Items[1].Title)
		if c.encoding == "" {
			if strings.Contains(titles, "Фильм") {
				t.Errorf("windows-1251 was not used: %s", titles)
			}
			continue
		}
		if titles != "Фильм 500, Война и мир" || d.Read.ItemsEncoding != c.encoding ||
			d.Read.ItemsExample != "Фильм 500" {
			t.Errorf("%s: %s, read as %s, shown %q", c.encoding, titles, d.Read.ItemsEncoding, d.Read.ItemsExample)
		}
	}
	// The example of interactions shows nobody's name.
	d, err := Load(write(t, t.TempDir(), "r.csv", "customer_id,customer_name,item\n1,J\xf6rg,K\xe4se\n"), none)
	if err != nil || d.Read.Readings[0].Example != "Käse" || d.Read.Readings[0].Encoding != "Windows-1252" {
		t.Errorf("%v, %+v", err, d)
	}
	o := none
	o.Encoding = "klingon"
	if _, err := Load(write(t, t.TempDir(), "r.csv", "user,item\nu,a\n"), o); err == nil ||
		!strings.Contains(err.Error(), `unknown encoding "klingon"; choose from`) {
		t.Error(err)
	}
	// Behind a long beginning in ASCII, and without a character that was encoded once only being touched.
	long := "user,item\n" + strings.Repeat("u,a\n", 20_000)
	for text, want := range map[string]string{long + "u,Am\xe9lie\n": "Amélie", long + "u,AmÃ©lie\n": "Amélie",
		long + "u,MÃE\n": "MÃE", long + "u,Amélie\n": "Amélie"} {
		d, err := Load(write(t, t.TempDir(), "r.csv", text), none)
		if err != nil || d.Items.ID(1) != want {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// FuzzTwice: text that was encoded twice is restored, and other text stays valid.
func FuzzTwice(f *testing.F) {
	f.Add("Amélie, Война")
	f.Add("Ã©")
	f.Fuzz(func(t *testing.T, s string) {
		out, err := io.ReadAll(transform.NewReader(strings.NewReader(s), once{}))
		if err != nil {
			t.Fatal(err)
		}
		if isTwice([]byte(s)) && len(s) < maxRun && len(out) >= len(s) {
			t.Errorf("%q became %q", s, out)
		}
		guessEncoding(bytes.Clone([]byte(s)))
	})
}
