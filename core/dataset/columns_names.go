package dataset

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// meaning is the meaning of a column's name: a role and a rank. The smallest rank of a role wins.
type meaning struct {
	role  role
	rank  int
	count bool // of roleRating: it counts plays, views or purchases
	weak  bool // the name has other meanings too, so the values must agree
}

// commonNames are the names in known data sets, tried for each role in this order and compared in plain form: see
// plainName. Other names are read word by word: see nounOf.
var commonNames = [roles][]string{
	{"user", "userid", "reviewerid", "uid", "username", "customerid", "customer", "visitorid", "memberid", "accountid",
		"profileid", "reviewer"},
	{"item", "itemid", "movieid", "parentasin", "asin", "bookid", "productid", "businessid", "trackid", "songid",
		"artistid", "gameid", "animeid", "recipeid", "locationid",
		"movie", "book", "product", "track", "song", "artist", "game", "location", "isbn", "iid", "sku"},
	{"rating", "ratings", "score", "stars", "overall", "bookrating", "userrating", "myrating", "reviewoverall",
		"preference"},
	{"timestamp", "time", "unixreviewtime", "date", "datetime", "dateadded", "createdat", "unixtime", "reviewtime",
		"ratedat", "addedat", "ts"},
	{"title", "movietitle", "booktitle", "producttitle", "itemtitle", "itemname", "productname", "name"},
}

// The words of names, without accents, in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
// Polish, Turkish, Russian, Chinese and Japanese.
var (
	userNouns = words(`user users customer buyer member reviewer visitor client account person subscriber shopper
		patron profile mitglied mitglieder teilnehmer leser hoerer spieler schueler adherent abonne lecteur socio
		miembro suscriptor membro assinante lid medlem
		viewer listener reader guest consumer purchaser player student household
		nutzer benutzer kunde kaeufer kaufer kundin besteller utilisateur utilisatrice acheteur membre usuario usuaria
		cliente comprador
		utente acquirente utilizador gebruiker klant anvandare kund uzytkownik klient kullanici musteri
		пользователь клиент покупатель 用户 用户id 会员 顾客 ユーザー ユーザ 顧客`)
	itemNouns = words(`item items product sku asin isbn movie film book track song artist album band game anime
		recipe article business venue
		restaurant hotel place poi video podcast show series course app variant listing offer content asset lineitem
		merchandise
		wine beer dish paper story post isin ean gtin upc
		artikel produkt buch spiel lied kuenstler kunstler ware produit livre jeu chanson articulo producto libro
		pelicula juego cancion
		prodotto articolo libro produto artigo livro filme product boek bok ksiazka urun kitap
		товар продукт книга фильм 商品 物品 产品 电影 图书 商品id アイテム 作品 映画`)
	ratingNouns = words(`rating ratings rated rate score scores star stars vote votes feedback liked likes like
		favourite favorite favourited favorited loved thumb thumbs
		upvote reaction verdict opinion appreciation evaluation
		bewertung sterne wertung gefaellt gefallt daumen notation etoiles etoile appreciation avis puntuacion
		calificacion valoracion estrellas
		voto valutazione punteggio stelle avaliacao classificacao estrelas pontuacao beoordeling waardering sterren
		cijfer
		betyg ocena gwiazdki puan yildiz оценка рейтинг 评分 打分 星级 評価 評点 レーティング`)
	weakRatings = words(`value grade mark marks points note label target y weight punkte wert nota nota valor valore
		voto puntos nilai baremo`)
	countNouns = words(`plays play playcount playcounts listens listencount scrobbles streams count counts views
		viewcount clicks qty quantity purchases visits times frequency freq units
		menge anzahl stueckzahl stuckzahl stueck quantite ecoutes cantidad reproducciones quantita quantidade ascolti
		aantal antal ilosc adet
		количество 数量 次数 播放次数 再生回数 weight`)
	timeNouns = words(`time date timestamp datetime unixtime ts day zeit datum zeitstempel zeitpunkt bestelldatum
		kaufdatum bewertungsdatum horodatage heure fecha hora
		ora dato tid tarih zaman momento tijd tijdstip czas 时间 日期 日時 日付 时间戳 дата время`)
	weakTimes  = words(`data`)
	titleNouns = words(`title titles name titel titre titulo titolo titul tytul nazwa nom nombre nome naam namn
		bezeichnung artikelbezeichnung produktname artikelname
		buchtitel filmtitel baslik ad название наименование заголовок 标题 名称 商品名 タイトル 作品名`)
	// Words behind a noun that make it an id: user_id, Kundennummer, customer email.
	idNouns = words(`id ids key code nr no number num uid guid uuid ref reference handle hash index idx sku asin
		isbn ean
		nummer kennung identifiant numero codigo codice identificador kod numer kodu номер код ид 编号 番号`)
	mailNouns = words(`email mail emailadresse emailaddress correo courriel`)
	// Compounds that other languages write as one word.
	userCompounds = words(`kundennummer kundennr kundenid kundenemail kundenmail benutzername benutzerid nutzerid
		nutzername klantnummer kundnummer customeremail useremail nickname screenname`)
	itemCompounds = words(`artikelnummer artikelnr artikelid produktnummer produktid produktnr bestellnummer
		warennummer buchid filmid spielid productnummer artikelnum itemsku productsku`)
	rateCompounds = words(`starrating reviewscore reviewrating kundenbewertung nutzerbewertung filmbewertung
		buchbewertung produktbewertung sternebewertung gesamtbewertung gesamtnote thumbsup thumbsupdown isliked
		isfavorite isfavourite`)
	// A rating with one of these is another person's, an average, or a count of ratings.
	othersWords = words(`average avg mean median imdb critic critics global count num number total max min predicted
		expected metacritic tomatometer community
		durchschnitt moyenne media medio gemiddelde helpful helpfulness imdb content age esrb mpaa parental`)
	// A time with one of these is not the time of an interaction.
	otherTimes = words(`release released birth published publication expiry expiration expires valid delivery
		shipping shipped due cancelled canceled refunded returned voided deleted birthday start end
		zone run running duration play geburt geburts erscheinungs lifetime`)
)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[fold(w)] = true
	}
	return out
}

