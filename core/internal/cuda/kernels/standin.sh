#!/bin/sh
# Compiles the stand-in driver to the file named by the argument, with g++.
set -eu
cd "$(dirname "$0")"
exec "${CXX:-g++}" -x c++ -shared -fPIC -pthread -O3 -std=c++17 -ffp-contract=off -fno-fast-math -Wall -Wextra \
    -Wno-unknown-pragmas ${STANDIN_FLAGS:--march=native} -o "$1" standin.cpp -ldl
