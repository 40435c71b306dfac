// Command serve serves a site folder over HTTP and answers questions about a model. `make run` uses it, and site owners
// can.
//
//	go run ./server/cmd/serve --folder site --address localhost:8080 --prefix /demo/
//	go run ./server/cmd/serve --model shop.msgpack
//
// It prints the address once it listens, reloads the model on SIGHUP, and stops on SIGINT or SIGTERM after finishing
// answers in progress.
// Exit codes: 0 after a normal stop, 1 with an error on standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/api"
	"github.com/pmlam/pmlam/server/intake"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if err := command(os.Getenv).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, brief.Message(err.Error()))
		os.Exit(1)
	}
}

// settings holds the flags' values.
type settings struct {
	address, folder, prefix, log string
	limits                       server.Limits
	model                        string // "" for no API
	project                      string // "" for no rules
	api                          api.Options
	watch                        time.Duration
}

func command(getenv func(string) string) *cobra.Command {
	var s settings
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a site folder over HTTP, and recommendations from a model",
		Long: "Serve a site folder over HTTP.\n\n" +
			"The folder is read once, at the start: restart to serve a new build.\n\n" +
			"With --model it also answers questions about a model, for catalogues that should not be sent\n" +
			"to browsers: POST v1/recommend, GET v1/similar/{id}, v1/search, healthz, readyz, metrics;\n" +
			"v1/openapi.json describes them. With --folder it serves a site too. SIGHUP reloads the model:\n" +
			"requests continue, and an invalid file changes nothing.\n\n" +
			"The environment variable PORT replaces the port of --address.",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			address, err := withPort(s.address, getenv("PORT"), cmd.Flags().Changed("address"))
			if err != nil {
				return err
			}
			s.address = address
			if s.model != "" && !cmd.Flags().Changed("folder") {
				s.folder = ""
			}
			for _, name := range []string{"project", "allow-origin", "at-once", "wait", "watch"} {
				if s.model == "" && cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s needs the API: add --model FILE", name)
				}
			}
			if s.watch < 0 {
				return fmt.Errorf("--watch is %v: set a time such as 10s, or 0 for never", s.watch)
			}
			return run(cmd.Context(), s, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&s.address, "address", "localhost:8080",
		"host:port to listen on; \":8080\" means all addresses of the machine")
	f.StringVar(&s.folder, "folder", "site", "the site folder, as make site writes it")
	f.StringVar(&s.prefix, "prefix", "/", "the path of the site, for example /demo/")
	f.StringVar(&s.log, "log", "text", "one line for each request on standard error: text, json or off")
	f.IntVar(&s.limits.Connections, "connections", server.DefaultLimits.Connections,
		"maximum of open connections, 0 for no limit; another one closes an idle one, or waits if none is idle")
	f.IntVar(&s.limits.PerAddress, "per-address", server.DefaultLimits.PerAddress,
		"maximum of concurrent answers to one address, then 503; 0 for no limit, as needed behind a proxy")
	f.StringVar(&s.model, "model", "",
		"a model file to answer questions about; add --folder to also serve a site")
	f.StringVar(&s.project, "project", "",
		"the "+siteconfig.Name+"  whose rules apply to every answer of the API")
	f.StringArrayVar(&s.api.Origins, "allow-origin", nil,
		"a site whose pages may use the API, such as https://shop.example; repeatable")
	f.IntVar(&s.api.AtOnce, "at-once", 0, "questions computed in parallel, 0 for one per processor; others wait")
	f.DurationVar(&s.api.Wait, "wait", intake.DefaultWait, "maximum wait of a question, then 503")
	f.DurationVar(&s.watch, "watch", 0, "interval of checking the model file for changes; 0 for never")
	return c
}

// withPort puts PORT into the address unless the address was set by flag.
func withPort(address, port string, given bool) (string, error) {
	if port == "" || given {
		return address, nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", fmt.Errorf("PORT is %q, which is not a port: set a number from 1 to 65535, for example PORT=8081",
			brief.Text(port))
	} else {
		port = strconv.FormatUint(n, 10)
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(host, port), nil
}

func run(ctx context.Context, s settings, out, errOut io.Writer) error {
	if s.limits.Connections < 0 || s.limits.PerAddress < 0 {
		return fmt.Errorf("--connections is %d and --per-address is %d: set a number from 1, or 0 for no limit",
			s.limits.Connections, s.limits.PerAddress)
	}
	log, err := logger(s.log, errOut)
	if err != nil {
		return err
	}
	if s.prefix, err = server.CleanPrefix(s.prefix); err != nil {
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
	what := "site"
	if s.folder == "" {
		what = "API"
	}
	fmt.Fprintf(out, "The %s is at http://%s%s (Ctrl-C stops it)\n", what, reachable(s.address, listener), s.prefix)
	if err := server.Serve(ctx, listener, handler, s.limits, log); err != nil {
		return err
	}
	fmt.Fprintln(out, "Stopped.")
	return nil
}

// handler returns the handler of the site, the API, or both. stop ends its background work.
func (s settings) handler(ctx context.Context, log *slog.Logger) (h http.Handler, stop func(), err error) {
	h, stop = http.NotFoundHandler(), func() {}
	if s.folder != "" {
		if h, err = s.site(log); err != nil {
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
		o.Rules = p.Rules
	}
	questions, err := api.New(s.model, o)
	if err != nil {
		return nil, nil, err
	}
	return questions.Or(h), keepFresh(ctx, questions, s.watch), nil
}

// site returns the handler of the folder.
func (s settings) site(log *slog.Logger) (http.Handler, error) {
	folder, err := os.OpenRoot(s.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder %s does not exist: build the site first (make site), or set --folder",
			s.folder)
	} else if err != nil {
		return nil, fmt.Errorf("cannot open the site folder: %w", err)
	}
	defer folder.Close() // New has read all of it
	handler, err := server.New(folder.FS(), server.Options{Prefix: s.prefix})
	if err != nil {
		return nil, err
	}
	for _, name := range handler.Skipped() {
		log.Warn("not served: neither a file nor a folder", "name", name)
	}
	return handler, nil
}

// reachable returns an address to open in a browser: the configured host, or localhost for all addresses of the
// machine, with the listener's actual port.
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

func logger(kind string, w io.Writer) (*slog.Logger, error) {
	switch kind {
	case "text":
		return slog.New(slog.NewTextHandler(w, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, fmt.Errorf("--log is %q: it must be text, json or off", brief.Text(kind))
}
