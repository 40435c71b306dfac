package share

import "strconv"

// check returns eight hexadecimal digits that tell whether s is whole: FNV-1a of 32 bits over its bytes. One changed byte
// always changes it, and what else befalls a link goes unnoticed once in four thousand million times.
func check(s string) string {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return strconv.FormatUint(1<<32|uint64(h), 16)[1:]
}
