package model

import (
	"bytes"
	"fmt"
)

// A model file is one msgpack map of four keys, always in this order and always encoded in this way, so that its
// first bytes name the format and the version, and so that what the digest covers is simply the file's tail:
//
//	{"format": "pmlam.model", "version": 1 to 5, "sha256": bin of 32 bytes, "content": {…}}
//
// Version 2 is version 1 and the key "links" of the content; version 3 has the key "calibration" besides, and perhaps
// "links". Version 4 has the key "map" in place of "plane", what belongs to it in its calibration, and perhaps that and
// "links". Version 5 is version 4 and the key "prior" of the objective. A model is written as the oldest version that
// can hold it, so its bytes stay, and older programs can read it; version 3 is read only, for no model has the
// calibration that it knows.
const (
	formatName = "pmlam.model"
	plain      = 1 // the version without links
	linked     = 2 // the version with links
	calibrated = 3 // the version with a plane and a calibration, which is only read
	mapped     = 4 // the version with a map
	prior      = 5 // the version with likes of an unknown user, the newest that this program knows
	newest     = prior

	beforeVersion = "\x84\xa6format\xab" + formatName + "\xa7version"
	beforeDigest  = "\xa6sha256\xc4\x20"
	afterDigest   = "\xa7content"

	versionAt = len(beforeVersion)
	digestAt  = versionAt + 1 + len(beforeDigest)
	contentAt = digestAt + 32 + len(afterDigest) // the digest is over the bytes from here to the end
)

// readHeader checks all bytes before the content and returns the version. O(1), nothing is allocated unless it fails.
func readHeader(b []byte) (version int, err error) {
	if err := expect(b, 0, beforeVersion); err != nil {
		return 0, err
	}
	if len(b) == versionAt {
		return 0, truncated(versionAt, "version")
	}
	switch v := b[versionAt]; {
	case v >= plain && v <= newest:
	case v == 0:
		return 0, &Error{BadVersion, versionAt, "version", "versions start at 1"}
	case v < 0x80: // positive fixint
		return 0, &Error{NewerVersion, versionAt, "version",
			fmt.Sprintf("it is %d and this program reads up to %d; update the program", v, newest)}
	case v >= 0xcc && v <= 0xcf: // uint 8 to uint 64: above 127, or not written by us
		return 0, &Error{NewerVersion, versionAt, "version",
			fmt.Sprintf("it is above 127 and this program reads up to %d; update the program", newest)}
	default:
		return 0, &Error{WrongType, versionAt, "version", "it must be a positive integer"}
	}
	if err := expect(b, versionAt+1, beforeDigest); err != nil {
		return 0, err
	}
	if len(b) < digestAt+32 {
		return 0, truncated(len(b), "sha256")
	}
	return int(b[versionAt]), expect(b, digestAt+32, afterDigest)
}

// expect checks that b goes on with want at offset at.
func expect(b []byte, at int, want string) error {
	have := b[at:min(len(b), at+len(want))]
	if string(have) == want {
		return nil
	}
	if bytes.HasPrefix([]byte(want), have) {
		return truncated(len(b), "")
	}
	return &Error{NotAModel, at, "", "it does not begin as a model file of pmlam does"}
}

func truncated(at int, field string) error {
	return &Error{Truncated, at, field, "fetch or copy it again"}
}