var foldedLetters = strings.NewReplacer("ß", "ss", "ł", "l", "ı", "i", "ø", "o", "æ", "ae")

// fold brings text to lower case without accents: "Évaluation" → "evaluation", "Straße" → "strasse".
func fold(s string) string {
	s = strings.ToLower(s)
	if !beyondASCII(s) {
		return s
	}
	s = foldedLetters.Replace(s)
	return norm.NFC.String(strings.Map(func(r rune) rune {
		// the combining accents of Latin, Greek and Cyrillic, not the voicing marks of Japanese
		if r < 0x300 || r > 0x36f {
			return r
		}
		return -1
	}, norm.NFD.String(s)))
}

// nameWords cuts a column's name into words in lower case without accents, at every character other than letters and
// digits and before a capital that follows a small letter. It drops numbers, and the type that RecBole's files put
// behind a colon.
func nameWords(name string) (out []string) {
	name, _, _ = strings.Cut(name, ":")
	var word []rune
	flush := func() {
		if w := fold(string(word)); strings.Trim(w, "0123456789") != "" {
			out = append(out, w)
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

// plainName returns the plain form of a column's name, in which names are compared: its words without separators.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return fold(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, name))
}

// Ranks of names found word by word. They come after the common names, whose rank is their index in the list.
const (
	rankWords = 100 // "customer_email", "lineitem_sku", "Your Rating"
	rankWeak  = 200 // a name with other meanings: "value", "note"
	rankCount = 300 // a count, used without a rating
)

// meaningOf returns the meaning of a column's name; ok is false if it has none.
func meaningOf(name string) (m meaning, ok bool) {
	plain := plainName(name)
	for r, list := range commonNames {
		if i := slices.Index(list, plain); i >= 0 {
			if plain == "name" {
				return meaning{role: roleTitle, rank: rankWeak, weak: true}, true
			}
			return meaning{role: role(r), rank: i}, true
		}
	}
	switch {
	case userCompounds[plain]:
		return meaning{role: roleUser, rank: rankWords}, true
	case itemCompounds[plain]:
		return meaning{role: roleItem, rank: rankWords}, true
	case rateCompounds[plain]:
		return meaning{role: roleRating, rank: rankWords}, true
	}
	w := nameWords(name)
	if len(w) == 0 {
		return m, false
	}
	head, before := w[len(w)-1], w[:len(w)-1]
	some := func(set map[string]bool, of []string) bool {
		return slices.ContainsFunc(of, func(w string) bool { return set[w] })
	}
	kind, noun := nounOf(before)
	switch {
	case ratingNouns[head] && !some(othersWords, before):
		return meaning{role: roleRating, rank: rankWords}, true
	case ratingNouns[head]:
		return m, false
	case weakRatings[head] && some(ratingNouns, before) && !some(othersWords, before):
		return meaning{role: roleRating, rank: rankWords + 5}, true
	case countNouns[head] && !some(ratingNouns, before) && !some(words("review reviews helpful rating total"), before):
		return meaning{role: roleRating, rank: rankCount, count: true, weak: head == "weight"}, true
	case weakRatings[head] && (len(before) == 0 || noun):
		return meaning{role: roleRating, rank: rankWeak, weak: true}, true
	case timeNouns[head] && !some(otherTimes, before):
		return meaning{role: roleTime, rank: rankWords}, true
	case weakTimes[head] && len(before) == 0:
		return meaning{role: roleTime, rank: rankWeak, weak: true}, true
	case (head == "at" || head == "on") && len(before) > 0 && !some(otherTimes, before):
		return meaning{role: roleTime, rank: rankWords + 10}, true
	}
	if m, ok = idMeaning(head, kind, noun, len(before) == 0); ok {
		return m, true
	}
	if titleNouns[head] && (len(before) == 0 || noun && kind == roleItem) {
		return meaning{role: roleTitle, rank: rankWords, weak: len(before) == 0}, true
	}
	return m, false
}

// idMeaning reads names that end in a noun of an entity, or in a word for an id behind one.
func idMeaning(head string, kind role, noun, alone bool) (meaning, bool) {
	switch {
	case itemNouns[head] && !(noun && kind == roleUser): // "lineitem_sku", "film"; not "user_location"
		rank := rankWords
		if alone {
			rank += 10
		}
		return meaning{role: roleItem, rank: rank}, true
	case userNouns[head]:
		return meaning{role: roleUser, rank: rankWords + 10}, true
	case idNouns[head] && noun:
		return meaning{role: kind, rank: rankWords}, true
	case mailNouns[head] && noun && kind == roleUser:
		return meaning{role: roleUser, rank: rankWords + 20}, true
	case mailNouns[head] && !noun:
		return meaning{role: roleUser, rank: rankWords + 40}, true
	case titleNouns[head] && head != "title" && noun && kind == roleUser: // "customer name"
		return meaning{role: roleUser, rank: rankWords + 30}, true
	}
	return meaning{}, false
}

// nounOf returns the last word that names an entity.
func nounOf(w []string) (role, bool) {
	for _, x := range slices.Backward(w) {
		switch {
		case userNouns[x]:
			return roleUser, true
		case itemNouns[x]:
			return roleItem, true
		}
	}
	return 0, false
}
