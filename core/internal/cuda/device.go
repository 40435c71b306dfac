//go:build gpu && linux

package cuda

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// kernels is the module, as PTX.
//
//go:embed kernels/kernels.ptx
var kernels string

// Device is an open GPU with the kernels loaded. It is not safe for concurrent use.
type Device struct {
	Name string // "cuda:0 (NVIDIA H100)"

	lib       library
	ordinal   int32
	context   uintptr
	module    uintptr
	functions map[string]uintptr
	held      map[Ptr]uint64
	launched  Tasks  // the parameter of a launch, which must not be on a stack
	failed    *Error // the error that lost the device
	log       []byte // of the driver's compiler
}

// Ptr is an address on a device; 0 is nil.
type Ptr uint64

// Attributes of a device, and options of the driver's compiler, in the driver's numbering.
const (
	attributeMajor = 75
	attributeMinor = 76
	optionLog      = 5
	optionLogSize  = 6
)

// oldestDevice is the lowest compute capability that runs the kernels, and the one that they are compiled for: Volta.
const oldestDevice = 70

// Open opens GPU number ordinal, from 0, and loads the kernels. The driver compiles them, which takes a second or two
// the first time.
func Open(ordinal int) (*Device, error) {
	lib, err := openLibrary()
	if err != nil {
		return nil, err
	}
	d := &Device{Name: fmt.Sprintf("cuda:%d", ordinal), lib: lib, functions: map[string]uintptr{},
		held: map[Ptr]uint64{}}
	var count int32
	if err := lib.call("cuDeviceGetCount", uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, err
	}
	if ordinal >= int(count) {
		return nil, fmt.Errorf("%s does not exist: NVIDIA's driver sees %d (CUDA_VISIBLE_DEVICES may hide others)",
			d.Name, count)
	}
	if err := lib.call("cuDeviceGet", uintptr(unsafe.Pointer(&d.ordinal)), uintptr(ordinal)); err != nil {
		return nil, err
	}
	name := make([]byte, 256)
	if err := lib.call("cuDeviceGetName", uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)),
		uintptr(d.ordinal)); err != nil {
		return nil, err
	}
	d.Name += " (" + terminated(&name[0]) + ")"
	var major, minor int32
	if err := errors.Join(
		lib.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&major)), attributeMajor, uintptr(d.ordinal)),
		lib.call("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&minor)), attributeMinor, uintptr(d.ordinal)),
	); err != nil {
		return nil, err
	}
	if 10*major+minor < oldestDevice {
		return nil, fmt.Errorf("%s is too old: its compute capability is %d.%d, but the kernels need %d.%d (Volta, "+
			"2017) or more", d.Name, major, minor, oldestDevice/10, oldestDevice%10)
	}
	if err := lib.call("cuDevicePrimaryCtxRetain", uintptr(unsafe.Pointer(&d.context)),
		uintptr(d.ordinal)); err != nil {
		return nil, err
	}
	if err := d.load(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// load compiles the kernels and checks that they agree with this program about the layout of Work.
func (d *Device) load() error {
	image := append([]byte(kernels), 0)
	// Memory that is passed inside other memory must not be on a stack, which may move.
	d.log = make([]byte, 8192)
	options := []int32{optionLog, optionLogSize}
	values := []uintptr{uintptr(unsafe.Pointer(&d.log[0])), uintptr(len(d.log))}
	err := d.lib.within(d.context, func() error {
		return d.lib.call("cuModuleLoadDataEx", uintptr(unsafe.Pointer(&d.module)), uintptr(unsafe.Pointer(&image[0])),
			uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])), uintptr(unsafe.Pointer(&values[0])))
	})
	if err != nil {
		if e := d.note(err); e != nil {
			e.Detail = "its driver cannot compile the kernels; update the driver"
			if text := strings.TrimSpace(terminated(&d.log[0])); text != "" {
				e.Detail += "; the compiler says: " + text
			}
		}
		return err
	}
	answer, err := d.Alloc(4)
	if err != nil {
		return err
	}
	defer d.Free(answer)
	got := make([]uint32, 1)
	err = errors.Join(d.Fill(answer, 0, 1),
		d.LaunchOfAll("layout", 1, &Work{Figures: Figures{Bad: answer}}), Download(d, got, answer))
	if err != nil {
		return err
	}
	if want := uint32(unsafe.Sizeof(Tasks{})); got[0] != want {
		return fmt.Errorf("the kernels do not match this program: they expect %d bytes of parameters, and are "+
			"given %d", got[0], want)
	}
	return nil
}

// Close frees all memory and releases the device.
func (d *Device) Close() error {
	var all []error
	for p := range d.held {
		all = append(all, d.Free(p))
	}
	if d.module != 0 {
		all = append(all, d.do(func() error { return d.lib.call("cuModuleUnload", d.module) }))
		d.module = 0
	}
	if d.context != 0 {
		all = append(all, d.lib.call("cuDevicePrimaryCtxRelease_v2", uintptr(d.ordinal)))
		d.context = 0
	}
	return errors.Join(all...)
}

// do calls the driver with the context set. Once an error has lost the device, all later calls return that error.
func (d *Device) do(f func() error) error {
	if d.failed != nil {
		return d.failed
	}
	err := d.lib.within(d.context, f)
	if e := d.note(err); e != nil && e.Lost() {
		d.failed = e
	}
	return err
}

