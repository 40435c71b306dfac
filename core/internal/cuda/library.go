//go:build gpu && linux

package cuda

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The driver functions used here. The suffix is a version of the interface, which the driver keeps forever.
var functions = []string{
	"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent", "cuCtxSynchronize",
	"cuModuleLoadDataEx", "cuModuleUnload", "cuModuleGetFunction",
	"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemsetD32_v2",
	"cuLaunchKernel", "cuGetErrorName", "cuGetErrorString",
}

// library is an open driver: the addresses of its functions.
type library map[string]uintptr

var libraries struct {
	sync.Mutex
	open map[string]library // by path; they stay open, since the driver cannot be unloaded
}

// openLibrary opens the driver's library and checks its version.
func openLibrary() (library, error) {
	path, by := os.Getenv("PMLAM_CUDA_LIBRARY"), " (PMLAM_CUDA_LIBRARY)"
	if path == "" {
		path, by = "libcuda.so.1", ""
	}
	libraries.Lock()
	defer libraries.Unlock()
	l := libraries.open[path]
	if l == nil {
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			return nil, fmt.Errorf("NVIDIA's driver library %s%s cannot be opened: %w; is NVIDIA's driver "+
				"installed? PMLAM_CUDA_LIBRARY may name another path", path, by, err)
		}
		l = library{}
		for _, name := range functions {
			if l[name], err = purego.Dlsym(handle, name); err != nil {
				return nil, fmt.Errorf("the library %s%s has no function %s: it is not NVIDIA's driver, or too "+
					"old; update the driver", path, by, name)
			}
		}
		if libraries.open == nil {
			libraries.open = map[string]library{}
		}
		libraries.open[path] = l
	}
	if err := l.call("cuInit", 0); err != nil {
		return nil, fmt.Errorf("cannot start NVIDIA's driver: %w; nvidia-smi shows whether it sees a GPU", err)
	}
	var version int32
	if err := l.call("cuDriverGetVersion", uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, err
	}
	if version < oldest {
		return nil, fmt.Errorf("NVIDIA's driver is too old: it supports CUDA %d.%d, but CUDA %d.%d is needed; update "+
			"the driver", version/1000, version%1000/10, oldest/1000, oldest%1000/10)
	}
	return l, nil
}

// oldest is the lowest CUDA version that a driver must support, in CUDA's numbering: 11.0, of 2020.
const oldest = 11000

// call calls a function of the driver. Arguments must not contain pointers into a stack, which may move. A pointer
// converted to uintptr in the call itself is safe.
//
//go:uintptrescapes
func (l library) call(name string, arguments ...uintptr) error {
	code, _, _ := purego.SyscallN(l[name], arguments...)
	if int32(code) == success {
		return nil
	}
	return l.failure(name, int32(code))
}

// failure returns the *Error of a code.
func (l library) failure(name string, code int32) *Error {
	e := &Error{Call: trim(name), Code: int(code), Name: fmt.Sprintf("error %d", code)}
	var text *byte
	if got, _, _ := purego.SyscallN(l["cuGetErrorName"], uintptr(code),
		uintptr(unsafe.Pointer(&text))); got == success && text != nil {
		e.Name = terminated(text)
	}
	text = nil
	if got, _, _ := purego.SyscallN(l["cuGetErrorString"], uintptr(code),
		uintptr(unsafe.Pointer(&text))); got == success && text != nil {
		e.Text = terminated(text)
	}
	return e
}

// terminated copies a C string of at most 4 KiB.
func terminated(p *byte) string {
	var b []byte
	for len(b) < 4096 && *p != 0 {
		b = append(b, *p)
		p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1))
	}
	return string(b)
}

// within runs f on a locked thread with the context, because the driver keeps one context per thread.
func (l library) within(context uintptr, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := l.call("cuCtxSetCurrent", context); err != nil {
		return err
	}
	return f()
}
