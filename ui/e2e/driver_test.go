//go:build !js

package e2e

import (
	"context"
	"path/filepath"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// driver controls a visitor's tab in any engine: Chromium by its DevTools protocol (chromiumDriver), Firefox by
// WebDriver BiDi (firefoxDriver), WebKit by WebDriver (webkitDriver). Tests that need more need Chromium.
type driver interface {
	navigate(address string) error // returns when the page has loaded
	reload() error
	// evaluate returns the expression's value, awaiting promises, as JSON.
	evaluate(expression string) ([]byte, error)
	click(x, y float64) error
	keys(keys string) error
	selectAll() error // by keyboard, at the focus
	paste() error     // likewise
	// choose puts files into the input element given by the expression, like the browser's dialog.
	choose(expression string, files ...string) error
	// downloads returns the folder for the page's downloads from now on.
	downloads() (folder string, err error)
	picture() (png []byte, err error)
}

// chromiumDriver is the tab of a chromedp context.
type chromiumDriver struct {
	ctx context.Context
	persona
}

func (d chromiumDriver) navigate(address string) error {
	return chromedp.Do(d.ctx, chromedp.Navigate(address))
}

func (d chromiumDriver) reload() error { return chromedp.Do(d.ctx, chromedp.Reload()) }

func (d chromiumDriver) evaluate(expression string) ([]byte, error) {
	return chromedp.Run(d.ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
}

func (d chromiumDriver) click(x, y float64) error {
	if d.Phone {
		return chromedp.Do(d.ctx, chromedp.TapXY(x, y))
	}
	return chromedp.Do(d.ctx, chromedp.MouseClickXY(x, y))
}

// keys types like a keyboard, unlike chromedp.KeyEvent: a key press that the page has handled has no default action.
func (d chromiumDriver) keys(keys string) error {
	for _, r := range keys {
		for _, k := range kb.Encode(r) {
			if k.Type == kb.KeyDown {
				k.Type = kb.KeyRawDown
			}
			if _, err := chromedp.Call(d.ctx, input.DispatchKeyEvent, *k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d chromiumDriver) selectAll() error {
	return chromedp.Do(d.ctx, chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

func (d chromiumDriver) paste() error {
	press := input.DispatchKeyEventParams{Type: kb.KeyRawDown, Key: "v", Code: "KeyV", WindowsVirtualKeyCode: 'V',
		Modifiers: int64(chromedp.ModifierCtrl), Commands: []string{"paste"}}
	_, err := chromedp.Call(d.ctx, input.DispatchKeyEvent, press)
	return err
}

func (d chromiumDriver) choose(expression string, files ...string) error {
	found, err := chromedp.Run(d.ctx, chromedp.Evaluate[*runtime.RemoteObject](expression))
	if err != nil {
		return err
	}
	_, err = chromedp.Call(d.ctx, dom.SetFileInputFiles,
		dom.SetFileInputFilesParams{Files: files, ObjectID: found.ObjectID})
	return err
}

func (d chromiumDriver) downloads() (folder string, err error) {
	folder = filepath.Join(d.Profile, "arrived")
	_, err = chromedp.CallBrowser(d.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllow,
		BrowserContextID: chromedp.FromContext(d.ctx).BrowserContextID, DownloadPath: folder,
	})
	return folder, err
}

func (d chromiumDriver) picture() ([]byte, error) {
	return chromedp.Run(d.ctx, chromedp.CaptureScreenshot())
}
