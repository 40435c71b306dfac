// Package msgp is two files that stand in for those of the same names in github.com/tinylib/msgp, in the browser's program
// alone: without them it would link encoding/json, which nothing in it calls. See build.sh.
package msgp
