package dataset

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// guessed are the encodings tried on text that is not UTF-8, with their names. The first of equally good ones is taken.
var guessed = []struct {
	name string
	encoding.Encoding
}{
	{"Windows-1252", charmap.Windows1252}, // has all of Latin-1's letters
	{"Windows-1251", charmap.Windows1251},
	{"KOI8-R", charmap.KOI8R},
	{"Mac Roman", charmap.Macintosh},
	{"Mac Cyrillic", charmap.MacintoshCyrillic},
	{"Shift-JIS", japanese.ShiftJIS},
	{"EUC-JP", japanese.EUCJP},
	{"EUC-KR", korean.EUCKR},
	{"GB18030", simplifiedchinese.GB18030},
	{"Big5", traditionalchinese.Big5},
	{"Windows-1253", charmap.Windows1253}, // Greek
	{"Windows-1255", charmap.Windows1255}, // Hebrew
	{"Windows-1256", charmap.Windows1256}, // Arabic
	{"Windows-1250", charmap.Windows1250}, // Central Europe; see alphabets
	{"Windows-1254", charmap.Windows1254}, // Turkish; see alphabets
}

// Indices in guessed: of encodings with several bytes per character, and of the first one that only its alphabets
// identify.
const (
	firstWide, lastWide = 5, 9
	byAlphabet          = 13
)

// guessEncoding returns the index in guessed of the encoding in which text, which is not UTF-8, makes the most sense.
func guessEncoding(text []byte) int {
	best, most := 0, 0.0
	for i, g := range guessed[:byAlphabet] {
		decoded, err := g.NewDecoder().Bytes(text)
		score := sense(string(decoded), i >= firstWide && i <= lastWide)
		switch {
		case g.name == "Mac Roman": // its letters have the codes of quotes and dashes in Windows
			score *= .6
		case g.name == "EUC-JP" && !strings.ContainsFunc(string(decoded), isKana): // then it may be any of the others
			score = -1
		case g.name == "EUC-KR" && strings.ContainsFunc(string(decoded), isHan): // hardly used in Korean any more
			score /= 2
		case i > lastWide && len(text)-asciiBytes(text) < 10: // Cyrillic letters have the same codes
			score *= .8
		}
		if err == nil && (i == 0 || score > most) {
			best, most = i, score
		}
	}
	// Latin letters make sense in several encodings, but each language uses only some of them.
	if best != 0 && guessed[best].name != "Mac Roman" && most >= 1.5 {
		return best
	}
	for _, i := range []int{best, 0} {
		if decoded, _ := guessed[i].NewDecoder().String(string(text)); spells(decoded, westernAlphabets) {
			return i
		}
	}
	for i, g := range guessed[byAlphabet:] {
		if decoded, err := g.NewDecoder().String(string(text)); err == nil && spells(decoded, alphabets[i]) {
			return byAlphabet + i
		}
	}
	return best
}

// Letters of languages beyond ASCII, in lower case.
var (
	westernAlphabets = strings.Fields(`éèêëàâçîïôùûüœÿæ äöüßé áéíóúñü áâãàçéêíóôõúü àèéìîòóù åäöé åæøéèêòóô éëïóöü
		áðéíóúýþæö äöõüšž áéíóú àèéíïòóúüç`)
	// of Windows-1250: Polish, Czech and Slovak, Hungarian, Croatian and Slovene, Romanian; of Windows-1254: Turkish
	alphabets = [][]string{strings.Fields(`ąćęłńóśźż áčďéěíňóřšťúůýžäľĺŕô áéíóöőúüű čćđšž ăâîşţ`),
		strings.Fields(`çğıiöşüâîû`)}
)

// spells reports whether nearly all letters beyond ASCII belong to one alphabet, and no unusual signs occur.
func spells(text string, alphabets []string) bool {
	all := 0
	in := make([]int, len(alphabets))
	for _, r := range text {
		if r < utf8.RuneSelf || strings.ContainsRune(signs, r) || r == 0xa0 {
			continue
		}
		all++
		if unicode.IsLetter(r) {
			small := unicode.ToLower(r)
			for i, a := range alphabets {
				if strings.ContainsRune(a, small) || r == 'İ' && strings.ContainsRune(a, 'ı') {
					in[i]++
				}
			}
		}
	}
	return all > 0 && slices.Max(in)*100 >= all*97
}

func asciiBytes(text []byte) (n int) {
	for _, c := range text {
		if c < utf8.RuneSelf {
			n++
		}
	}
	return n
}

