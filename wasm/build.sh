#!/bin/sh
# Compiles a js/wasm program as it is published.
#
#   wasm/build.sh OUT [PACKAGE]      PACKAGE is ./wasm where it is left out; ./wasm/embed is the other one
#
# VERSION names the program's version. Same source, same Go: same bytes.
#
# The size is what a visitor waits for, so nothing is inlined (-l) in packages where little time goes: that takes a
# fifteenth off what travels.
set -eu
cd "$(dirname "$0")/.."
case $1 in
/*) out=$1 ;;
*) echo "wasm/build.sh: OUT must be an absolute path, but is $1" >&2 && exit 2 ;;
esac
cold=
pmlam=github.com/pmlam/pmlam
for package in $pmlam/core/calibration $pmlam/core/catalogue $pmlam/core/importer $pmlam/core/itemitem $pmlam/core/loss $pmlam/core/margin $pmlam/core/model $pmlam/core/projection $pmlam/core/recommender $pmlam/ui/... $pmlam/wasm/... $pmlam/core/search \
    github.com/vugu/... errors internal/abi io math/rand/... sync syscall/js unicode/... \
    bufio bytes context encoding/... fmt html internal/... io/fs log math/bits os path reflect slices sort strconv strings syscall time github.com/tinylib/...; do
    cold="$cold -gcflags=$package=-l"
done
# A module of the same name that does not link encoding/json: see wasm/vjson. Not in go.mod, where it would keep others
# from installing the command by its module path.
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
cp go.mod go.sum "$modules"
go mod edit -replace=github.com/vugu/vjson=./wasm/vjson "$modules/go.mod"
# msgp without its translation to JSON, which nothing here calls but which its init holds on to: 25 KB of what travels.
# The copy stands under one name for all who build at once, since the program's bytes hold that name.
msgp=build/msgp-$(cat wasm/_msgp/*.go go.sum | cksum | cut -d ' ' -f 1)
if [ ! -d "$msgp" ]; then
    mkdir -p build
    cp -r "$(go list -m -f '{{.Dir}}' github.com/tinylib/msgp)" "$msgp.$$"
    chmod -R u+w "$msgp.$$"
    cp wasm/_msgp/*.go "$msgp.$$/msgp/"
    mv "$msgp.$$" "$msgp"
    rm -rf "$msgp/${msgp##*/}.$$" # where another build was first, mv has moved into its copy
fi
go mod edit -replace="github.com/tinylib/msgp=./$msgp" "$modules/go.mod"
GOOS=js GOARCH=wasm go build -modfile="$modules/go.mod" -trimpath -buildvcs=false \
    -ldflags="-s -w -buildid= -X main.version=${VERSION:-development}" \
    $cold \
    -o "$out" "${2:-./wasm}"
