//go:build !(js && wasm)

package browser

import (
	"github.com/vugu/vugu"
	vugujs "github.com/vugu/vugu/js"

	"github.com/pmlam/pmlam/core/importer"
)

// Without a browser there is nothing to colour, focus, paint or wait for.

func Say(string)                            {}
func BeforeRender()                         {}
func AfterRender()                          {}
func Engaged(string) bool                   { return false }
func WatchUndo(func())                      {}
func Focus(string)                          {}
func Money(text, _ string) string           { return text }
func SetTheme(uint8)                        {}
func Theme() (t uint8, known bool)          { return 0, false }
func SetLanguage(tag string) string         { return tag }
func ChosenLanguage() (tag string, _ bool)  { return "", false }
func DocumentLanguage() string              { return "" }
func SetAddress(string)                     {}
func SetTitle(string)                       {}
func WatchAddress(func(fragment string))    {}
func Restart()                              {}
func WatchCopy(func(Copy))                  {}
func AskFigures(func(Figures))              {}
func AskToPersist(func(Figures))            {}
func Forget()                               {}
func TakePicks(func(id string, liked bool)) {}
func TakeShared(func(what, text string))    {}
func DropShared()                           {}
func ShareLink(_, _, _, _, _ string)        {}
func ShareList(_, _, _, _ string)           {}
func Yield()                                {}
func Begin()                                {}
func End()                                  {}
func TurnBegan()                            {}
func NextTurn()                             {}
func Painted()                              {}
func Download(_, _ string, _ []byte)        {}
func TakeFiles(int, func(Files))            {}
func ReadChosen(vugu.DOMEvent, int, func(name string, b []byte)) {
}

// Inflate is nil: package importer unpacks by itself.
var Inflate importer.Inflate

// Map stands for the painted map, which does not exist here.
type Map struct{}

func CanMap() bool                         { return false }
func NewMap(vugujs.Value, MapOptions) *Map { return nil }
func (m *Map) In(vugujs.Value) bool        { return false }
func (m *Map) Release()                    {}
func (m *Map) Update(map[string]any)       {}
func (m *Map) Zoom(float64)                {}
func (m *Map) FullScreen()                 {}
func (m *Map) Home()                       {}
func (m *Map) Picture()                    {}
