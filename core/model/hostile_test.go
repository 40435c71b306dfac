//go:build !js

package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/digest"
	"github.com/tinylib/msgp/msgp"
)

// sign sets the digest that matches a file's content, as an attacker would.
func sign(b []byte) []byte {
	if len(b) >= contentAt {
		sum := digest.Sum(b[contentAt:])
		copy(b[digestAt:], sum[:])
	}
	return b
}

// head returns a valid, signed file with the given bytes as its content.
func head(content ...byte) []byte {
	b := []byte(beforeVersion + "\x05" + beforeDigest + strings.Repeat("\x00", 32) + afterDigest)
	return sign(append(b, content...))
}

// swap returns the golden file with the first occurrence of old replaced, signed.
func swap(old, new string) func() []byte {
	return func() []byte {
		b := goldenFile(Int8)
		if !bytes.Contains(b, []byte(old)) {
			panic("not found: " + old)
		}
		return sign(bytes.Replace(b, []byte(old), []byte(new), 1))
	}
}

// change returns the golden file of a precision after a change to its values, signed.
func change(p Precision, f func(*values)) func() []byte {
	return func() []byte { return changed(golden(p), f) }
}

// links returns the golden file with links after a change to them, signed.
func links(f func(*values)) func() []byte {
	return func() []byte { return changed(goldenLinked(Int8), f) }
}

// calibrations returns the golden file with a map and a calibration after a change to them, signed.
func calibrations(f func(*values)) func() []byte {
	return func() []byte { return changed(goldenMapped(Int8), f) }
}

// priors returns the golden file with a prior after a change, signed.
func priors(f func(*values)) func() []byte {
	return func() []byte { return changed(goldenPrior(Int8), f) }
}

// changed returns the file of a model after a change to its values, including values that Encode would refuse.
func changed(m *Model, f func(*values)) []byte {
	var v values
	if err := v.content(m); err != nil {
		panic(err)
	}
	f(&v)
	return v.file()
}

func goldenFile(p Precision) []byte { return mustEncode(golden(p)) }

func linkedFile(p Precision) []byte { return mustEncode(goldenLinked(p)) }

func mappedFile(p Precision) []byte { return mustEncode(goldenMapped(p)) }

func priorFile(p Precision) []byte { return mustEncode(goldenPrior(p)) }

func mustEncode(m *Model) []byte {
	b, err := Encode(m)
	if err != nil {
		panic(err)
	}
	return b
}

// everyFile calls f with each golden file in each precision.
func everyFile(f func(b []byte)) {
	for _, p := range precisions {
		f(goldenFile(p))
		f(linkedFile(p))
		f(mappedFile(p))
		f(priorFile(p))
	}
}

// put32 and put16 overwrite number i of a column of k numbers.
func put32(b []byte, i int, bits uint32) { putWord32(b, len(b)/4, i, bits) }
func put16(b []byte, i int, bits uint16) { putWord16(b, len(b)/2, i, bits) }

// attack is a file that must be refused for the given reason.
type attack struct {
	name   string
	file   func() []byte
	reason Reason
	field  string // path; "" if it is about the whole file
}

const nan32, inf32 = 0x7fc00000, 0x7f800000

