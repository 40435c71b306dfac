package people

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of personal data in a text.
type Kind uint8

const (
	None Kind = iota
	Email
	Phone
)

// String returns the kind with its article: "an e-mail address".
func (k Kind) String() string {
	switch k {
	case Email:
		return "an e-mail address"
	case Phone:
		return "a telephone number"
	}
	return "nothing personal"
}

// Find returns the kind of personal data anywhere in b, in plain form, percent-encoded (anna%40example.com) or with
// character references (anna&#64;example.com), or None. An address is local@domain with a top-level domain. A telephone
// number has
//
//   - a + and a calling code: +49 170 1234567, +1 (555) 555-0100
//   - 00, a calling code and blanks or brackets: 0049 170 1234567
//   - an area in brackets: (0221) 123456, (555) 555-0100
//   - the form 555-555-0100 of North America
//   - a word before it: tel: 0170 1234567, phone=01701234567
//
// Long numbers, ISBNs, EANs, SKUs, dates, prices and times do not count. O(length).
func Find(b []byte) Kind {
	digits, marks, coded := 0, false, false
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '@':
			marks = true
		case c == '%' || c == '&':
			coded = true
		}
	}
	if !marks && !coded && digits < leastDigits {
		return None
	}
	text := string(b)
	for range mostDecodings {
		if hasEmail(text) {
			return Email
		}
		if hasPhone(text) {
			return Phone
		}
		if !coded {
			return None
		}
		next := decode(text)
		if next == text {
			return None
		}
		text = next
	}
	return None
}

const (
	mostDecodings = 4 // %2540 is @ encoded twice
	leastDigits   = 7 // of a telephone number
	mostDigits    = 15
)

// IsPhone reports whether all of b is a telephone number. It accepts more forms than Find does within a text: seven
// digits after a +, and blanks in the North American form.
func IsPhone(b []byte) bool {
	if len(b) < 8 || len(b) > 24 || b[0] != '+' && b[0] != '(' && b[3] != '-' && b[3] != '.' && b[3] != ' ' ||
		!wholePhone.Match(b) {
		return false
	}
	n := countDigits(string(b))
	return n >= leastDigits && n <= mostDigits
}

var wholePhone = regexp.MustCompile(`^(?:\+[0-9][0-9 ()./-]{6,20}[0-9]|` +
	`\((?:0[0-9]{1,4}|[2-9][0-9]{2})\) ?[0-9][0-9 -]{3,12}[0-9]|` +
	`[0-9]{3}[-. ][0-9]{3}[-. ][0-9]{4})$`)

