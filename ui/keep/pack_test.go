package keep

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tinylib/msgp/msgp"
	"pgregory.net/rapid"
)

// unpacked reads a ledger as Decode does, without its checks.
func unpacked(b []byte) (l Ledger, err error) {
	u := unpacker{b: b}
	fields := u.array()
	if u.ledger(&l); fields != 3 {
		u.fail(errKind)
	} else if len(u.b) > 0 {
		u.fail(errTail)
	}
	return l, u.err
}

// generated reads a ledger with what msgp generates.
func generated(b []byte) (l Ledger, err error) {
	rest, err := l.UnmarshalMsg(b)
	if err == nil && len(rest) > 0 {
		err = errors.New("a tail")
	}
	if len(l.Settings.Genres) == 0 {
		l.Settings.Genres = nil
	}
	return l, err
}

func checkAgainstGenerated(t testing.TB, b []byte) {
	t.Helper()
	got, err := unpacked(b)
	want, wantErr := generated(b)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%x: %v, and by msgp %v", b, err, wantErr)
	}
	if err == nil && !equalLedgers(&got, &want) {
		t.Fatalf("%x is %+v, and by msgp %+v", b, got, want)
	}
}

// equalLedgers takes one NaN for another and no entries for nil.
func equalLedgers(a, b *Ledger) bool {
	x, y := a.Settings, b.Settings
	for _, f := range []*float64{&x.Exploration, &x.Diversity, &y.Exploration, &y.Diversity} {
		if math.IsNaN(*f) {
			*f = -1
		}
	}
	return a.Version == b.Version && reflect.DeepEqual(x, y) && len(a.Entries) == len(b.Entries) &&
		(len(a.Entries) == 0 || reflect.DeepEqual(a.Entries, b.Entries))
}

// Whatever is packed, msgp packs to the same bytes and reads as the same.
func TestPackedAsGenerated(t *testing.T) {
	text := rapid.OneOf(rapid.StringN(0, 40, 200), rapid.SampledFrom([]string{"", strings.Repeat("x", 31),
		strings.Repeat("x", 32), strings.Repeat("y", 255), strings.Repeat("y", 256), strings.Repeat("z", 65_536)}))
	number := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 127, 128, 255, 256, 65_535, 65_536,
		math.MaxUint32, math.MaxUint32 + 1, math.MaxUint64}))
	rapid.Check(t, func(t *rapid.T) {
		l := Ledger{Version: rapid.Uint8().Draw(t, "version")}
		for range rapid.SampledFrom([]int{0, 1, 15, 16, 17}).Draw(t, "entries") {
			l.Entries = append(l.Entries, Entry{ID: text.Draw(t, "id"), Mark: Mark(rapid.Uint8().Draw(t, "mark")),
				At: number.Draw(t, "at"), Title: text.Draw(t, "title"), Year: uint16(number.Draw(t, "year"))})
		}
		s := &l.Settings
		s.Mode, s.Theme, s.Seed = rapid.Uint8().Draw(t, "mode"), rapid.Uint8().Draw(t, "theme"), number.Draw(t, "seed")
		s.Exploration, s.Diversity = rapid.Float64().Draw(t, "exploration"), rapid.Float64().Draw(t, "diversity")
		s.Distances, s.Asked = rapid.Bool().Draw(t, "distances"), rapid.Bool().Draw(t, "asked")
		s.Decade, s.Language = uint16(number.Draw(t, "decade")), text.Draw(t, "language")
		s.Person = text.Draw(t, "person")
		for range rapid.SampledFrom([]int{0, 1, 16, 300}).Draw(t, "genres") {
			s.Genres = append(s.Genres, text.Draw(t, "genre"))
		}
		want, err := l.MarshalMsg(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got packer
		if got.ledger(&l); !bytes.Equal(got, want) {
			t.Fatalf("packed as %x, by msgp as %x", []byte(got), want)
		}
		back, err := unpacked(got)
		if err != nil || !equalLedgers(&back, &l) {
			t.Fatalf("%+v was packed and read as %+v (%v)", l, back, err)
		}
	})
}

// Every kind of value can stand in the place of a setting that is not known, and is cut short nowhere.
func TestSkips(t *testing.T) {
	many := make(map[string]any, 20)
	for _, c := range "abcdefghijklmnopqrst" {
		many[string(c)] = int(c)
	}
	for _, value := range []any{nil, true, false, 1, -1, 127, 128, -33, -129, 40_000, -40_000, 1 << 20, -1 << 20, 1 << 40,
		-1 << 40, float32(1.5), 2.5, "", "short", strings.Repeat("s", 200), strings.Repeat("s", 300),
		strings.Repeat("s", 70_000), make([]byte, 3), make([]byte, 300), make([]byte, 70_000), []any{1, []any{"x"}},
		make([]any, 20), make([]any, 70_000), map[string]any{"a": map[string]any{}}, many,
		&msgp.RawExtension{Type: 9, Data: make([]byte, 1)}, &msgp.RawExtension{Type: 9, Data: make([]byte, 16)},
		&msgp.RawExtension{Type: 9, Data: make([]byte, 3)}, &msgp.RawExtension{Type: 9, Data: make([]byte, 300)},
		&msgp.RawExtension{Type: 9, Data: make([]byte, 70_000)},
	} {
		b, err := msgp.AppendIntf([]byte{0x93, 2, 0x90, 0x82, 0xa3, 'n', 'e', 'w'}, value)
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, 0xa5, 't', 'h', 'e', 'm', 'e', 1)
		if l, err := unpacked(b); err != nil || l.Settings.Theme != 1 {
			t.Errorf("after %.20v: %+v, %v", value, l.Settings, err)
		}
		for n := 4; n < min(len(b), 400); n++ {
			checkAgainstGenerated(t, b[:n])
		}
	}
	if _, err := unpacked([]byte{0x93, 2, 0x90, 0x81, 0xa1, 'x', 0xc1}); err == nil {
		t.Error("a byte that MessagePack does not use is skipped")
	}
}

// Every first byte of every value is read or refused as msgp does.
func TestLeadBytes(t *testing.T) {
	var good packer
	l := full()
	good.ledger(&l)
	for at := range good {
		for lead := range 256 {
			b := bytes.Clone(good)
			b[at] = byte(lead)
			if n := (&unpacker{b: b[2:]}).array(); n > 1000 {
				continue // it would ask msgp for more memory than a test needs
			}
			checkAgainstGenerated(t, b)
		}
	}
}