var attacks = []attack{
	// The whole file.
	{"empty", func() []byte { return nil }, Truncated, ""},
	{"another file", func() []byte { return []byte("PK\x03\x04 a zip") }, NotAModel, ""},
	{"another msgpack file", func() []byte { return []byte("\x81\xa5hello\x01") }, NotAModel, ""},
	{
		"nine bytes that make a generated decoder take 268 MB",
		func() []byte { return []byte("\x81\xa2ab\xdd\x00\x7f\xff\xff") },
		NotAModel,
		"",
	},
	{"header only", func() []byte { return head() }, Truncated, "content"},
	{"half a header", func() []byte { return head()[:digestAt+5] }, Truncated, "sha256"},
	{"no version", func() []byte { return head()[:versionAt] }, Truncated, "version"},
	{"trailing byte", func() []byte { return append(goldenFile(Int8), 0) }, Trailing, ""},
	{"trailing model", func() []byte { return append(goldenFile(Int8), goldenFile(Int8)...) }, Trailing, ""},
	{"version 6", func() []byte { b := goldenFile(Int8); b[versionAt] = 6; return b }, NewerVersion, "version"},
	{"version 4", func() []byte { b := goldenFile(Int8); b[versionAt] = 4; return b }, BadVersion, "version"},
	{"a negative prior", priors(func(v *values) { v[atPrior].float = -1 }), OutOfRange, "content.objective.prior"},
	{"a prior of NaN", priors(func(v *values) { v[atPrior].float = float32(math.NaN()) }), NotFinite,
		"content.objective.prior"},
	{"a prior of too many likes", priors(func(v *values) { v[atPrior].float = 1 << 21 }), OutOfRange,
		"content.objective.prior"},
	{"a negative prior of links", priors(func(v *values) { v[atLinkPrior].float = -1 }), OutOfRange,
		"content.objective.linkPrior"},
	{"a prior of links of NaN", priors(func(v *values) { v[atLinkPrior].float = float32(math.NaN()) }), NotFinite,
		"content.objective.linkPrior"},
	{"a prior with a free part", priors(func(v *values) { v[atFree].bool = true }), OutOfRange,
		"content.objective.prior"},
	{"a prior without composed users", priors(func(v *values) { v[atWeight].float = 0 }), OutOfRange,
		"content.objective.prior"},
	{
		"version 200",
		func() []byte { return []byte(beforeVersion + "\xcc\xc8" + beforeDigest) },
		NewerVersion,
		"version",
	},
	{"version 0", func() []byte { b := goldenFile(Int8); b[versionAt] = 0; return b }, BadVersion, "version"},
	{"version as text", func() []byte { b := goldenFile(Int8); b[versionAt] = 0xa1; return b }, WrongType, "version"},
	{"other digest", func() []byte { b := goldenFile(Int8); b[digestAt] ^= 1; return b }, BadDigest, "sha256"},
	{"changed title", func() []byte {
		return bytes.Replace(goldenFile(Int8), []byte("Toy"), []byte("Boy"), 1)
	}, BadDigest, "sha256"},

	// Structure: counts, depth, keys, types.
	{
		"content is an array of four thousand million",
		func() []byte { return head(0xdd, 0xff, 0xff, 0xff, 0xff) },
		WrongType,
		"content",
	},
	{
		"content is a map of four thousand million",
		func() []byte { return head(0xdf, 0xff, 0xff, 0xff, 0xff) },
		UnknownKey,
		"content",
	},
	{"content is nil", func() []byte { return head(0xc0) }, WrongType, "content"},
	{"content is empty", func() []byte { return head(0x80) }, MissingKey, "content.provenance"},
	{"content is a reserved byte", func() []byte { return head(0xc1) }, WrongType, "content"},
	{
		"key of four thousand million bytes",
		func() []byte { return head(0x81, 0xdb, 0xff, 0xff, 0xff, 0xff) },
		Truncated,
		"content",
	},
	{"key cut in its length", func() []byte { return head(0x81, 0xdb, 0xff) }, Truncated, "content"},
	{"map cut in its length", func() []byte { return head(0xdf, 0, 0) }, Truncated, "content"},
	{"key that is a number", func() []byte { return head(0x81, 0x01, 0x01) }, WrongType, "content"},
	{"key that is a bin", func() []byte { return head(0x81, 0xc4, 0x01, 'a', 0x01) }, WrongType, "content"},
	{"ten thousand arrays in each other", func() []byte {
		return head(append([]byte("\x81\xa5items"), bytes.Repeat([]byte{0x91}, 10_000)...)...)
	}, WrongType, "content.items"},
	{"ten thousand maps in each other", func() []byte {
		return head(bytes.Repeat([]byte("\x81\xa5items"), 10_000)...)
	}, UnknownKey, "content.items"},
	{"unknown key", swap("\xa4mean", "\xa4meen"), UnknownKey, "content.items"},
	{"empty key", swap("\xa5years", "\xa0aaaaa"), UnknownKey, "content.catalogue"},
	{"one key more", swap("\x86\xa5input\xaadiff", "\x87\xa5input\xaadiff"), UnknownKey, "content.margins.userItem"},
	{"one key less", swap("\x86\xa5input\xaadiff", "\x85\xa5input\xaadiff"), MissingKey, "content.margins.userItem.b2"},
	{
		"key twice",
		swap("\xa4loss\xa7softmax\xa6margin", "\xa4loss\xa7softmax\xa4loss"),
		DuplicateKey,
		"content.objective.loss",
	},
	{"whole map twice", swap("\xa9objective\x88", "\xaaprovenance\x88"), DuplicateKey, "content.provenance"},
	{"key that is missing", swap("\x88\xa4loss\xa7softmax", "\x87"), MissingKey, "content.objective.loss"},
	{"text where a number must be", swap("\xa1n\x03", "\xa1n\xa1a"), WrongType, "content.items.n"},
	{"negative count", swap("\xa1n\x03", "\xa1n\xff"), WrongType, "content.items.n"},
	{"signed count", swap("\xa1n\x03", "\xa1n\xd0\x03"), WrongType, "content.items.n"},
	{
		"number where a bin must be",
		swap("\xa5years\xc4\x06", "\xa5years\x06\x06"),
		WrongType,
		"content.catalogue.years",
	},
	{"str where a bin must be", swap("\xa5years\xc4\x06", "\xa5years\xd9\x06"), WrongType, "content.catalogue.years"},
	{
		"extension where a bin must be",
		swap("\xa5years\xc4\x06", "\xa5years\xc7\x06"),
		WrongType,
		"content.catalogue.years",
	},
	{
		"float 64 where a float 32 must be",
		swap("\xa6margin\xca?\x80\x00\x00", "\xa6margin\xcb?\xf0\x00\x00\x00\x00\x00\x00"),
		WrongType,
		"content.objective.margin",
	},
	{"number where a bool must be", swap("\xa4free\xc3", "\xa4free\x01"), WrongType, "content.objective.free"},
	{"nil where a bool must be", swap("\xa4free\xc3", "\xa4free\xc0"), WrongType, "content.objective.free"},
	{
		"bin of four thousand million bytes",
		swap("\xa5years\xc4\x06", "\xa5years\xc6\xff\xff\xff\xff"),
		Truncated,
		"content.catalogue.years",
	},
	{
		"str of four thousand million bytes",
		swap("\xa6titles\xd9\x24", "\xa6titles\xdb\xff\xff\xff\xff"),
		Truncated,
		"content.catalogue.titles",
	},
	{"bin that swallows the rest", swap("\xa5years\xc4\x06", "\xa5years\xc5\x01\x00"), WrongType, "content.catalogue"},

	// Texts.
	{"invalid UTF-8", swap("Toy Story", "Toy\xffStory"), BadText, "content.catalogue.titles"},
	{"half a surrogate", swap("Toy Story", "Toy\xed\xa0\x80ory"), BadText, "content.catalogue.titles"},
	{
		"name of 5,000 bytes",
		change(Int8, func(v *values) { v[atDataset].text = strings.Repeat("a", 5000) }),
		TooLarge,
		"content.provenance.dataset",
	},
	{
		"a title too few",
		change(Int8, func(v *values) { v[atTitles].text = "a\x00b\x00" }),
		WrongShape,
		"content.catalogue.titles",
	},
	{
		"a title too many",
		change(Int8, func(v *values) { v[atTitles].text += "\x00" }),
		WrongShape,
		"content.catalogue.titles",
	},
	{
		"title without its end",
		change(Int8, func(v *values) { v[atTitles].text += "a" }),
		BadText,
		"content.catalogue.titles",
	},
	{
		"id twice",
		change(Int8, func(v *values) { v[atIDs].text = "b\x00a\x00b\x00" }),
		BadValue,
		"content.catalogue.ids",
	},
	{
		"empty id twice",
		change(Int8, func(v *values) { v[atIDs].text = "\x00a\x00\x00" }),
		BadValue,
		"content.catalogue.ids",
	},
	{
		"user id twice",
		change(Int8, func(v *values) { v[atUserIDs].text = "a\x00a\x00" }),
		BadValue,
		"content.users.ids",
	},
	{
		"a user id too few",
		change(Int8, func(v *values) { v[atUserIDs].text = "a\x00" }),
		WrongShape,
		"content.users.ids",
	},
	{
		"a column too few",
		change(Int8, func(v *values) { v[atColumnNames].text = "a\x00" }),
		WrongShape,
		"content.catalogue.columns",
	},
	{
		"a name left out without its NUL",
		change(Int8, func(v *values) { v[atLeftOut].text = "Moonlight" }),
		BadText,
		"content.catalogue.leftOut",
	},
	{
		"2,000 columns",
		change(Int8, func(v *values) { v[atColumnNames].text = strings.Repeat("\x00", 2000) }),
		TooLarge,
		"content.catalogue.columnNames",
	},
	{
		"column names without end",
		change(Int8, func(v *values) { v[atColumnNames].text = "a" }),
		BadText,
		"content.catalogue.columnNames",
	},

	// Numbers.
	{
		"unknown precision",
		change(Int8, func(v *values) { v[atPrecision].text = "int4" }),
		BadValue,
		"content.precision",
	},
	{
		"wrong precision",
		change(Int8, func(v *values) { v[atPrecision].text = "float16" }),
		WrongShape,
		"content.items.mean",
	},
	{"no items", change(Int8, func(v *values) { v[atItemTable+ofN].uint = 0 }), OutOfRange, "content.items.n"},
	{"no dimension", change(Int8, func(v *values) { v[atItemTable+ofH].uint = 0 }), OutOfRange, "content.items.h"},
	{
		"2^64−1 items",
		change(Int8, func(v *values) { v[atItemTable+ofN].uint = math.MaxUint64 }),
		TooLarge,
		"content.items.n",
	},
	{
		"2^63 dimensions",
		change(Int8, func(v *values) { v[atItemTable+ofH].uint = 1 << 63 }),
		TooLarge,
		"content.items.h",
	},
	{
		"most items and dimensions",
		change(Int8, func(v *values) { v[atItemTable+ofN].uint, v[atItemTable+ofH].uint = maxRows, maxDim }),
		WrongShape,
		"content.items.mean",
	},
	{
		"rows and dimensions exchanged",
		change(Int8, func(v *values) { v[atItemTable+ofN].uint, v[atItemTable+ofH].uint = 2, 3 }),
		WrongShape,
		"content.items.meanScales",
	},
	{
		"a mean too few",
		change(Int8, func(v *values) { v[atItemTable+ofMean].bytes = v[atItemTable+ofMean].bytes[1:] }),
		WrongShape,
		"content.items.mean",
	},
	{
		"no standard deviations",
		change(Int8, func(v *values) { v[atItemTable+ofStddev].bytes = nil }),
		WrongShape,
		"content.items.stddev",
	},
	{
		"scales with float32",
		change(Float32, func(v *values) { v[atItemTable+ofMeanScales].bytes = make([]byte, 12) }),
		WrongShape,
		"content.items.meanScales",
	},
	{
		"mean of −128 steps",
		change(Int8, func(v *values) { v[atItemTable+ofMean].bytes[4] = 0x80 }),
		OutOfRange,
		"content.items.mean",
	},
	{
		"scale NaN",
		change(Int8, func(v *values) { put32(v[atItemTable+ofMeanScales].bytes, 1, nan32) }),
		NotFinite,
		"content.items.meanScales",
	},
	{
		"scale infinite",
		change(Int8, func(v *values) { put32(v[atItemTable+ofStddevScales].bytes, 2, inf32) }),
		NotFinite,
		"content.items.stddevScales",
	},
	{
		"scale negative",
		change(Int8, func(v *values) { put32(v[atItemTable+ofStddevScales].bytes, 2, 0xbf800000) }),
		OutOfRange,
		"content.items.stddevScales",
	},
	{
		"scale that overflows",
		change(Int8, func(v *values) { put32(v[atItemTable+ofMeanScales].bytes, 0, math.Float32bits(3e38)) }),
		OutOfRange,
		"content.items.meanScales",
	},
	{
		"mean NaN",
		change(Float32, func(v *values) { put32(v[atItemTable+ofMean].bytes, 5, nan32) }),
		NotFinite,
		"content.items.mean",
	},
	{
		"mean −Inf",
		change(Float32, func(v *values) { put32(v[atItemTable+ofMean].bytes, 0, 1<<31|inf32) }),
		NotFinite,
		"content.items.mean",
	},
	{
		"half NaN",
		change(Float16, func(v *values) { put16(v[atItemTable+ofMean].bytes, 5, 0x7e00) }),
		NotFinite,
		"content.items.mean",
	},
	{
		"half −Inf",
		change(Float16, func(v *values) { put16(v[atItemTable+ofMean].bytes, 0, 0xfc00) }),
		NotFinite,
		"content.items.mean",
	},
	{
		"σ NaN",
		change(Float32, func(v *values) { put32(v[atItemTable+ofStddev].bytes, 3, nan32) }),
		NotFinite,
		"content.items.stddev",
	},
	{
		"σ = 0",
		change(Float32, func(v *values) { put32(v[atItemTable+ofStddev].bytes, 3, 0) }),
		BadStddev,
		"content.items.stddev",
	},
	{
		"σ < 0",
		change(Float32, func(v *values) { put32(v[atItemTable+ofStddev].bytes, 3, math.Float32bits(-0.5)) }),
		BadStddev,
		"content.items.stddev",
	},
	{
		"σ below the floor",
		change(Float32, func(v *values) { put32(v[atItemTable+ofStddev].bytes, 3, math.Float32bits(0.0009)) }),
		BadStddev,
		"content.items.stddev",
	},
	{
		"half σ NaN",
		change(Float16, func(v *values) { put16(v[atItemTable+ofStddev].bytes, 3, 0x7e00) }),
		NotFinite,
		"content.items.stddev",
	},
	{
		"half σ = 0",
		change(Float16, func(v *values) { put16(v[atItemTable+ofStddev].bytes, 3, 0) }),
		BadStddev,
		"content.items.stddev",
	},
	{
		"half σ < 0",
		change(Float16, func(v *values) { put16(v[atItemTable+ofStddev].bytes, 3, 0xb800) }),
		BadStddev,
		"content.items.stddev",
	},
	{
		"half σ just below the floor",
		change(Float16, func(v *values) { put16(v[atItemTable+ofStddev].bytes, 3, minHalf-1) }),
		BadStddev,
		"content.items.stddev",
	},
	{
		"user σ = 0",
		change(Float16, func(v *values) { put16(v[atUserTable+ofStddev].bytes, 0, 0) }),
		BadStddev,
		"content.users.gaussians.stddev",
	},
	{"users of another dimension", change(Int8, func(v *values) {
		v[atUserTable+ofH].uint, v[atUserTable+ofMean].bytes, v[atUserTable+ofStddev].bytes = 1, v[atUserTable+ofMean].bytes[:2], v[atUserTable+ofStddev].bytes[:2]
	}), WrongShape, "content.users.gaussians.h"},
	{
		"too many users in training",
		change(Int8, func(v *values) { v[atTrainUsers].uint = 1 << 60 }),
		OutOfRange,
		"content.provenance.users",
	},
	{
		"a year too few",
		change(Int8, func(v *values) { v[atYears].bytes = v[atYears].bytes[2:] }),
		WrongShape,
		"content.catalogue.years",
	},
	{
		"a count too many",
		change(Int8, func(v *values) { v[atCounts].bytes = make([]byte, 16) }),
		WrongShape,
		"content.catalogue.counts",
	},
	{
		"count of 2^31",
		change(Int8, func(v *values) { put32(v[atCounts].bytes, 1, 1<<31) }),
		OutOfRange,
		"content.catalogue.counts",
	},
	{
		"unknown genre",
		change(Int8, func(v *values) { put16(v[atGenreLists].bytes, 0, 3) }),
		OutOfRange,
		"content.catalogue.genreLists",
	},
	{
		"genre list without end",
		change(Int8, func(v *values) { put16(v[atGenreLists].bytes, 5, 1) }),
		WrongShape,
		"content.catalogue.genreLists",
	},
	{"genre after the last list", change(Int8, func(v *values) {
		put16(v[atGenreLists].bytes, 0, 0)
		put16(v[atGenreLists].bytes, 5, 1)
	}), WrongShape, "content.catalogue.genreLists"},
	{
		"half a genre",
		change(Int8, func(v *values) { v[atGenreLists].bytes = v[atGenreLists].bytes[1:] }),
		WrongShape,
		"content.catalogue.genreLists",
	},
	{"nil where the items must be", swap("\xa5items\x86", "\xa5items\xc0"), WrongType, "content.items"},
	{
		"no genre lists",
		change(Int8, func(v *values) { v[atGenreLists].bytes = nil }),
		WrongShape,
		"content.catalogue.genreLists",
	},
	{
		"70,000 genres",
		change(Int8, func(v *values) { v[atGenres].text = strings.Repeat("\x00", 70_000) }),
		TooLarge,
		"content.catalogue.genres",
	},
	{
		"metrics out of order",
		change(Int8, func(v *values) { v[atMetricNames].text = "b\x00a\x00" }),
		BadValue,
		"content.provenance.metricNames",
	},
	{
		"metric twice",
		change(Int8, func(v *values) { v[atMetricNames].text = "a\x00a\x00" }),
		BadValue,
		"content.provenance.metricNames",
	},
	{
		"metric without value",
		change(Int8, func(v *values) { v[atMetricNames].text = "a\x00b\x00c\x00" }),
		WrongShape,
		"content.provenance.metricValues",
	},
	{
		"2,000 metrics",
		change(Int8, func(v *values) { v[atMetricNames].text = strings.Repeat("\x00", 2000) }),
		TooLarge,
		"content.provenance.metricNames",
	},
	{
		"metric NaN",
		change(Int8, func(v *values) { putWord64(v[atMetricValues].bytes, 2, 1, math.Float64bits(math.NaN())) }),
		NotFinite,
		"content.provenance.metricValues",
	},
	{"unknown loss", change(Int8, func(v *values) { v[atLoss].text = "logistic" }), BadValue, "content.objective.loss"},
	{
		"temperature 0",
		change(Int8, func(v *values) { v[atTemperature].float = 0 }),
		OutOfRange,
		"content.objective.temperature",
	},
	{
		"temperature NaN",
		change(Int8, func(v *values) { v[atTemperature].float = float32(math.NaN()) }),
		NotFinite,
		"content.objective.temperature",
	},
	{
		"radius infinite",
		change(Int8, func(v *values) { v[atRadius].float = float32(math.Inf(1)) }),
		NotFinite,
		"content.objective.radius",
	},
	{
		"radius negative",
		change(Int8, func(v *values) { v[atRadius].float = -1 }),
		OutOfRange,
		"content.objective.radius",
	},
	{
		"unknown network input",
		change(Int8, func(v *values) { v[atUserItem+ofInput].text = "mul" }),
		BadValue,
		"content.margins.userItem.input",
	},
	{
		"network of width 0",
		change(Int8, func(v *values) { v[atUserItem+ofHidden].uint = 0 }),
		OutOfRange,
		"content.margins.userItem.hidden",
	},
	{
		"network of width 2^40",
		change(Int8, func(v *values) { v[atUserItem+ofHidden].uint = 1 << 40 }),
		TooLarge,
		"content.margins.userItem.hidden",
	},
	{
		"network of the widest",
		change(Int8, func(v *values) { v[atUserItem+ofHidden].uint = maxHidden }),
		WrongShape,
		"content.margins.userItem.w1",
	},
	{
		"network bias too long",
		change(Int8, func(v *values) { v[atItemItem+ofB1].bytes = make([]byte, 12) }),
		WrongShape,
		"content.margins.itemItem.b1",
	},
	{
		"network weight NaN",
		change(Int8, func(v *values) { put32(v[atItemItem+ofW2].bytes, 0, nan32) }),
		NotFinite,
		"content.margins.itemItem.w2",
	},
	{
		"network bias NaN",
		change(Int8, func(v *values) { v[atItemItem+ofB2].float = float32(math.NaN()) }),
		NotFinite,
		"content.margins.itemItem.b2",
	},

	// Item links: targets with 2, 0 and 1 sources.
	{"links are nil", func() []byte {
		b := linkedFile(Int8)
		return sign(append(b[:bytes.Index(b, []byte("\xa5links"))+6], 0xc0))
	}, WrongType, "content.links"},
	{"γ = 0", links(func(v *values) { v[atGamma].float = 0 }), OutOfRange, "content.links.gamma"},
	{"γ negative", links(func(v *values) { v[atGamma].float = -1 }), OutOfRange, "content.links.gamma"},
	{"γ NaN", links(func(v *values) { v[atGamma].float = float32(math.NaN()) }), OutOfRange, "content.links.gamma"},
	{"γ that overflows", links(func(v *values) { v[atGamma].float = 1e20 }), OutOfRange, "content.links.gamma"},
	{
		"a count of sources too few",
		links(func(v *values) { v[atLinkCounts].bytes = v[atLinkCounts].bytes[2:] }),
		WrongShape,
		"content.links.sourceCounts",
	},
	{
		"a source more than there are",
		links(func(v *values) { put16(v[atLinkCounts].bytes, 1, 1) }),
		WrongShape,
		"content.links.sources",
	},
	{
		"most sources",
		links(func(v *values) { v[atLinkCounts].bytes = bytes.Repeat([]byte{0xff}, 6) }),
		WrongShape,
		"content.links.sources",
	},
	{
		"a source less than there are",
		links(func(v *values) { put16(v[atLinkCounts].bytes, 2, 0) }),
		WrongShape,
		"content.links.sources",
	},
	{
		"a weight too many",
		links(func(v *values) { v[atLinkWeights].bytes = append(v[atLinkWeights].bytes, 1) }),
		WrongShape,
		"content.links.weights",
	},
	{
		"source beyond the items",
		links(func(v *values) { put32(v[atLinkSources].bytes, 1, 1) }),
		OutOfRange,
		"content.links.sources",
	},
	{
		"source far beyond the items",
		links(func(v *values) { put32(v[atLinkSources].bytes, 1, math.MaxUint32) }),
		OutOfRange,
		"content.links.sources",
	},
	{
		"source that is its target",
		links(func(v *values) { put32(v[atLinkSources].bytes, 0, 0) }),
		OutOfRange,
		"content.links.sources",
	},
	{
		"weight of 0 steps",
		links(func(v *values) { v[atLinkWeights].bytes[1] = 0 }),
		OutOfRange,
		"content.links.weights",
	},
	{
		"weight of too many steps",
		links(func(v *values) { v[atLinkWeights].bytes[1] = 64 }),
		OutOfRange,
		"content.links.weights",
	},
	{
		"no weight of the most steps",
		links(func(v *values) { v[atLinkWeights].bytes[0] = 62 }),
		BadValue,
		"content.links.weights",
	},
	{
		"scale of a target without sources",
		links(func(v *values) { put32(v[atLinkScales].bytes, 1, 0x3f800000) }),
		BadValue,
		"content.links.weightScales",
	},
	{
		"no scale",
		links(func(v *values) { put32(v[atLinkScales].bytes, 0, 0) }),
		OutOfRange,
		"content.links.weightScales",
	},
	{
		"scale of links negative",
		links(func(v *values) { put32(v[atLinkScales].bytes, 2, 0xbf800000) }),
		OutOfRange,
		"content.links.weightScales",
	},
	{
		"scale of links NaN",
		links(func(v *values) { put32(v[atLinkScales].bytes, 2, nan32) }),
		NotFinite,
		"content.links.weightScales",
	},
	{
		"scale of links that overflows",
		links(func(v *values) { put32(v[atLinkScales].bytes, 2, math.Float32bits(1e20)) }),
		OutOfRange,
		"content.links.weightScales",
	},
	{
		"scale of links that vanishes",
		links(func(v *values) { put32(v[atLinkScales].bytes, 2, 1) }),
		OutOfRange,
		"content.links.weightScales",
	},
	{
		"a scale of links too few",
		links(func(v *values) { v[atLinkScales].bytes = v[atLinkScales].bytes[4:] }),
		WrongShape,
		"content.links.weightScales",
	},

	// The calibration, of two dimensions and three items.
	{
		"a position too few",
		calibrations(func(v *values) { v[atMapX].bytes = v[atMapX].bytes[2:] }),
		WrongShape,
		"content.map.x",
	},
	{
		"a position too many",
		calibrations(func(v *values) { v[atMapY].bytes = append(v[atMapY].bytes, 0, 0) }),
		WrongShape,
		"content.map.y",
	},
	{
		"5,000 regions",
		calibrations(func(v *values) { v[atRegionLevels].bytes = make([]byte, 5000) }),
		TooLarge,
		"content.map.regionLevels",
	},
	{
		"level 3",
		calibrations(func(v *values) { v[atRegionLevels].bytes[3] = 3 }),
		OutOfRange,
		"content.map.regionLevels",
	},
	{
		"levels that descend",
		calibrations(func(v *values) { v[atRegionLevels].bytes[0] = 2 }),
		OutOfRange,
		"content.map.regionLevels",
	},
	{
		"a centre too few",
		calibrations(func(v *values) { v[atRegionY].bytes = v[atRegionY].bytes[2:] }),
		WrongShape,
		"content.map.regionY",
	},
	{
		"a region's unknown genre",
		calibrations(func(v *values) { put16(v[atRegionGenres].bytes, 1, 3) }),
		OutOfRange,
		"content.map.regionGenres",
	},
	{
		"a second genre without a first",
		calibrations(func(v *values) { put16(v[atRegionOr].bytes, 2, 1) }),
		OutOfRange,
		"content.map.regionOr",
	},
	{
		"a decade from 1985",
		calibrations(func(v *values) { put16(v[atRegionFrom].bytes, 1, 1985) }),
		OutOfRange,
		"content.map.regionFrom",
	},
	{
		"years that end before they begin",
		calibrations(func(v *values) { put16(v[atRegionTo].bytes, 1, 1980) }),
		OutOfRange,
		"content.map.regionTo",
	},
	{
		"words too few",
		calibrations(func(v *values) { v[atRegionWords].text = v[atRegionWords].text[1:] }),
		WrongShape,
		"content.map.regionWords",
	},
	{
		"words of 5,000 bytes",
		calibrations(func(v *values) { v[atRegionWords].text = "\x00\x00\x00" + strings.Repeat("a", 5000) + "\x00" }),
		TooLarge,
		"content.map.regionWords",
	},
	{
		"300 bands",
		calibrations(func(v *values) { v[atMapLikes].bytes = make([]byte, 600) }),
		TooLarge,
		"content.calibration.mapLikes",
	},
	{
		"half a band",
		calibrations(func(v *values) { v[atMapLikes].bytes = v[atMapLikes].bytes[1:] }),
		WrongShape,
		"content.calibration.mapLikes",
	},
	{
		"bands that begin at two likes",
		calibrations(func(v *values) { put16(v[atMapLikes].bytes, 0, 2) }),
		OutOfRange,
		"content.calibration.mapLikes",
	},
	{
		"bands that do not ascend",
		calibrations(func(v *values) { put16(v[atMapLikes].bytes, 2, 6) }),
		OutOfRange,
		"content.calibration.mapLikes",
	},
	{
		"a band without radii",
		calibrations(func(v *values) { v[atMapRadii].bytes = v[atMapRadii].bytes[44:] }),
		WrongShape,
		"content.calibration.mapRadii",
	},
	{
		"radii on the map that descend",
		calibrations(func(v *values) { put32(v[atMapRadii].bytes, 12, 0) }),
		OutOfRange,
		"content.calibration.mapRadii",
	},
	{
		"first radius of a band negative",
		calibrations(func(v *values) { put32(v[atMapRadii].bytes, 11, 0xbf800000) }),
		OutOfRange,
		"content.calibration.mapRadii",
	},
	{
		"people of 2^31",
		calibrations(func(v *values) { put32(v[atBinPeople].bytes, 0, 1<<31) }),
		OutOfRange,
		"content.calibration.like.people",
	},
	{
		"people too few",
		calibrations(func(v *values) { v[atBinPeople].bytes = v[atBinPeople].bytes[4:] }),
		WrongShape,
		"content.calibration.like.people",
	},
	{
		"300 shares of disappointments",
		calibrations(func(v *values) { v[atGuaranteeShares].bytes = make([]byte, 1200) }),
		TooLarge,
		"content.calibration.like.guaranteeShares",
	},
	{
		"shares of disappointments that descend",
		calibrations(func(v *values) { put32(v[atGuaranteeShares].bytes, 1, 0) }),
		OutOfRange,
		"content.calibration.like.guaranteeShares",
	},
	{
		"a threshold too few",
		calibrations(func(v *values) { v[atGuaranteeChances].bytes = v[atGuaranteeChances].bytes[4:] }),
		WrongShape,
		"content.calibration.like.guaranteeChances",
	},
	{
		"threshold above 1",
		calibrations(func(v *values) { put32(v[atGuaranteeChances].bytes, 0, 0x3fc00000) }),
		OutOfRange,
		"content.calibration.like.guaranteeChances",
	},
	{
		"threshold below 0",
		calibrations(func(v *values) { put32(v[atGuaranteeChances].bytes, 1, 0xbf000000) }),
		OutOfRange,
		"content.calibration.like.guaranteeChances",
	},
	{
		"threshold NaN",
		calibrations(func(v *values) { put32(v[atGuaranteeChances].bytes, 1, nan32) }),
		NotFinite,
		"content.calibration.like.guaranteeChances",
	},
	{"calibration is nil", func() []byte {
		b := mappedFile(Int8)
		return sign(append(b[:bytes.Index(b, []byte("\xabcalibration"))+12], 0xc0))
	}, WrongType, "content.calibration"},
	{
		"too many people",
		calibrations(func(v *values) { v[atCalibrated].uint = 1 << 60 }),
		OutOfRange,
		"content.calibration.users",
	},
	{
		"a covariance too few",
		calibrations(func(v *values) { v[atWithin].bytes = v[atWithin].bytes[2:] }),
		WrongShape,
		"content.calibration.within",
	},
	{
		"variance of 0",
		calibrations(func(v *values) { put16(v[atWithin].bytes, 2, 0) }),
		OutOfRange,
		"content.calibration.within",
	},
	{
		"variance negative",
		calibrations(func(v *values) { put16(v[atWithin].bytes, 0, 0xbf80) }),
		OutOfRange,
		"content.calibration.within",
	},
	{
		"covariance NaN",
		calibrations(func(v *values) { put16(v[atWithin].bytes, 1, nan32>>16) }),
		NotFinite,
		"content.calibration.within",
	},
	{
		"covariance infinite",
		calibrations(func(v *values) { put16(v[atWithin].bytes, 1, inf32>>16) }),
		NotFinite,
		"content.calibration.within",
	},
	{"κ = 0", calibrations(func(v *values) { v[atStrength].float = 0 }), OutOfRange, "content.calibration.strength"},
	{
		"κ negative",
		calibrations(func(v *values) { v[atStrength].float = -1 }),
		OutOfRange,
		"content.calibration.strength",
	},
	{
		"κ NaN",
		calibrations(func(v *values) { v[atStrength].float = float32(math.NaN()) }),
		NotFinite,
		"content.calibration.strength",
	},
	{
		"κ infinite",
		calibrations(func(v *values) { v[atStrength].float = float32(math.Inf(1)) }),
		NotFinite,
		"content.calibration.strength",
	},
	{
		"a radius too few",
		calibrations(func(v *values) { v[atFullMany].bytes = v[atFullMany].bytes[4:] }),
		WrongShape,
		"content.calibration.fullMany",
	},
	{
		"radii that descend",
		calibrations(func(v *values) { put32(v[atFullFew].bytes, 3, 0) }),
		OutOfRange,
		"content.calibration.fullFew",
	},
	{
		"radius negative below",
		calibrations(func(v *values) { put32(v[atFullMany].bytes, 0, 0xbf800000) }),
		OutOfRange,
		"content.calibration.fullMany",
	},
	{
		"radius infinite of all",
		calibrations(func(v *values) { put32(v[atFullFew].bytes, 10, inf32) }),
		NotFinite,
		"content.calibration.fullFew",
	},
	{
		"2,000 weights",
		calibrations(func(v *values) { v[atLikeWeights].bytes = make([]byte, 8000) }),
		TooLarge,
		"content.calibration.like.weights",
	},
	{
		"half a weight",
		calibrations(func(v *values) { v[atLikeWeights].bytes = v[atLikeWeights].bytes[2:] }),
		WrongShape,
		"content.calibration.like.weights",
	},
	{
		"weight NaN",
		calibrations(func(v *values) { put32(v[atLikeWeights].bytes, 1, nan32) }),
		NotFinite,
		"content.calibration.like.weights",
	},
	{
		"a rate too many",
		calibrations(func(v *values) { v[atLikeRates].bytes = append(v[atLikeRates].bytes, 0) }),
		WrongShape,
		"content.calibration.like.rates",
	},
	{
		"rate of −128 steps",
		calibrations(func(v *values) { v[atLikeRates].bytes[1] = 0x80 }),
		OutOfRange,
		"content.calibration.like.rates",
	},
	{
		"2,000 bins",
		calibrations(func(v *values) { v[atBinPredicted].bytes = make([]byte, 8000) }),
		TooLarge,
		"content.calibration.like.predicted",
	},
	{
		"bins that descend",
		calibrations(func(v *values) { put32(v[atBinPredicted].bytes, 1, 0x3e000000) }),
		OutOfRange,
		"content.calibration.like.predicted",
	},
	{
		"chance above 1",
		calibrations(func(v *values) { put32(v[atBinPredicted].bytes, 1, 0x3fc00000) }),
		OutOfRange,
		"content.calibration.like.predicted",
	},
	{
		"share below 0",
		calibrations(func(v *values) { put32(v[atBinObserved].bytes, 1, 0xbf000000) }),
		OutOfRange,
		"content.calibration.like.observed",
	},
	{
		"share NaN observed",
		calibrations(func(v *values) { put32(v[atBinObserved].bytes, 0, nan32) }),
		NotFinite,
		"content.calibration.like.observed",
	},
	{
		"a share too few",
		calibrations(func(v *values) { v[atBinObserved].bytes = v[atBinObserved].bytes[4:] }),
		WrongShape,
		"content.calibration.like.observed",
	},
	{
		"statements of 2^31",
		calibrations(func(v *values) { put32(v[atBinCounts].bytes, 1, 1<<31) }),
		OutOfRange,
		"content.calibration.like.statements",
	},
	{
		"statements too few",
		calibrations(func(v *values) { v[atBinCounts].bytes = v[atBinCounts].bytes[4:] }),
		WrongShape,
		"content.calibration.like.statements",
	},
}

