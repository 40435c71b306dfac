#!/bin/sh
# Compiles kernel.c to the file given as argument, kernel.wasm by default.
# Needs clang-19, lld-19 and wasm-opt (Debian packages clang-19, lld-19, binaryen). The same tools give the same bytes.
set -eu
cd "$(dirname "$0")"
out=${1:-kernel.wasm}
# clang runs wasm-opt on the linked module if it is installed. Without it, and without a warning, the module keeps an
# unused table and stack pointer.
command -v wasm-opt >/dev/null || { echo "build.sh: wasm-opt is missing (apt-get install binaryen)" >&2; exit 1; }
# -fno-builtin: loops must not become calls of memset or memcpy, which do not exist here.
# -z stack-size=0 and --import-memory: the memory is Go's; --initial-memory only sets its required minimum.
exec "${CLANG:-clang-19}" --target=wasm32 -O3 -msimd128 -std=c11 -Wall -Wextra -Werror \
    -ffreestanding -fno-builtin -fno-fast-math -ffp-contract=off -mno-relaxed-simd \
    -nostdlib -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=0 -Wl,--initial-memory=65536 \
    -Xlinker --import-memory=go,mem \
    -o "$out" kernel.c
