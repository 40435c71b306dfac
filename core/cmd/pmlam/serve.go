//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/api"
	"github.com/pmlam/pmlam/server/intake"
)

// serveRun is one run of the command serve.
type serveRun struct {
	*cli.App
	address, folder, prefix, log string
	limits                       server.Limits
	model                        string // "": no API
	project                      string // "": no rules
	api                          api.Options
	watch                        time.Duration
}

func serveCommand(a *cli.App) *cobra.Command {
	s := serveRun{App: a}
	c := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve a site folder over HTTP, or recommendations from a model",
		Long: "Serve a site folder over HTTP. The folder is read once at the start: restart to serve a new one.\n" +
			"Without --folder, it is the folder that pmlam.toml names, else site.\n\n" +
			"With --model, answer questions about that model, for catalogues too large or too private to ship:\n" +
			"POST v1/recommend, GET v1/similar/{id}, v1/search, healthz, readyz, metrics. v1/openapi.json describes\n" +
			"them. With --folder too, serve both. SIGHUP reads the model again; requests go on, and a damaged file\n" +
			"changes nothing.\n\n" +
			"The environment variable PORT replaces the port of the default address. Ctrl-C stops the server after\n" +
			"the answers under way.",
		Example: "  pmlam serve\n" +
			"  pmlam serve --model shop.msgpack --project pmlam.toml --allow-origin https://shop.example",
		Args: cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if s.address, err = withPort(s.address, os.Getenv("PORT"), c.Flags().Changed("address")); err != nil {
				return err
			}
			if err := s.check(c.Flags().Changed); err != nil {
				return err
			}
			return s.run(c.Context())
		},
	}
	g := cli.NewGroup("Server")
	g.StringVar(&s.address, "address", "localhost:8080",
		"host:port to listen on; \":8080\" listens on every address of the machine")
	g.StringVar(&s.folder, "folder", "", "the site, as pmlam site writes it; default: the project's, else site")
	g.StringVar(&s.prefix, "prefix", "/", "path of the site on the host, for example /demo/")
	g.StringVar(&s.log, "log", "text", "format of the request log on standard error: text, json or off")
	g.IntVar(&s.limits.Connections, "connections", server.DefaultLimits.Connections,
		"maximum number of connections; a further one closes an idle one, or waits; 0: no limit")
	g.IntVar(&s.limits.PerAddress, "per-address", server.DefaultLimits.PerAddress,
		"maximum number of concurrent requests from one address, then 503; 0: no limit, as behind a proxy")
	g.StringVar(&s.model, "model", "", "a model file to answer questions about")
	g.StringVar(&s.project, "project", "", "a "+siteconfig.Name+" whose rules hold in every answer of the API")
	g.StringArrayVar(&s.api.Origins, "allow-origin", nil,
		"a site whose pages may call the API, such as https://shop.example; may be repeated")
	g.IntVar(&s.api.AtOnce, "at-once", 0, "maximum number of concurrent answers, others wait; 0: one per processor")
	g.DurationVar(&s.api.Wait, "wait", intake.DefaultWait, "how long a question waits for its turn, then 503")
	g.DurationVar(&s.watch, "watch", 0, "how often to look whether the model file has changed; 0: never")
	g.Placeholder("HOST:PORT", "address")
	g.Placeholder("FOLDER", "folder")
	g.Placeholder("PATH", "prefix")
	g.Placeholder("WORD", "log")
	g.Placeholder("N", "connections", "per-address", "at-once")
	g.Placeholder("FILE", "model", "project")
	g.Placeholder("ORIGIN", "allow-origin")
	g.Placeholder("TIME", "wait", "watch")
	cli.AddGroups(c, g)
	return c
}

