package batch

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Values that travel between workers have coders of their own, whose bytes runners do not interpret. Java runners
// decode Beam's own coder for structs, and Flink's reads lists in structs differently than the Go SDK writes them
// ("Serializer consumed more bytes than the record had"). Coders are found by the names of their functions, so each
// type has its own.

func init() {
	beam.RegisterCoder(reflect.TypeFor[Pieces](), encodePieces, decodePieces)
	beam.RegisterCoder(reflect.TypeFor[Stripe](), encodeStripe, decodeStripe)
	beam.RegisterCoder(reflect.TypeFor[Count](), encodeCount, decodeCount)
	beam.RegisterCoder(reflect.TypeFor[NumberCount](), encodeNumberCount, decodeNumberCount)
	beam.RegisterCoder(reflect.TypeFor[Summary](), encodeSummary, decodeSummary)
	beam.RegisterCoder(reflect.TypeFor[Scanned](), encodeScanned, decodeScanned)
	beam.RegisterCoder(reflect.TypeFor[File](), encodeFile, decodeFile)
	beam.RegisterCoder(reflect.TypeFor[Counts](), encodeCounts, decodeCounts)
	beam.RegisterCoder(reflect.TypeFor[Numbers](), encodeNumbers, decodeNumbers)
	beam.RegisterCoder(reflect.TypeFor[Items](), encodeItems, decodeItems)
	beam.RegisterCoder(reflect.TypeFor[Task](), encodeTask, decodeTask)
	beam.RegisterCoder(reflect.TypeFor[Cut](), encodeCut, decodeCut)
	beam.RegisterCoder(reflect.TypeFor[Spans](), encodeSpans, decodeSpans)
	beam.RegisterCoder(reflect.TypeFor[Weighted](), encodeWeighted, decodeWeighted)
	beam.RegisterCoder(reflect.TypeFor[Message](), encodeMessage, decodeMessage)
	beam.RegisterCoder(reflect.TypeFor[Totals](), encodeTotals, decodeTotals)
}

func encodeCount(c Count) []byte { return append(binary.AppendVarint(nil, c.N), c.Name...) }

func decodeCount(b []byte) (Count, error) {
	in := bytesReader{b: b}
	n := in.varint()
	return Count{string(in.b), n}, in.err
}

func encodeNumberCount(c NumberCount) []byte {
	return binary.AppendVarint(binary.AppendVarint(nil, c.Key), c.N)
}

func decodeNumberCount(b []byte) (NumberCount, error) {
	in := bytesReader{b: b}
	key := in.varint()
	return NumberCount{key, in.varint()}, in.err
}

func encodeSummary(v Summary) ([]byte, error) { return encode(v) }
func decodeSummary(b []byte) (Summary, error) { return decode[Summary](b) }

func encodeScanned(v Scanned) ([]byte, error) { return encode(v) }
func decodeScanned(b []byte) (Scanned, error) { return decode[Scanned](b) }

func encodeFile(v File) ([]byte, error) { return encode(v) }
func decodeFile(b []byte) (File, error) { return decode[File](b) }

func encodePieces(v Pieces) ([]byte, error) { return encode(v) }
func decodePieces(b []byte) (Pieces, error) { return decode[Pieces](b) }

func encodeCounts(v Counts) ([]byte, error) { return encode(v) }
func decodeCounts(b []byte) (Counts, error) { return decode[Counts](b) }

func encodeNumbers(v Numbers) ([]byte, error) { return encode(v) }
func decodeNumbers(b []byte) (Numbers, error) { return decode[Numbers](b) }

func encodeItems(v Items) ([]byte, error) { return encode(v) }
func decodeItems(b []byte) (Items, error) { return decode[Items](b) }

func encodeTask(v Task) ([]byte, error) { return encode(v) }
func decodeTask(b []byte) (Task, error) { return decode[Task](b) }

func encodeCut(v Cut) ([]byte, error) { return encode(v) }
func decodeCut(b []byte) (Cut, error) { return decode[Cut](b) }

func encodeSpans(v Spans) ([]byte, error) { return encode(v) }
func decodeSpans(b []byte) (Spans, error) { return decode[Spans](b) }

func encodeWeighted(v Weighted) ([]byte, error) { return encode(v) }
func decodeWeighted(b []byte) (Weighted, error) { return decode[Weighted](b) }

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func decode[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}
