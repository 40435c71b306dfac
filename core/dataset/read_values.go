package dataset

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// noID is the rule for a missing id.
const noID = "an id must not be empty, or a word for a missing value such as NULL, None or nan"

// checkID returns the reason why b cannot be an id, or nil. Ids are 1 to 1,024 bytes of UTF-8 without control
// characters, since they go into model files and onto pages.
func checkID(b []byte) *idError {
	switch {
	case len(b) == 0:
		return &idError{what: noID}
	case len(b) > maxIDLength:
		return &idError{what: "an id has at most 1,024 bytes; are the columns and the delimiter right?"}
	}
	ascii := true
	for _, c := range b {
		if c < ' ' || c == 0x7f {
			return &idError{what: "an id must not hold control characters; is this a text file?"}
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && !utf8.Valid(b) {
		return &idError{what: "an id must be valid UTF-8; save the file as UTF-8"}
	}
	return nil
}

// trim cuts spaces and tabs off both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// parseRating reads a finite number, stars, or a word of opinion, which is 1, 0 or ½ and sets word. An empty text is
// NaN: not rated.
func parseRating(b []byte) (v float32, word, ok bool) {
	switch {
	case isNull(b):
		return float32(math.NaN()), false, true
	case len(b) == 1 && isDigit(b[0]):
		return float32(b[0] - '0'), false, true
	case len(b) == 3 && isDigit(b[0]) && b[1] == '.' && isDigit(b[2]):
		return float32(int(b[0]-'0')*10+int(b[2]-'0')) / 10, false, true // as strconv rounds: one division, both exact
	}
	if v, ok = parseNumber(b); ok {
		return v, false, true
	}
	if v, ok = stars(b); ok {
		return v, false, true
	}
	v, ok = opinion(b)
	return v, ok, ok
}

// parseNumber reads a finite number, also with a decimal comma. It rejects a comma before three digits, which may
// separate thousands.
func parseNumber(b []byte) (float32, bool) {
	if len(b) == 0 || len(b) > 32 {
		return 0, false
	}
	text := string(b)
	if whole, rest, ok := strings.Cut(text, ","); ok {
		if whole == "" || len(rest) == 0 || len(rest) == 3 ||
			strings.Trim(strings.TrimLeft(whole, "+-"), "0123456789") != "" || strings.Trim(rest, "0123456789") != "" {
			return 0, false
		}
		text = whole + "." + rest
	}
	if c := text[len(text)-1]; !isDigit(c) && c != '.' {
		return 0, false // Inf, NaN, and the hexadecimal that no table holds
	}
	v, err := strconv.ParseFloat(text, 32)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	return float32(v), true
}

// stars counts ★ or ⭐, optionally followed by ☆ for missing ones: 1 to 10 in total.
func stars(b []byte) (float32, bool) {
	if len(b) == 0 || b[0] < utf8.RuneSelf {
		return 0, false
	}
	full, all := 0, 0
	for _, r := range string(b) {
		switch r {
		case '★', '⭐':
			if full < all {
				return 0, false
			}
			full++
		case '☆':
		case '\ufe0f': // shows the sign before it in colour
			continue
		default:
			return 0, false
		}
		all++
	}
	return float32(full), all >= 1 && all <= 10
}

// opinions are the words for like and dislike, without accents.
var opinions = func() map[string]float32 {
	out := map[string]float32{}
	for v, list := range map[float32]string{
		1: `true yes y up like liked likes love loved thumbup thumbsup upvote positive pos good favorite favourite 👍
			❤ ❤️ ♥ ✓ ✔
			wahr ja gut positiv gefaellt gefallt vrai oui bon positif aime verdadero si bueno positivo vero buono sim
			verdadeiro waar tak prawda evet да 是 はい 赞 喜欢`,
		0: `false no n down dislike disliked dislikes hate hated thumbdown thumbsdown downvote negative neg bad 👎
			falsch nein schlecht negativ faux non mauvais negatif falso malo negativo nao onwaar nee nej nie hayir нет 否
			いいえ 踩 不喜欢`,
		0.5: `neutral meh neutre neutro neutraal`,
	} {
		for _, w := range strings.Fields(list) {
			out[fold(w)] = v
		}
	}
	return out
}()

// opinion reads a word that says like (1), dislike (0) or neither (0.5).
func opinion(b []byte) (float32, bool) {
	if len(b) == 0 || len(b) > 32 {
		return 0, false
	}
	if v, ok := opinions[string(b)]; ok {
		return v, true
	}
	word := strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' && len(b) > 1 {
			return -1
		}
		return r
	}, string(b))
	v, ok := opinions[fold(word)]
	return v, ok
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseInt reads a decimal integer of at most 18 digits.
func parseInt(b []byte) (int64, bool) {
	negative := false
	if len(b) > 1 && b[0] == '-' {
		negative, b = true, b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var v int64
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}
