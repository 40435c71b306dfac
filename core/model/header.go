package model

import (
	"bytes"
	"fmt"
)

// A model file is one msgpack map of four keys, always in this order and this encoding. So its first bytes name the
// format and the version, and the digest simply covers the file's tail:
//
//	{"format": "pmlam.model", "version": 5, "sha256": bin of 32 bytes, "content": {…}}
//
// Versions 1 to 4 were never released and are not read.
const (
	formatName = "pmlam.model"
	version    = 5

	beforeVersion = "\x84\xa6format\xab" + formatName + "\xa7version"
	beforeDigest  = "\xa6sha256\xc4\x20"
	afterDigest   = "\xa7content"

	versionAt = len(beforeVersion)
	digestAt  = versionAt + 1 + len(beforeDigest)
	contentAt = digestAt + 32 + len(afterDigest) // the digest covers the bytes from here to the end
)

// readHeader checks all bytes before the content. O(1); it only allocates to fail.
func readHeader(b []byte) error {
	if err := expect(b, 0, beforeVersion); err != nil {
		return err
	}
	if len(b) == versionAt {
		return truncated(versionAt, "version")
	}
	switch v := b[versionAt]; {
	case v == version:
	case v < version:
		return &Error{BadVersion, versionAt, "version",
			fmt.Sprintf("it is %d and this program reads %d; train the model again", v, version)}
	case v < 0x80: // positive fixint
		return &Error{NewerVersion, versionAt, "version",
			fmt.Sprintf("it is %d and this program reads %d; update the program", v, version)}
	case v >= 0xcc && v <= 0xcf: // uint 8 to uint 64: above 127, or not written by this program
		return &Error{NewerVersion, versionAt, "version",
			fmt.Sprintf("it is above 127 and this program reads %d; update the program", version)}
	default:
		return &Error{WrongType, versionAt, "version", "it must be a positive integer"}
	}
	if err := expect(b, versionAt+1, beforeDigest); err != nil {
		return err
	}
	if len(b) < digestAt+32 {
		return truncated(len(b), "sha256")
	}
	return expect(b, digestAt+32, afterDigest)
}

// expect checks that b continues with want at offset at.
func expect(b []byte, at int, want string) error {
	have := b[at:min(len(b), at+len(want))]
	if string(have) == want {
		return nil
	}
	if bytes.HasPrefix([]byte(want), have) {
		return truncated(len(b), "")
	}
	return &Error{NotAModel, at, "", "it does not begin like a model file of pmlam"}
}

func truncated(at int, field string) error {
	return &Error{Truncated, at, field, "fetch or copy it again"}
}
