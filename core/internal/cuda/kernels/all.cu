// All kernels, one module.
#include "sample.cu"
#include "sort.cu"
#include "loss.cu"
#include "shared.cu"
#include "compose.cu"
#include "sums.cu"
#include "margin.cu"
#include "rank.cu"
