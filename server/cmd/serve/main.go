// Command serve serves a site folder over HTTP, and answers questions about a model: `make run` uses it, and a site
// owner can.
//
//	go run ./server/cmd/serve --folder site --address localhost:8080 --prefix /demo/
//	go run ./server/cmd/serve --model shop.msgpack
//
// It prints the address once it listens, reads the model again on SIGHUP, and stops on SIGINT or SIGTERM after the
// answers under way.
// Exit codes: 0 stopped when asked, 1 a sentence on standard error says what went wrong.
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

// settings are the flags' values.
type settings struct {
	address, folder, prefix, log string
	limits                       server.Limits
	model                        string // "": no API
	project                      string // "": the rules of none
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
			"--model answers questions about that model too, for catalogues that should not be shipped:\n" +
			"POST v1/recommend, GET v1/similar/{id}, v1/search, healthz, readyz, metrics; v1/openapi.json\n" +
			"describes them. A site is served beside them where --folder is given. SIGHUP reads the model\n" +
			"again: requests go on, and a file that is not whole and right changes nothing.\n\n" +
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
					return fmt.Errorf("--%s is about the API, which --model FILE switches on", name)
				}
			}
			if s.watch < 0 {
				return fmt.Errorf("--watch is %v: give a time such as 10s, or 0 for never", s.watch)
			}
			return run(cmd.Context(), s, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&s.address, "address", "localhost:8080",
		"host:port to listen on; \":8080\" listens on every address of the machine")
	f.StringVar(&s.folder, "folder", "site", "the site folder, as make site writes it")
	f.StringVar(&s.prefix, "prefix", "/", "the path the site lives under, for example /demo/")
	f.StringVar(&s.log, "log", "text", "one line for each request on standard error: text, json or off")
	f.IntVar(&s.limits.Connections, "connections", server.DefaultLimits.Connections,
		"connections at once, 0 for no limit; one more closes an idle one, or waits where none is idle")
	f.IntVar(&s.limits.PerAddress, "per-address", server.DefaultLimits.PerAddress,
		"answers at once to one address, then 503; 0 for no limit, as behind a proxy, whose address all visitors have")
	f.StringVar(&s.model, "model", "",
		"a model file to answer questions about; without --folder nothing else is served")
	f.StringVar(&s.project, "project", "",
		"the "+siteconfig.Name+" whose rules hold in every answer of the API")
	f.StringArrayVar(&s.api.Origins, "allow-origin", nil,
		"a site whose pages may ask the API, as https://shop.example; may be given several times")
	f.IntVar(&s.api.AtOnce, "at-once", 0, "questions that are worked on at once, 0 for one a processor; others wait")
	f.DurationVar(&s.api.Wait, "wait", intake.DefaultWait, "how long a question waits for its turn, then 503")
	f.DurationVar(&s.watch, "watch", 0, "look at the model file so often and read it again where it changed; 0: never")
	return c
}

// withPort puts PORT into the address unless the address was given by flag.
func withPort(address, port string, given bool) (string, error) {
	if port == "" || given {
		return address, nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", fmt.Errorf("PORT is %q, which is not a port: give a number from 1 to 65535, for example PORT=8081",
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
		return fmt.Errorf("--connections is %d and --per-address is %d: give a number from 1, or 0 for no limit",
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

// handler returns what answers: the site, the API, or both. stop ends what it does beside that.
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
		return nil, fmt.Errorf("there is no folder %s: build the site first (make site), or name another with --folder",
			s.folder)
	} else if err != nil {
		return nil, fmt.Errorf("cannot open the site folder: %w", err)
	}
	defer folder.Close() // New reads all of it
	handler, err := server.New(folder.FS(), server.Options{Prefix: s.prefix})
	if err != nil {
		return nil, err
	}
	for _, name := range handler.Skipped() {
		log.Warn("not served: neither a file nor a folder", "name", name)
	}
	return handler, nil
}

// reachable is the address to type into a browser: the host as it was asked for, localhost where that was every
// address of the machine, and the port that the listener really has.
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
	return nil, fmt.Errorf("--log is %q: it can be text, json or off", brief.Text(kind))
}
