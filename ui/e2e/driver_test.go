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

// driver moves a visitor's tab, whichever engine it is: Chromium by its DevTools protocol (chromiumDriver), Firefox
// by WebDriver BiDi (firefoxDriver), WebKit by WebDriver (webkitDriver). Where a test needs more, it needs Chromium.
type driver interface {
	navigate(address string) error // returns once the page is loaded
	reload() error
	// evaluate returns the JSON of what the expression gives, or of what its promise comes to.
	evaluate(expression string) ([]byte, error)
	click(x, y float64) error
	keys(keys string) error
	selectAll() error // by the keyboard, where the focus is
	paste() error     // likewise, what was copied
	// choose puts files into the input that the expression gives, as the browser's dialogue does.
	choose(expression string, files ...string) error
	// downloads is the folder in which what the page hands over arrives from now on.
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

// keys types as a keyboard does, and not as chromedp.KeyEvent: a key whose press the page has taken for itself writes
// nothing and presses nothing.
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
