//go:build !(js && wasm)

package ui

import "github.com/vugu/vugu"

func (p *Page) figures()                                {}
func (p *Page) persist()                                {}
func forget()                                           {}
func download(name, kind string, b []byte)              {}
func chosen(vugu.DOMEvent, func(name string, b []byte)) {}

func shownTheme() (t uint8, known bool) { return 0, false }
