package catalogue

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latin holds the letters U+00C0 to U+017F without their diacritics, one byte each; '*' marks the few that become two
// letters (double), '-' those that are not letters.
const latin = "aaaaaa*ceeeeiiiidnooooo-ouuuuy**" + // U+00C0 À to U+00DF ß
	"aaaaaa*ceeeeiiiidnooooo-ouuuuy*y" + // U+00E0 à to U+00FF ÿ
	"aaaaaaccccccccddddeeeeeeeeeegggg" + // U+0100 Ā to U+011F ğ
	"gggghhhhiiiiiiiiii**jjkkklllllll" + // U+0120 Ġ to U+013F Ŀ
	"lllnnnnnnnnnoooooo**rrrrrrssssss" + // U+0140 ŀ to U+015F ş
	"ssttttttuuuuuuuuuuuuwwyyyzzzzzzs" //    U+0160 Š to U+017F ſ

// double spells the letters that latin marks with '*'.
func double(r rune) string {
	switch r {
	case 'Æ', 'æ':
		return "ae"
	case 'Þ', 'þ':
		return "th"
	case 'ß':
		return "ss"
	case 'Ĳ', 'ĳ':
		return "ij"
	case 'Œ', 'œ':
		return "oe"
	}
	return ""
}

// apostrophe reports whether r is an apostrophe. They are dropped instead of becoming spaces, so "Schindler's" is one
// word with or without it.
func apostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == '‘' || r == 'ʼ' || r == '`' || r == '´'
}

// Fold returns s as search compares it: lower case, Latin letters without diacritics, combining marks and apostrophes
// left out, "&" as "and", and every run of anything but letters and digits as one space, none at the ends. Letters of
// other scripts stay, in lower case. Fold(Fold(s)) = Fold(s). O(len(s)).
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	word := func(w string) {
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteString(w)
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		from := i
		i += n
		if r > unicode.MaxLatin1 {
			// Some capitals of later blocks have their small letter in the tables below: U+212B, the ångström.
			r = unicode.ToLower(r)
		}
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			word(s[from:i])
		case r >= 'A' && r <= 'Z':
			word(string(r + 'a' - 'A'))
		case r == '&':
			gap = true
			word("and")
			gap = true
		case apostrophe(r) || r >= 0x300 && r <= 0x36F || r == 0xAD:
		case r >= 0xC0 && r <= 0x17F:
			switch c := latin[r-0xC0]; c {
			case '*':
				word(double(r))
			case '-':
				gap = true
			default:
				word(string(c))
			}
		case r >= 0x1E00 && r <= 0x1EFF, r >= 0x1A0 && r <= 0x21B:
			word(string(extended(r)))
		case r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			word(string(r))
		default:
			gap = true
		}
	}
	return b.String()
}

// extended folds Latin Extended Additional, U+1E00 to U+1EFF (Vietnamese, Welsh and transliterations), and the few
// letters of Latin Extended-B that living languages use.
func extended(r rune) rune {
	switch r {
	case 'Ơ', 'ơ', 'Ǒ', 'ǒ', 'Ǫ', 'ǫ':
		return 'o'
	case 'Ư', 'ư', 'Ǔ', 'ǔ', 'Ǖ', 'ǖ', 'Ǘ', 'ǘ', 'Ǚ', 'ǚ', 'Ǜ', 'ǜ':
		return 'u'
	case 'Ǎ', 'ǎ':
		return 'a'
	case 'Ǐ', 'ǐ':
		return 'i'
	case 'Ǧ', 'ǧ':
		return 'g'
	case 'Ș', 'ș':
		return 's'
	case 'Ț', 'ț':
		return 't'
	}
	if r < 0x1E00 {
		return unicode.ToLower(r)
	}
	for _, block := range extendedBlocks {
		if r <= block.last {
			return block.to
		}
	}
	return unicode.ToLower(r)
}

var extendedBlocks = []struct{ last, to rune }{
	{0x1E01, 'a'}, {0x1E07, 'b'}, {0x1E09, 'c'}, {0x1E13, 'd'}, {0x1E1D, 'e'}, {0x1E1F, 'f'}, {0x1E21, 'g'},
	{0x1E2B, 'h'}, {0x1E2F, 'i'}, {0x1E35, 'k'}, {0x1E3D, 'l'}, {0x1E43, 'm'}, {0x1E4B, 'n'}, {0x1E53, 'o'},
	{0x1E57, 'p'}, {0x1E5F, 'r'}, {0x1E69, 's'}, {0x1E71, 't'}, {0x1E7B, 'u'}, {0x1E7F, 'v'}, {0x1E89, 'w'},
	{0x1E8D, 'x'}, {0x1E8F, 'y'}, {0x1E95, 'z'}, {0x1E96, 'h'}, {0x1E97, 't'}, {0x1E98, 'w'}, {0x1E99, 'y'},
	{0x1E9A, 'a'}, {0x1E9F, 's'}, {0x1EB7, 'a'}, {0x1EC7, 'e'}, {0x1ECB, 'i'}, {0x1EE3, 'o'}, {0x1EF1, 'u'},
	{0x1EFF, 'y'},
}

// articles may be left out of a query and of a title, in front and, as catalogues write them, behind.
var articles = map[string]bool{
	"a": true, "an": true, "the": true,
	"le": true, "la": true, "les": true, "l": true, "un": true, "une": true,
	"el": true, "los": true, "las": true, "una": true,
	"il": true, "lo": true, "gli": true, "i": true,
	"der": true, "die": true, "das": true, "ein": true, "eine": true,
	"o": true, "os": true, "as": true, "um": true, "uma": true,
	"de": true, "het": true, "een": true, "den": true, "det": true, "en": true, "et": true,
}