// check returns an error for flags that contradict each other, and sets the default folder.
func (s *serveRun) check(given func(flag string) bool) (err error) {
	for _, name := range []string{"project", "allow-origin", "at-once", "wait", "watch"} {
		if s.model == "" && given(name) {
			return cli.Usagef("--%s configures the API, which needs --model FILE", name)
		}
	}
	if s.watch < 0 {
		return cli.Usagef("--watch is %v; give a time such as 10s, or 0 for never", s.watch)
	}
	if s.limits.Connections < 0 || s.limits.PerAddress < 0 {
		return cli.Usagef("--connections is %d and --per-address is %d; give numbers from 1, or 0 for no limit",
			s.limits.Connections, s.limits.PerAddress)
	}
	if s.prefix, err = server.CleanPrefix(s.prefix); err != nil {
		return cli.AsUsage(err)
	}
	if s.folder == "" && s.model == "" {
		s.folder = "site"
		p, err := siteconfig.Read(siteconfig.Name)
		switch {
		case err == nil && p.Site.Out != "":
			s.folder = p.Path(p.Site.Out)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// withPort puts PORT into the address unless the address was given by flag.
func withPort(address, port string, given bool) (string, error) {
	if port == "" || given {
		return address, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", fmt.Errorf("PORT is %q, which is not a port; give a number from 1 to 65535, for example PORT=8081",
			brief.Text(port))
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), nil
}

func (s *serveRun) run(ctx context.Context) error {
	log, err := s.logger()
	if err != nil {
		return err
	}
	handler, stop, err := s.handler(ctx, log)
	if err != nil {
		return err
	}
	defer stop()
	listener, err := server.Listen(s.address)
	if err != nil {
		return err
	}
	name := "site"
	if s.folder == "" {
		name = "API"
	}
	s.Printf("The %s is at http://%s%s (Ctrl-C stops it)\n", name, reachable(s.address, listener), s.prefix)
	if err := server.Serve(ctx, listener, handler, s.limits, log); err != nil {
		return err
	}
	s.Printf("Stopped.\n")
	return nil
}

// handler returns the site, the API, or both. stop ends the background work.
func (s *serveRun) handler(ctx context.Context, log *slog.Logger) (h http.Handler, stop func(), err error) {
	h, stop = http.NotFoundHandler(), func() {}
	if s.folder != "" {
		if h, err = siteHandler(s.folder, s.prefix, log); err != nil {
			return nil, nil, err
		}
	}
	if s.model == "" {
		return h, stop, nil
	}
	o := s.api
	o.Prefix, o.Log = s.prefix, log
	if s.project != "" {
		p, err := siteconfig.Read(s.project)
		if err != nil {
			return nil, nil, err
		}
		o.Rules = p.Rules.Rules
	}
	questions, err := api.New(s.model, o)
	if err != nil {
		return nil, nil, err
	}
	return questions.Or(h), keepFresh(ctx, questions, s.watch), nil
}

// siteHandler reads the folder and returns its handler.
func siteHandler(folder, prefix string, log *slog.Logger) (http.Handler, error) {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no folder %s: write the site first with pmlam site, or name another --folder",
			folder)
	} else if err != nil {
		return nil, fmt.Errorf("cannot open the site folder: %w", err)
	}
	defer root.Close() // New reads the whole folder
	handler, err := server.New(root.FS(), server.Options{Prefix: prefix})
	if err != nil {
		return nil, err
	}
	for _, name := range handler.Skipped() {
		log.Warn("not served: neither a file nor a folder", "name", name)
	}
	return handler, nil
}

// keepFresh makes h read its model again on SIGHUP, and checks the file for changes at this interval; 0: never. h
// drains when ctx is done. stop ends both.
func keepFresh(ctx context.Context, h *api.Handler, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, h.Drain)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-hangup:
				_ = h.Reload() // logs its error
			case <-ctx.Done():
				signal.Stop(hangup)
				return
			}
		}
	}()
	if every > 0 {
		go h.Watch(ctx, time.Tick(every))
	}
	return cancel
}

// reachable returns the host and port to type into a browser: the host as given, localhost if that means every address
// of the machine, and the port that the listener has.
func reachable(address string, l net.Listener) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return l.Addr().String()
	}
	return net.JoinHostPort(host, port)
}

func (s *serveRun) logger() (*slog.Logger, error) {
	switch s.log {
	case "text":
		return slog.New(slog.NewTextHandler(s.Err, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(s.Err, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, cli.Usagef("--log is %q; want text, json or off", brief.Text(s.log))
}
