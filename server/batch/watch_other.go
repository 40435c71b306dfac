//go:build !unix

package batch

// Watch returns run: the used processor time is only read on Unix.
func Watch(run Runner) Runner { return run }

// WatchWorkers does nothing, for the same reason.
func WatchWorkers() error { return nil }