func isHan(r rune) bool  { return unicode.Is(unicode.Han, r) }
func isKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// Letters that are frequent in a script or region, and signs that occur in texts.
const (
	frequentCyrillic = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёіїєґў"
	frequentGreek    = "αοιετσνηυρπκμλωγδθςάόίέήύώ"
	frequentArabic   = "الينمروتبهعدسكفحةقجطشصىأ"
	frequentLatin    = "éèêëàâäáãåæçíìîïñóòôöõøúùûüßÉÈÀÂÄÁÅÇÍÑÓÖÕØÚÜ"
	signs            = "«»„“”‘’–—…·•©®™°§€£¿¡№ºª、。「」・ー，！？：；（）《》"
)

// sense rates how plausible decoded text is, by its characters beyond ASCII and their neighbours, per byte of these
// characters. wide: a character may take two bytes.
func sense(text string, wide bool) float64 {
	score, bytes := 0.0, 0.0
	before := rune(' ')
	for i, r := range text {
		if r < utf8.RuneSelf {
			before = r
			continue
		}
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		latin := before < utf8.RuneSelf && unicode.IsLetter(before) || after < utf8.RuneSelf && unicode.IsLetter(after)
		taken, gain := 1.0, 0.0
		switch {
		case r == utf8.RuneError, unicode.Is(unicode.Co, r):
			gain = -20
		case unicode.IsControl(r):
			gain = -6
		case r == '’':
			gain = 1.3
		case r == '”' && unicode.IsLetter(after), r == '“' && unicode.IsLetter(before):
			gain = -1
		case strings.ContainsRune("“”‘–—", r) && !(unicode.IsLetter(before) && unicode.IsLetter(after)) && !wide:
			gain = 2
		case strings.ContainsRune(signs, r):
			if gain = .5; wide && r >= 0x3000 {
				taken = 2
			}
		case unicode.Is(unicode.Cyrillic, r):
			switch small := unicode.ToLower(r); {
			case wide, latin:
				gain = -4
			case !strings.ContainsRune(frequentCyrillic, small):
				gain = -3
			case r != small && unicode.IsLower(before): // a capital within a word
				gain = -4
			case strings.ContainsRune(frequentCyrillic[:2*17], small):
				gain = 3
			default:
				gain = 2
			}
		case unicode.Is(unicode.Greek, r):
			switch small := unicode.ToLower(r); {
			case wide, latin, r == 'ς' && unicode.IsLetter(after), r != small && unicode.IsLower(before):
				gain = -4
			case strings.ContainsRune(frequentGreek, small):
				gain = 3
			case strings.ContainsRune("βφχξζψΆΈΉΊΌΎΏ", r), strings.ContainsRune("βφχξζψ", small):
				gain = 1
			default:
				gain = -3
			}
		case unicode.Is(unicode.Hebrew, r):
			switch {
			case wide, latin, strings.ContainsRune("םןץףך", r) && unicode.Is(unicode.Hebrew, after):
				gain = -4
			case r < 'א': // marks of vowels
				gain = -2
			default:
				gain = 3
			}
		case unicode.Is(unicode.Arabic, r):
			switch {
			case wide, latin, strings.ContainsRune("ةى", r) && unicode.Is(unicode.Arabic, after):
				gain = -4
			case strings.ContainsRune(frequentArabic, r):
				gain = 3
			default:
				gain = .5
			}
		case unicode.Is(unicode.Latin, r):
			switch {
			case unicode.IsUpper(r) && unicode.IsLower(before), wide:
				gain = -4
			case !strings.ContainsRune(frequentLatin, r):
				gain = -1
			case latin:
				gain = 2
			default: // between others of its kind, as other encodings look in this one
				gain = -1
			}
		case isKana(r):
			if taken, gain = 2, 6; r >= 0xff61 { // of half width
				taken, gain = 1, -1
			}
		case unicode.Is(unicode.Hangul, r):
			if taken, gain = 2, 5; latin {
				gain = -2
			}
		case isHan(r):
			switch taken = 2; {
			case latin:
				gain = -4
			case frequentHan(r):
				gain = 5
			default:
				gain = -2
			}
		default:
			gain = -3
		}
		score += gain
		bytes += taken
		before = r
	}
	if bytes == 0 {
		return 0
	}
	return score / bytes
}

// frequentHan reports whether a character is in daily use: in the first level of GB 2312, JIS X 0208 or Big5.
func frequentHan(r rune) bool {
	for _, e := range []struct {
		encoding.Encoding
		first, last byte
	}{{simplifiedchinese.GBK, 0xb0, 0xd7}, {japanese.EUCJP, 0xb0, 0xcf}, {traditionalchinese.Big5, 0xa4, 0xc6}} {
		b, err := e.NewEncoder().String(string(r))
		if err == nil && len(b) == 2 && b[0] >= e.first && b[0] <= e.last && (b[1] >= 0xa1 || e.first == 0xa4) {
			return true
		}
	}
	return false
}