// allocated returns the bytes that f allocates on the heap.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bound is the maximum allocation for a file of n bytes that is not accepted.
func bound(n int) uint64 { return uint64(n) + uint64(n)/10 + 1<<20 }

func TestAttacksAreRefused(t *testing.T) {
	for _, a := range slices.Concat(attacks, degenerate) {
		t.Run(a.name, func(t *testing.T) {
			file := a.file()
			kept := bytes.Clone(file)
			var m *Model
			var err error
			if n := allocated(func() { m, err = Decode(file) }); n > bound(len(file)) {
				t.Errorf("%d bytes allocated for a file of %d", n, len(file))
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want an *Error with reason %v", err, a.reason)
			}
			if e.Reason != a.reason || e.Field != a.field {
				t.Errorf("%v: reason %v in %q, want %v in %q", e, e.Reason, e.Field, a.reason, a.field)
			}
			if e.Offset > len(file) {
				t.Errorf("%v: past the end, %d", e, len(file))
			}
			if m != nil {
				t.Error("a refused file gives a model")
			}
			if !bytes.Equal(file, kept) {
				t.Error("Decode changed the file")
			}
		})
	}
}

// TestEveryReasonIsAttacked keeps the table above complete.
func TestEveryReasonIsAttacked(t *testing.T) {
	seen := map[Reason]bool{}
	for _, a := range attacks {
		seen[a.reason] = true
	}
	for r := Truncated; r <= BadValue; r++ {
		if !seen[r] {
			t.Errorf("no attack is refused as %q", r)
		}
		if strings.HasPrefix(r.String(), "model.Reason") {
			t.Errorf("reason %d has no description", uint8(r))
		}
	}
}

