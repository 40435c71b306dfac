//go:build js && wasm

package browser

import (
	"syscall/js"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/importer"
)

func toJS(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

func toGo(a js.Value) []byte {
	b := make([]byte, a.Length())
	js.CopyBytesToGo(b, a)
	return b
}

// Download saves a file on the visitor's device.
func Download(name, kind string, b []byte) { call("download", name, kind, toJS(b)) }

// ReadChosen reads the file chosen in the event's input. f gets nil if it is larger than limit bytes or cannot be read.
func ReadChosen(event vugu.DOMEvent, limit int, f func(name string, b []byte)) {
	var read js.Func
	read = js.FuncOf(func(_ js.Value, args []js.Value) any {
		read.Release()
		var b []byte
		if a := args[1]; a.Truthy() {
			b = toGo(a)
		}
		if name := args[0].String(); name != "" {
			go f(name, b)
		}
		return nil
	})
	call("readChosen", js.Value(event.JSEventTarget()), limit, read)
}

// TakeFiles calls f with files that the visitor chooses or drops, of limit bytes in all at most, as long as the page is
// open.
func TakeFiles(limit int, f func(Files)) {
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		name, data := args[0], args[1]
		files := Files{Dropped: args[2].Bool()}
		for i := range name.Length() {
			file := importer.File{Name: name.Index(i).String()}
			if b := data.Index(i); b.Truthy() {
				file.Data = toGo(b)
			} else if files.Unread == "" {
				files.Unread, files.Large = file.Name, b.IsNull()
			}
			files.Files = append(files.Files, file)
		}
		go f(files)
		return nil
	})
	call("takeFiles", limit, take)
}

// Inflate lets the browser unpack a member of a zip, and waits for it.
func Inflate(packed []byte, size int) ([]byte, error) {
	done := make(chan js.Value)
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { done <- args[0] }()
		return nil
	})
	defer f.Release()
	scripts().Call("inflate", toJS(packed), size, f)
	v := <-done
	if v.IsNull() {
		return nil, importer.ZipDamaged
	}
	return toGo(v), nil
}
