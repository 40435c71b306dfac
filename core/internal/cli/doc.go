// Package cli holds the parts that the commands pmlam and pmlam-lab share: reading data by flags, the settings of a
// training as flags, progress bars, questions to a person, JSON output, exit codes and help by groups.
//
// A command makes an App, builds its root with App.NewCommand, and runs it with Execute. Each subcommand registers the
// groups of flags that it needs: Source for data and splits, Settings for a train.Settings, LongRun for checkpoints and
// time limits, Work for workers and the device.
//
// Text of strangers is printed only through the screens that Execute puts around standard output and standard error.
// Not linked into the browser's program.
package cli
