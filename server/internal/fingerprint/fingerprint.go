// Package fingerprint puts the hash of a file's content into its name, and recognises such names again.
//
//	assets/app.wasm → assets/app.3f2a9c0b71de.wasm
//
// The site builder writes the names. The server checks them: it promises a browser that an address never changes its
// content (Cache-Control: immutable) only if the hash in the name matches the content.
package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// Length is the number of hexadecimal digits in a name: 48 bits, enough to avoid accidental collisions among a site's
// few dozen files. It does not prevent deliberate collisions, but only the owner writes the folder.
const Length = 12

// Sum returns the SHA-256 of content in lower-case hexadecimal digits.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Name returns name with the fingerprint of content before its last extension. A name without an extension gets it at
// the end. Only the last element of a slash-separated path is changed.
func Name(name string, content []byte) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + Sum(content)[:Length] + ext
}

// Matches reports whether name contains the fingerprint of the content with this Sum.
func Matches(name, sum string) bool {
	name = path.Base(name)
	mark := "." + sum[:Length]
	return strings.HasSuffix(name, mark) || strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), mark)
}
