package model

import (
	"fmt"

	"github.com/pmlam/pmlam/core/brief"
)

func (p Precision) String() string {
	switch p {
	case Float32:
		return "float32"
	case Float16:
		return "float16"
	case Int8:
		return "int8"
	}
	return fmt.Sprintf("model.Precision(%d)", uint8(p))
}

// ParsePrecision returns the named precision.
func ParsePrecision(name string) (Precision, error) {
	for _, p := range []Precision{Float32, Float16, Int8} {
		if p.String() == name {
			return p, nil
		}
	}
	return 0, fmt.Errorf("unknown precision %q: it must be float32, float16 or int8", brief.Text(name))
}

// width returns the bytes of one value in the file.
func (p Precision) width() int {
	switch p {
	case Float32:
		return 4
	case Float16:
		return 2
	}
	return 1
}