// TestLargeAttacksCostLittle makes the 1 MiB of slack irrelevant, with files of several megabytes whose flaw, a
// repeated id, is found last. At most 4 bytes per item may be allocated.
func TestLargeAttacksCostLittle(t *testing.T) {
	for _, shape := range []struct{ n, h int }{{100_000, 1}, {20_000, 50}} {
		for _, p := range precisions {
			m := full(shape.n, shape.h, p)
			m.Margins, m.Users, m.UserIDs = Margins{}, nil, nil
			b := encode(t, m)
			last := m.Catalogue.Items[shape.n-1].ID + "\x00"
			at := bytes.Index(b, []byte("\x00"+last+"\xa6titles"))
			if at < 0 {
				t.Fatal("the ids are not in the expected place")
			}
			copy(b[at+1:], m.Catalogue.Items[shape.n-2].ID)
			sign(b)
			var err error
			n := allocated(func() { _, err = Decode(b) })
			var e *Error
			if !errors.As(err, &e) || e.Reason != BadValue || e.Field != "content.catalogue.ids" {
				t.Fatalf("error %v, want a repeated id", err)
			}
			if limit := uint64(4*shape.n + 64<<10); n > limit {
				t.Errorf("%v: %d bytes allocated for a file of %d, want at most %d", p, n, len(b), limit)
			}
		}
	}
}