// decode undoes percent-encoding and character references once. Anything else stays.
func decode(s string) string {
	if strings.IndexByte(s, '%') >= 0 {
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '%' && i+2 < len(s) && hex(s[i+1]) >= 0 && hex(s[i+2]) >= 0 {
				b.WriteByte(byte(hex(s[i+1])<<4 | hex(s[i+2])))
				i += 2
			} else {
				b.WriteByte(s[i])
			}
		}
		s = b.String()
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	return s
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// email matches the form of an address. Its first group is the domain, see isDomain.
var email = regexp.MustCompile(`[\pL\pN._%+'\-]+@(` + label + `(?:\.` + label + `)+)`)

const label = `[\pL\pN](?:[\pL\pN\-]*[\pL\pN])?`

// hasEmail reports whether s contains an address.
func hasEmail(s string) bool {
	if strings.IndexByte(s, '@') < 0 {
		return false
	}
	for _, m := range email.FindAllStringSubmatch(s, -1) {
		if isDomain(m[1]) {
			return true
		}
	}
	return false
}

// isDomain reports whether a domain can be part of an address. File names such as photo@2x.png, with any extension, and
// versions such as react@18.2.0 and bootstrap@5.3.0-alpha.min cannot.
func isDomain(s string) bool {
	labels := strings.Split(strings.ToLower(s), ".")
	top := labels[len(labels)-1]
	other := func(r rune) bool { return !unicode.IsLetter(r) }
	if !strings.HasPrefix(top, "xn--") && strings.ContainsFunc(top, other) ||
		utf8.RuneCountInString(top) < 2 || fileEnds[top] || density.MatchString(labels[0]) {
		return false
	}
	numbers := 0
	for _, l := range labels[:len(labels)-1] {
		if l[0] >= '0' && l[0] <= '9' && (numbers > 0 || strings.Trim(l, "0123456789") == "") {
			numbers++
		}
	}
	return numbers < 2
}

// density matches the first label of photo@2x.png.
var density = regexp.MustCompile(`^[1-9]x$`)

// fileEnds are file extensions that are not top-level domains.
var fileEnds = func() map[string]bool {
	out := map[string]bool{}
	for _, end := range strings.Fields(`png jpg jpeg gif webp avif svg bmp ico tif tiff heic pdf css js mjs json xml
		html htm php asp aspx jsp txt csv mp3 ogg webm woff ttf`) {
		out[end] = true
	}
	return out
}()

// The forms of telephone numbers within a text, see Find. The first group is the number.
var phones = []*regexp.Regexp{
	regexp.MustCompile(`(\+[1-9][0-9 ()./\-]{6,22}[0-9])`),
	regexp.MustCompile(`(00[1-9][0-9]{0,2}[ (][0-9 ()/\-]{5,20}[0-9])`),
	regexp.MustCompile(`(\((?:0[1-9][0-9]{1,3}\) ?[0-9][0-9 /\-]{3,12}[0-9]|` +
		`[2-9][0-9]{2}\) ?[2-9][0-9]{2}[-. ][0-9]{4}))`),
	regexp.MustCompile(`([2-9][0-9]{2}(?:-[2-9][0-9]{2}-|\.[2-9][0-9]{2}\.)[0-9]{4})`),
	regexp.MustCompile(`(?i)(?:^|[^\pL\pN])` +
		`(?:tel|telephone|telefon|teléfono|telefono|téléphone|phone|fon|fax|whatsapp)` +
		`(?:[_-]?(?:number|nr|no))?\.? ?[:=] ?(\+?[0-9(][0-9 ()./\-]{5,20}[0-9])`),
}

// hasPhone reports whether s contains a telephone number.
func hasPhone(s string) bool {
	if countDigits(s) < leastDigits {
		return false
	}
	if len(s) <= 24 && IsPhone([]byte(strings.TrimSpace(s))) {
		return true
	}
	for form, re := range phones {
		for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
			if alone(s, at[2], at[3]) && isNumber(form, s[at[2]:at[3]]) {
				return true
			}
		}
	}
	return false
}

// alone reports whether s[from:to] is not part of a longer number or word.
func alone(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(s[to:])
	part := func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+_-", r))
	}
	return !part(before) && !part(after)
}

// isNumber checks the digits of a text in the form of a telephone number.
func isNumber(form int, s string) bool {
	n := countDigits(s)
	switch form {
	case 0:
		return n >= 9 && n <= mostDigits && callingCode(onlyDigits(s)) > 0
	case 1:
		code, _, _ := strings.Cut(strings.ReplaceAll(s[2:], "(", " "), " ")
		return n >= 10 && n <= mostDigits+2 && callingCode(code) == len(code)
	}
	return n >= leastDigits && n <= mostDigits
}

// callingCode returns the length of the calling code at the start of a number, or 0 if no country has it. After the
// code of North America comes an area, which begins with 2 to 9.
func callingCode(digits string) int {
	if len(digits) == 0 {
		return 0
	}
	switch digits[0] {
	case '1':
		if len(digits) > 1 && digits[1] < '2' {
			return 0
		}
		return 1
	case '7':
		return 1
	}
	if len(digits) < 2 {
		return 0
	}
	switch first := " " + digits[:2] + " "; {
	case strings.Contains(" 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 "+
		"64 65 66 81 82 84 86 90 91 92 93 94 95 98 ", first):
		return 2
	case len(digits) > 2 && strings.Contains(" 21 22 23 24 25 26 29 35 37 38 42 50 59 67 68 69 80 85 87 88 96 97 99 ",
		first):
		return 3
	}
	return 0
}

