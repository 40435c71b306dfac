// Package cuda runs kernels on an NVIDIA GPU. It is empty without the build tag gpu, and on systems other than Linux.
//
// It needs neither cgo nor the CUDA toolkit. It opens the driver's library at run time (library.go), and embeds the
// kernels as PTX, a text format that the driver compiles for the device (kernels/, written in CUDA C, compiled by
// clang-19 and committed). Every kernel takes one parameter, Tasks, which is the Work of one to three tasks. Each warp
// writes only its own memory.
//
// Errors of a Device state the failed call, CUDA's own name of the failure, and a remedy. Any error except running out
// of memory makes the device unusable for this process, and its content is lost.
//
// The same kernels, compiled by g++ behind the driver functions used here, make up the stand-in (package standin),
// which runs the tests on machines without a GPU. The environment variable PMLAM_CUDA_LIBRARY names a library to open
// instead of libcuda.so.1.
//
// Data flow: pmlam trains with it. core/lab/docs/gpu-kernels.md describes the memory of the device and the kernels.
package cuda

//go:generate ./kernels/build.sh kernels.ptx