// TestAcceptedFilesCostTheirModel checks that an accepted file allocates the Model's own size, and 4 bytes per item to
// find repeated ids.
func TestAcceptedFilesCostTheirModel(t *testing.T) {
	const n, h = 20_000, 50
	for _, p := range precisions {
		m := full(n, h, p)
		m.ItemItem = partOf(n, 10)
		b := encode(t, m)
		texts := 0
		genres := 0
		for _, it := range m.Catalogue.Items {
			texts += len(it.ID) + len(it.Title) + 2
			for _, v := range it.Values {
				texts += len(v) + 1
			}
			genres += len(it.Genres)
		}
		const item, str = 96, 16 // sizes in memory of a catalogue.Item and of a string header, on 64 bits
		want := 4*n*2*h + item*n + str*(2*n+genres) + texts + 4*n + 4*(n+1) + 8*m.ItemItem.Links()
		if got := allocated(func() { decode(t, b) }); got > uint64(want+want/50+64<<10) {
			t.Errorf("%v: %d bytes allocated, the model has %d", p, got, want)
		}
	}
}

// TestEveryFlipIsNoticed changes every byte of a file to several values.
func TestEveryFlipIsNoticed(t *testing.T) {
	everyFile(func(b []byte) {
		for i := range b {
			old := b[i]
			for _, x := range []byte{1, 2, 3, 4, 8, 16, 32, 64, 128, 255} {
				b[i] = old ^ x
				mustRefuse(t, b, "byte", i)
			}
			b[i] = old
		}
	})
}

