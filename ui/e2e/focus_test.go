//go:build !js

package e2e

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
)

// focused is role and name of what has the focus; nothing having it is two empty strings.
func (v *visitor) focused() (role, name string) {
	v.Helper()
	if f := see[[]string](v, "visitor.focused()"); len(f) == 2 {
		return f[0], f[1]
	}
	return "", ""
}

// focusOn waits until something has the focus that is as ok says, and fails where the focus is lost for good.
func (v *visitor) focusOn(what string, ok func(role, name string) bool) {
	v.Helper()
	v.wait("the focus on "+what, func() string {
		v.Helper()
		role, name := v.focused()
		if ok(role, name) {
			return ""
		}
		if role == "" && name == "" {
			return "nothing has the focus"
		}
		return fmt.Sprintf("the focus is on the %s %q", role, name)
	})
}

// tabTo presses Tab until the focus is where ok says, and fails where it never gets there.
func (v *visitor) tabTo(what string, ok func(role, name string) bool) {
	v.Helper()
	see[bool](v, `visitor.frames(1).then(() => true)`) // in which the page moves the focus, if it was asked to
	var path []string
	for range 400 {
		role, name := v.focused()
		if ok(role, name) {
			return
		}
		path = append(path, role+" "+name)
		v.keys(tab)
	}
	v.Fatalf("Tab does not lead to %s; it leads over %q", what, path)
}

// is tells what the focus must be on, exactly.
func is(role, name string) func(string, string) bool {
	return func(r, n string) bool { return r == role && n == name }
}

// starts is is by the beginning of the name.
func starts(role, prefix string) func(string, string) bool {
	return func(r, n string) bool { return r == role && strings.HasPrefix(n, prefix) }
}

// retype replaces what stands in the box that has the focus.
func (v *visitor) retype(query string) {
	v.Helper()
	v.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.keys(query)
}

// focusInList waits until the focus is on a button of the list.
func (v *visitor) focusInList(after string) {
	v.Helper()
	until[bool](v, "the focus in the list after "+after, focusInList)
}

const focusInList = `visitor.find("list", "Recommendations")[0].contains(document.activeElement)`
