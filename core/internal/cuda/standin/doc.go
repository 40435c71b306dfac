// Package standin lets tests train on a GPU that is not there: it compiles the kernels of package cuda together with a
// small library that has the driver's functions (../kernels/standin.cpp), and makes package cuda open that.
//
// Everything of this project that a training on a GPU goes through is then run, to the last kernel; what is not is
// NVIDIA's compiler, driver and device, and what happens when warps run at once. Without the build tag gpu, and
// elsewhere than on Linux, it is empty.
package standin
