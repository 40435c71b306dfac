// Package cli holds the parts that the commands pmlam and pmlam-lab share: flags for data and settings, progress bars,
// questions to the user, JSON output, exit codes and grouped help.
//
// A command makes an App, builds its root with App.NewCommand, and runs it with Execute. Each subcommand registers the
// groups of flags that it needs: Source for data and splits, Settings for a train.Settings, LongRun for checkpoints and
// time limits, Work for workers and the device.
//
// Execute puts screens around standard output and standard error, which escape control characters in text from files.
// The browser's programs do not link this package.
package cli
