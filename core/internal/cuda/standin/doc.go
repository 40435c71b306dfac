// Package standin lets tests train on machines without a GPU. It compiles the kernels of package cuda together with a
// small library that provides the driver's functions (../kernels/standin.cpp), and makes package cuda open it.
//
// Tests then run all of this project's GPU code, including every kernel. They do not run NVIDIA's compiler, driver or
// device, nor warps in parallel. The package is empty without the build tag gpu, and on systems other than Linux.
package standin
