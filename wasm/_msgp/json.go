// This file and json_bytes.go stand in for those of github.com/tinylib/msgp in the browser's program: see build.sh.

package msgp