// TestEveryCutIsNoticed removes the end, the beginning or a byte in between, or repeats a byte.
func TestEveryCutIsNoticed(t *testing.T) {
	everyFile(func(b []byte) {
		for i := range b {
			mustRefuse(t, b[:i:i], "cut at", i)
			mustRefuse(t, b[i+1:], "begins at", i+1)
			mustRefuse(t, append(bytes.Clone(b[:i]), b[i+1:]...), "without", i)
			mustRefuse(t, append(bytes.Clone(b[:i+1]), b[i:]...), "twice", i)
		}
	})
}

func mustRefuse(t *testing.T, b []byte, what string, i int) {
	t.Helper()
	m, err := Decode(b)
	var e *Error
	if m != nil || !errors.As(err, &e) || e.Reason == 0 || strings.Contains(e.Error(), "Reason(") {
		t.Fatalf("%s %d: model %v, error %v; want an *Error", what, i, m != nil, err)
	}
}

// TestSignedCutsAreNoticed checks that truncation is noticed without the help of the digest.
func TestSignedCutsAreNoticed(t *testing.T) {
	b := mappedFile(Float16)
	for i := contentAt; i < len(b); i++ {
		_, err := Decode(sign(bytes.Clone(b[:i])))
		var e *Error
		if !errors.As(err, &e) || e.Reason != Truncated {
			t.Fatalf("cut at %d: %v, want %v", i, err, Truncated)
		}
	}
}

