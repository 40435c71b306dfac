// Package cuda runs kernels on an NVIDIA GPU. Without the build tag gpu, and elsewhere than on Linux, it is empty.
//
// There is no cgo and nothing of the CUDA toolkit: the driver's library is opened while the program runs
// (library.go), and the kernels are embedded as PTX, a text format that the driver compiles for the device (kernels/,
// written in CUDA C, compiled by clang-19 and committed). Every kernel takes one parameter, Tasks, the Work of one to
// three tasks, and is written for warps that each own what they write.
//
// A Device promises errors that say which call failed, with CUDA's own name of the failure, and what to do. After any
// but one of memory the device is lost for this process, with all that it held.
//
// The same kernels, compiled by g++ behind the driver's functions that are called here, are the stand-in (package
// standin), through which the tests go on machines without a GPU. The environment variable PMLAM_CUDA_LIBRARY names a
// library to be opened in place of libcuda.so.1.
//
// In the flow: pmlam trains with it. core/lab/docs/gpu-kernels.md describes the device's memory and the kernels.
package cuda

//go:generate ./kernels/build.sh kernels.ptx
