#!/bin/sh
# Compiles the kernels to PTX, kernels.ptx or the file named by the first argument. It needs clang-19 (the Debian
# package of that name), but not CUDA. The same compiler gives the same text.
set -eu
cd "$(dirname "$0")"
out=${1:-kernels.ptx}
# sm_70 (Volta, 2017) and PTX 6.3: the driver compiles this for the device that it finds, and newer devices take older
# text. -ffp-contract=off: a product is rounded before it is added, except where fma is written, as on the CPU.
exec "${CLANG:-clang-19}" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 \
    -O3 -std=c++17 -ffp-contract=off -fno-fast-math -Wall -Wextra -Werror \
    -S -o "$out" all.cu