// TestMsgpAgrees reads files with the general decoder of msgp, which does not know the layout, to verify the place of
// every value.
func TestMsgpAgrees(t *testing.T) {
	everyFile(func(b []byte) {
		file, rest, err := msgp.ReadMapStrIntfBytes(b, nil)
		if err != nil || len(rest) > 0 {
			t.Fatal(err, len(rest))
		}
		var l layout
		if err := l.read(b); err != nil {
			t.Fatal(err)
		}
		var compare func(n *node, have any, path string)
		compare = func(n *node, have any, path string) {
			if n.kind == kindMap {
				if n.null && l.bool(n.leaf) != (have != nil) {
					t.Errorf("%s: present: %v, by msgp %v", path, l.bool(n.leaf), have)
				}
				fields, _ := have.(map[string]any)
				for i := range n.fields {
					f := &n.fields[i]
					value, ok := fields[f.key]
					if have != nil && !ok && !f.optional {
						t.Errorf("%s.%s is missing", path, f.key)
					}
					if ok {
						compare(f, value, path+"."+f.key)
					}
				}
				if len(fields) > len(n.fields) {
					t.Errorf("%s: %d keys of %d", path, len(fields), len(n.fields))
				}
				return
			}
			same := false
			switch v := have.(type) {
			case string:
				same = n.kind == kindText && l.text(n.leaf) == v
			case []byte:
				same = n.kind == kindBytes && string(l.bytes(n.leaf)) == string(v)
			case float32:
				same = n.kind == kindFloat32 && l.uint(n.leaf) == uint64(math.Float32bits(v))
			case bool:
				same = n.kind == kindBool && l.bool(n.leaf) == v
			case int64:
				same = n.kind == kindUint && l.uint(n.leaf) == uint64(v)
			case uint64:
				same = n.kind == kindUint && l.uint(n.leaf) == v
			}
			if !same {
				t.Errorf("%s: %q, by msgp %v", path, l.text(n.leaf), have)
			}
		}
		compare(&schema, file["content"], "content")
	})
	// All integer widths of msgpack are understood.
	for _, v := range []uint64{0, 127, 128, 255, 256, 1<<16 - 1, 1 << 16, 1<<32 - 1, 1 << 32, math.MaxUint64} {
		m := bare()
		m.Provenance.Seed = v
		if got := decode(t, encode(t, m)).Provenance.Seed; got != v {
			t.Errorf("seed %d came back as %d", v, got)
		}
	}
	if binary.BigEndian.Uint32(goldenFile(Int8)[:4]) != 0x84a6666f {
		t.Error("a model file begins with 84 a6 66 6f")
	}
}
