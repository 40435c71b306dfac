//go:build !js

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

// Limits of a connection. A visitor on a slow line may take minutes for a large model, but does not send requests byte
// by byte.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second
	writeTimeout      = 10 * time.Minute
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 16 << 10
	// ShutdownTimeout is the time that answers in progress have to finish after a stop.
	ShutdownTimeout = 10 * time.Second
)

// PortTakenError reports that the site's port is in use.
type PortTakenError struct {
	Address string
	Port    int
}

func (e *PortTakenError) Error() string {
	other := e.Port + 1
	if other > 65535 {
		other = 8080
	}
	return fmt.Sprintf("Port %d is already in use. Set PORT to another, for example: PORT=%d make run "+
		"(on Linux `ss -ltnp 'sport = :%d'` shows which program has it, on macOS `lsof -i :%d`).", e.Port, other,
		e.Port, e.Port)
}

// Listen opens the address "host:port". If the port is in use, it returns a *PortTakenError.
func Listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		return l, nil
	}
	_, p, splitErr := net.SplitHostPort(address)
	port, numErr := strconv.Atoi(p)
	switch {
	case isTaken(err) && splitErr == nil && numErr == nil:
		return nil, &PortTakenError{address, port}
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this account is not allowed to listen on %s: ports below 1024 usually need more "+
			"rights; set PORT to another, for example: PORT=8080 make run: %w", address, err)
	}
	return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
}

// isTaken recognises "address in use". 10048 is Windows' number for it (WSAEADDRINUSE), which the syscall package does
// not map to EADDRINUSE; no other system has an error with that number.
func isTaken(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.Errno(10048))
}

// Serve answers requests on l with handler until ctx is done, then lets answers in progress finish within
// ShutdownTimeout, and returns nil. It enforces limits and logs each request as [Logged] does. It returns an error if a
// limit is negative, the listener fails or answers had to be interrupted. l is closed.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, limits Limits, log *slog.Logger) error {
	limited, err := newLimiter(l, limits, log)
	if err != nil {
		_ = l.Close()
		return err
	}
	return serve(ctx, newServer(limited, handler, log), limited)
}

// newServer returns the server for the connections that limited accepts.
func newServer(limited *limiter, handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           Logged(limited.guard(handler), log),
		ConnState:         limited.track,
		ConnContext:       limited.withConn,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// net/http's log contains visitors' addresses. Logged logs panics without them.
		ErrorLog: stdlog.New(io.Discard, "", 0),
	}
}

func serve(ctx context.Context, s *http.Server, l net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("the server stopped: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), ShutdownTimeout)
	defer cancel()
	if err := s.Shutdown(grace); err != nil {
		_ = s.Close()
		return fmt.Errorf("some downloads were interrupted after %v: %w", ShutdownTimeout, err)
	}
	return nil
}
