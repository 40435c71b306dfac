#!/bin/sh
# Compiles kernel.c into the module named by the first argument, kernel.wasm where none is given.
# Needs clang-19, lld-19 and wasm-opt (Debian packages clang-19, lld-19, binaryen). The same tools give the same bytes.
set -eu
cd "$(dirname "$0")"
out=${1:-kernel.wasm}
# clang runs wasm-opt on the linked module where that is installed, and does not say so where it is not: the module then
# keeps a table and a stack pointer that it never uses.
command -v wasm-opt >/dev/null || { echo "build.sh: wasm-opt is missing (apt-get install binaryen)" >&2; exit 1; }
# -fno-builtin: no loop may become a call of memset or memcpy, which nobody provides.
# -z stack-size=0 and --import-memory: the memory is Go's; --initial-memory only says how much of it must exist.
exec "${CLANG:-clang-19}" --target=wasm32 -O3 -msimd128 -std=c11 -Wall -Wextra -Werror \
    -ffreestanding -fno-builtin -fno-fast-math -ffp-contract=off -mno-relaxed-simd \
    -nostdlib -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=0 -Wl,--initial-memory=65536 \
    -Xlinker --import-memory=go,mem \
    -o "$out" kernel.c
