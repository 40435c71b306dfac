#!/bin/sh
# Compiles training.c to plain.wasm and to fused.wasm, which has the relaxed multiply-add, into the folder given as
# argument, this one by default. Needs clang-19 and lld-19 (Debian packages of these names).
set -eu
cd "$(dirname "$0")"
out=${1:-.}
object=$(mktemp)
trap 'rm -f "$object"' EXIT
build() {
    name=$1
    shift
    # ../build.sh explains the options. wasm-opt, which clang would run, may be too old for relaxed instructions.
    "${CLANG:-clang-19}" --target=wasm32 -O3 -msimd128 "$@" -std=c11 -Wall -Wextra -Werror \
        -ffreestanding -fno-builtin -fno-fast-math -ffp-contract=off -c -o "$object" training.c
    "${WASM_LD:-wasm-ld-19}" --no-entry --strip-all -z stack-size=0 --initial-memory=65536 --import-memory=go,mem \
        -o "$out/$name.wasm" "$object"
}
build plain -mno-relaxed-simd
build fused -mrelaxed-simd -DFUSED
