package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// serve serves a runner and does not return, if a runner or Beam's boot started this process with args. Otherwise it
// does nothing.
//
// A runner that starts processes passes --provision_endpoint. Beam's boot would then fetch and start a copy of this
// program, leave the copy behind, and not end it when the runner ends boot; so this process asks for the facts and
// becomes the worker itself.
func serve(args []string) error {
	begins := func(prefix string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, prefix) })
	}
	started := begins("--provision_endpoint")
	if !started && !begins("--worker") {
		return nil
	}
	from := flag.String("provision_endpoint", "", "where a runner tells a worker about its job")
	if err := flag.CommandLine.Parse(args); err != nil {
		return err
	}
	if started {
		if err := provide(*from); err != nil {
			return fmt.Errorf("cannot become a worker: %w", err)
		}
	}
	beam.Init()
	return errors.New("the flags do not say --worker") // not reached: beam.Init serves
}

// provide sets Beam's flags and variables of a worker to what the runner at an address says.
func provide(address string) error {
	ctx := grpcx.WriteWorkerID(context.Background(), flag.Lookup("id").Value.String())
	info, err := tools.ProvisionInfo(ctx, address)
	if err != nil {
		return err
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	set := map[string]string{"worker": "true", "options": options,
		"logging_endpoint": info.GetLoggingEndpoint().GetUrl(), "control_endpoint": info.GetControlEndpoint().GetUrl()}
	for name, value := range set {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	os.Setenv("STATUS_ENDPOINT", info.GetStatusEndpoint().GetUrl())
	return os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
}
