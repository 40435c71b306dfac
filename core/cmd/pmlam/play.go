//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/site"
)

// playRun is one run of the command play.
type playRun struct {
	*cli.App
	open openPage

	source  cli.Source
	address string
	quiet   bool // do not open a browser
	folder  string
	project *siteconfig.Project
	shown   atomic.Pointer[http.Handler] // the site that is served now
}

func playCommand(a *cli.App, open openPage) *cobra.Command {
	r := playRun{App: a, open: open}
	c := &cobra.Command{
		Use:   "play RATINGS [ITEMS] [flags]",
		Short: "Open a page of recommendations from your file, at once",
		Long: "Read ratings, orders or other interactions, and the file with the titles if there is one; train\n" +
			"a quick model; and open its page in the browser. The full training runs in the background,\n" +
			"and the page switches to its model. Nothing is kept: pmlam init, pmlam train and pmlam site make\n" +
			"a site to publish. Ctrl-C ends it.",
		Example: "  pmlam play orders.csv products.csv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usagef("pmlam play takes a file of interactions and, optionally, a file of titles; %d "+
					"arguments were given", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			r.source.Data, r.source.PrintsReading, r.source.Publish.Scope = args[0], true, dataset.Everything
			if len(args) == 2 {
				r.source.Items = args[1]
			}
			return r.run(c.Context())
		},
	}
	g := r.source.Add(cli.NewGroup("Data"))
	r.source.RegisterReading(g)
	page := cli.NewGroup("Page")
	page.StringVar(&r.address, "address", "localhost:0", "host:port to serve the page on; port 0: a free one")
	page.BoolVar(&r.quiet, "no-open", false, "print the address, but do not open a browser")
	page.Placeholder("HOST:PORT", "address")
	cli.AddGroups(c, g, page)
	cli.CompleteSource(c)
	return c
}

// quickSettings train a model of 100,000 interactions in a few seconds.
var quickSettings = []string{"--preset", "composed", "--epochs", "5", "--dim", "32", "--auto=false",
	"--calibrate=false"}

func (r *playRun) run(ctx context.Context) error {
	start := time.Now()
	in, err := readByMinima(&r.source, ctx, r.App)
	if err != nil {
		return err
	}
	r.Printf("%s\n%s: %s\n", cli.ReadingText(in.Read), in.Name, in.Read)
	text, _ := projectFile(&r.source, in)
	if r.project, err = siteconfig.Parse([]byte(text)); err != nil {
		return fmt.Errorf("the settings of the page: %w", err)
	}
	if r.project.Folder, err = os.Getwd(); err != nil {
		return err
	}
	if r.folder, err = os.MkdirTemp("", "pmlam-play-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.folder)
	if err := r.show(ctx, "quick", quickSettings...); err != nil {
		return err
	}
	listener, err := server.Listen(r.address)
	if err != nil {
		return err
	}
	address := "http://" + reachable(r.address, listener) + "/"
	if r.JSON {
		if err := r.PrintJSON(map[string]any{"address": address, "seconds": time.Since(start).Seconds()}); err != nil {
			return err
		}
	}
	r.Printf("The page is at %s after %.0f s (Ctrl-C stops it)\n", address, time.Since(start).Seconds())
	if !r.quiet {
		openBrowser(address)
	}
	ctx, stop := context.WithCancel(ctx)
	trained := make(chan struct{})
	go func() {
		defer close(trained)
		switch err := r.show(ctx, "full"); {
		case err == nil:
			r.Printf("The page shows the full model now. To publish it: pmlam init, pmlam train, pmlam site\n")
		case !errors.Is(err, context.Canceled):
			r.Notef("the page keeps the quick model: %v", err)
		}
	}()
	handler := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { (*r.shown.Load()).ServeHTTP(w, q) })
	err = server.Serve(ctx, listener, handler, server.DefaultLimits, slog.New(slog.DiscardHandler))
	stop()
	<-trained // the training has stopped, or ended
	return err
}

// show trains a model with these settings and serves its site from then on.
func (r *playRun) show(ctx context.Context, name string, settings ...string) error {
	p := *r.project
	p.Train.Model = filepath.Join(r.folder, name+".msgpack")
	p.Site.Out, p.Site.Previous = filepath.Join(r.folder, name), ""
	training := trainCommandOf(r.quietly(), &p)
	training.SetArgs(append([]string{}, settings...)) // nil means the arguments of the process
	training.SilenceErrors, training.SilenceUsage = true, true
	if err := training.ExecuteContext(ctx); err != nil {
		return err
	}
	s := siteRun{App: r.App, open: r.open, of: &p, quality: 0}
	report, out, err := s.build(func(string) bool { return false })
	if err != nil {
		return err
	}
	if err := watched(out, name, report); err != nil {
		return err
	}
	handler, err := siteHandler(out, "/", slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	r.shown.Store(&handler)
	return nil
}

// quietly returns an app for the background training: it shows progress but not the report.
func (r *playRun) quietly() *cli.App {
	a := cli.NewApp(r.Name, &bytes.Buffer{}, r.Err)
	a.In = nil
	return a
}

// watchScript reloads the page when the server has another model. Marks stay: the browser keeps them.
const watchScript = `const model = async () => (await fetch("play.txt", { cache: "no-store" })).text();
const first = await model();
setInterval(() => model().then((now) => now === first || location.reload(), () => {}), 1000);
`

// watched makes the page of a site follow the server's model. The page keeps no copy for use without a network, which
// would show an older model.
func watched(folder, name string, report *site.Report) error {
	for _, f := range report.Files {
		if f.Name == "index.html" || strings.HasSuffix(f.Source, "service-worker.js") {
			for _, suffix := range []string{".br", ".gz"} {
				os.Remove(filepath.Join(folder, f.Name+suffix))
			}
		}
		if strings.HasSuffix(f.Source, "service-worker.js") {
			os.Remove(filepath.Join(folder, f.Name))
		}
	}
	page := filepath.Join(folder, "index.html")
	html, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	html = append(html, "<script type=\"module\" src=\"play.js\"></script>\n"...)
	for file, content := range map[string][]byte{page: html, filepath.Join(folder, "play.js"): []byte(watchScript),
		filepath.Join(folder, "play.txt"): []byte(name)} {
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// openBrowser opens an address in the person's browser. Without one, the printed address is enough.
func openBrowser(address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if c := exec.Command(name, args...); c.Start() == nil {
		go c.Wait()
	}
}
