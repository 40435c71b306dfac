//go:build js && wasm

package ui

import (
	"syscall/js"

	"github.com/pmlam/pmlam/core/importer"
)

// takeFiles has assets/js/page/files.js hand over what the visitor chooses or drops. It is called once, for as long as the
// page is open.
func (p *Page) takeFiles() {
	take := js.FuncOf(func(_ js.Value, args []js.Value) any {
		name, data, dropped := args[0], args[1], args[2].Bool()
		var files []importer.File
		unread, large := "", false
		for i := range name.Length() {
			f := importer.File{Name: name.Index(i).String()}
			if b := data.Index(i); b.Truthy() {
				f.Data = make([]byte, b.Length())
				js.CopyBytesToGo(f.Data, b)
			} else if unread == "" {
				unread, large = f.Name, b.IsNull()
			}
			files = append(files, f)
		}
		go func() {
			p.env.Lock()
			p.filesCame(files, unread, large, dropped)
			p.env.UnlockRender()
		}()
		return nil
	})
	call("takeFiles", importer.MaxBytes, take)
}

// inflate has the browser unpack a member of a zip, and waits for it.
func inflate(packed []byte, size int) ([]byte, error) {
	done := make(chan js.Value)
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { done <- args[0] }()
		return nil
	})
	defer f.Release()
	scripts().Call("inflate", bytesToJS(packed), size, f)
	v := <-done
	if v.IsNull() {
		return nil, importer.ZipDamaged
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b, nil
}