func countDigits(s string) (n int) {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// Mask shortens every address and telephone number in a text to its ends: "a…om". If one is encoded, it shortens the
// whole text that way. It removes personal queries (CutURL). It is for messages.
func Mask(text string) string {
	if address, cut := CutURL([]byte(text)); cut {
		text = string(address) + "?…"
	}
	if Find([]byte(text)) == None {
		return text
	}
	out := email.ReplaceAllStringFunc(text, ends)
	for _, re := range phones {
		out = re.ReplaceAllStringFunc(out, ends)
	}
	if Find([]byte(out)) != None {
		return ends(text)
	}
	return out
}

// ends returns the first character and the last two.
func ends(s string) string {
	r := []rune(s)
	return string(r[:1]) + "…" + string(r[max(len(r)-2, 1):])
}

// CutURL cuts the query and the fragment off a web address if they hold personal data: an e-mail address, a telephone
// number, or a parameter named after one, or after a password, a session or a token. Click ids of advertisers, such as
// fbclid, are cut out of the query alone. cut reports whether anything was cut; otherwise b is returned. b is not
// changed. O(length).
func CutURL(b []byte) (address []byte, cut bool) {
	at := bytes.IndexAny(b, "?#")
	if at < 1 || bytes.IndexByte(b[:at], '/') < 0 {
		return b, false
	}
	tail := b[at+1:]
	blanks := bytes.ReplaceAll(tail, []byte("+"), []byte(" ")) // as forms encode spaces
	if Find(tail) != None || Find(blanks) != None || hasPersonalName(string(tail)) {
		return b[:at], true
	}
	if b[at] == '?' {
		return withoutClicks(b, at)
	}
	return b, false
}

// withoutClicks cuts click ids out of the query, which begins after the ? at that place.
func withoutClicks(b []byte, at int) (address []byte, cut bool) {
	query, fragment := b[at+1:], []byte(nil)
	if end := bytes.IndexByte(query, '#'); end >= 0 {
		query, fragment = query[:end], query[end:]
	}
	kept := b[:at:at]
	for part := range bytes.SplitSeq(query, []byte("&")) {
		if name, _, _ := bytes.Cut(part, []byte("=")); clicks[strings.ToLower(string(name))] {
			cut = true
			continue
		}
		sign := byte('&')
		if len(kept) == at {
			sign = '?'
		}
		kept = append(append(kept, sign), part...)
	}
	if !cut {
		return b, false
	}
	return append(kept, fragment...), true
}

// clicks are names of parameters with a click or visit id.
var clicks = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ttclid twclid igshid igsh
		li_fat_id mc_eid mkt_tok _hsenc _hsmi vero_id oly_enc_id oly_anon_id wickedid srsltid _ga _gl epik sccid
		scclickid rdt_cid irclickid awc`) {
		out[name] = true
	}
	return out
}()

// hasPersonalName reports whether a query or a fragment has a parameter with a personal name.
func hasPersonalName(query string) bool {
	ends := func(r rune) bool { return r == '&' || r == ';' || r == '?' || r == '#' }
	for part := range strings.FieldsFuncSeq(query, ends) {
		name, value, given := strings.Cut(part, "=")
		if !given || value == "" {
			continue
		}
		plain := strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r == '.' || r == '[' || r == ']' {
				return -1
			}
			return unicode.ToLower(r)
		}, decode(name))
		if personal[plain] || strings.HasSuffix(plain, "token") || strings.HasSuffix(plain, "email") ||
			plain == "key" && strings.HasPrefix(value, "wc_order_") {
			return true
		}
	}
	return false
}

// personal are names of parameters, without separators between their words.
var personal = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`mail emailaddress useremail tel telephone telefon phone phonenumber mobile
		mobilenumber handy firstname lastname fullname vorname nachname username password passwd pwd passwort kennwort
		secret clientsecret apikey auth authkey authorization sid session sessionid phpsessid jsessionid aspsessionid
		otp nonce signature orderid ordernumber orderno orderkey bestellnummer customerid kundennummer kundennr
		invoice invoiceid invoicenumber`) {
		out[name] = true
	}
	return out
}()
