// Package standin lets tests train on machines without a GPU: it compiles the kernels of package cuda together with a
// small library that has the driver's functions (../kernels/standin.cpp), and makes package cuda open that.
//
// The tests then run all of this project's code for GPUs, every kernel included. They do not run NVIDIA's compiler,
// driver and device, nor warps in parallel. Without the build tag gpu, and
// elsewhere than on Linux, it is empty.
package standin
