#!/bin/sh
# Compiles a js/wasm program as it is published.
#
#   wasm/build.sh OUT [PACKAGE]      PACKAGE is ./wasm where it is left out; ./wasm/embed is the other one
#
# VERSION names the program's version. Same source, same Go: same bytes.
#
# The size is what a visitor waits for, so nothing is inlined (-l) but in core and in Go's runtime, where the time goes:
# that takes a fourteenth off what travels.
set -eu
cd "$(dirname "$0")/.."
case $1 in
/*) out=$1 ;;
*) echo "wasm/build.sh: OUT must be an absolute path, but is $1" >&2 && exit 2 ;;
esac
GOOS=js GOARCH=wasm exec go build -trimpath -buildvcs=false \
    -ldflags="-s -w -buildid= -X main.version=${VERSION:-development}" \
    -gcflags=all=-l -gcflags=runtime/...= -gcflags=internal/runtime/...= -gcflags=github.com/pmlam/pmlam/core/...= \
    -o "$out" "${2:-./wasm}"