// note adds the device to an error of the driver and returns it; nil for other errors.
func (d *Device) note(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		e.Device = d.Name
	}
	return e
}

// Memory returns the free and the total memory of the device, in bytes.
func (d *Device) Memory() (free, total uint64, err error) {
	var f, t uintptr
	err = d.do(func() error {
		return d.lib.call("cuMemGetInfo_v2", uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	})
	return uint64(f), uint64(t), err
}

// Alloc allocates n bytes of undefined content, or nothing for 0 bytes. If memory is exhausted, the error states the
// requested and the free size.
func (d *Device) Alloc(n uint64) (p Ptr, err error) {
	if n == 0 {
		return 0, nil
	}
	err = d.do(func() error { return d.lib.call("cuMemAlloc_v2", uintptr(unsafe.Pointer(&p)), uintptr(n)) })
	if e := d.note(err); e != nil && !e.Lost() {
		return 0, d.full(e, n)
	}
	if err != nil {
		return 0, err
	}
	d.held[p] = n
	return p, nil
}

// full adds the requested and the free size to an out-of-memory error.
func (d *Device) full(e *Error, n uint64) error {
	free, total, err := d.Memory()
	if err != nil {
		return err
	}
	var own uint64
	for _, n := range d.held {
		own += n
	}
	e.Detail = fmt.Sprintf("%s were requested, but only %s of %s are free, besides %s that this training holds; "+
		"use a smaller batch, fewer negatives or a smaller dimension",
		size(n), size(free), size(total), size(own))
	return e
}

// Reserve checks that n bytes can be allocated, with the errors of Alloc.
func (d *Device) Reserve(n uint64) error {
	free, _, err := d.Memory()
	if err != nil || n <= free {
		return err
	}
	return d.full(&Error{Device: d.Name, Call: "cuMemAlloc", Code: outOfMemory, Name: "CUDA_ERROR_OUT_OF_MEMORY",
		Text: "out of memory"}, n)
}

// Free frees memory of Alloc.
func (d *Device) Free(p Ptr) error {
	if p == 0 {
		return nil
	}
	delete(d.held, p)
	return d.do(func() error { return d.lib.call("cuMemFree_v2", uintptr(p)) })
}

// Fill writes a 32-bit value n times.
func (d *Device) Fill(p Ptr, value uint32, n int) error {
	if n == 0 {
		return nil
	}
	return d.do(func() error { return d.lib.call("cuMemsetD32_v2", uintptr(p), uintptr(value), uintptr(n)) })
}

// number constrains the types that can be copied.
type number interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// Upload copies x to the device.
func Upload[T number](d *Device, p Ptr, x []T) error {
	if len(x) == 0 {
		return nil
	}
	return d.do(func() error {
		return d.lib.call("cuMemcpyHtoD_v2", uintptr(p), uintptr(unsafe.Pointer(&x[0])),
			uintptr(len(x))*unsafe.Sizeof(x[0]))
	})
}

// Download copies from the device to x, once all launched work is done.
func Download[T number](d *Device, x []T, p Ptr) error {
	if len(x) == 0 {
		return nil
	}
	return d.do(func() error {
		return d.lib.call("cuMemcpyDtoH_v2", uintptr(unsafe.Pointer(&x[0])), uintptr(p),
			uintptr(len(x))*unsafe.Sizeof(x[0]))
	})
}

// blockWarps is the number of warps in a block; warp.h has the same number.
const blockWarps = 4

// Launch starts a kernel with at least the given number of warps for each of one to three tasks. Launches run in order.
// Launch does not wait; a later call reports the kernel's errors.
func (d *Device) Launch(name string, warps int, tasks ...*Work) error {
	return d.launch(name, warps, len(tasks), tasks)
}

// LaunchOfAll is Launch for a kernel whose warps process all tasks together.
func (d *Device) LaunchOfAll(name string, warps int, tasks ...*Work) error {
	return d.launch(name, warps, 1, tasks)
}

func (d *Device) launch(name string, warps, times int, tasks []*Work) error {
	if warps <= 0 {
		return nil
	}
	blocks := (warps + blockWarps - 1) / blockWarps
	if blocks > 1<<31-1 {
		return fmt.Errorf("%s cannot run the kernel %s with %d warps, which are too many for one launch", d.Name, name,
			warps)
	}
	d.launched = Tasks{Count: int32(len(tasks))}
	for k, w := range tasks {
		d.launched.Of[k] = *w
		d.launched.Of[k].Check = layoutCheck
	}
	return d.do(func() error {
		f := d.functions[name]
		if f == 0 {
			terminated := append([]byte(name), 0)
			if err := d.lib.call("cuModuleGetFunction", uintptr(unsafe.Pointer(&f)), d.module,
				uintptr(unsafe.Pointer(&terminated[0]))); err != nil {
				return err
			}
			d.functions[name] = f
		}
		parameters := [1]unsafe.Pointer{unsafe.Pointer(&d.launched)}
		return d.lib.call("cuLaunchKernel", f, uintptr(blocks), uintptr(times), 1, 32*blockWarps, 1, 1, 0, 0,
			uintptr(unsafe.Pointer(&parameters)), 0)
	})
}
