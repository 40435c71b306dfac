package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/siteconfig"
)

func updateCommand(a *cli.App, open openPage) *cobra.Command {
	r := siteRun{App: a, open: open, out: "site"}
	var list string
	var full bool
	c := &cobra.Command{
		Use:   "update [flags]",
		Short: "Bring a project's model and site up to date, in one step for a daily job",
		Long: "Bring a project's model and site up to date: refresh the model with the data as they are now (train\n" +
			"--refresh; a first model is trained from the beginning), write the site, and list the files to\n" +
			"upload. The list has content first and the page last, so that a visitor never sees half of an update.\n" +
			"Visitors who have been there before download only the difference.",
		Example: "  pmlam update\n  pmlam update --project shop/pmlam.toml --upload-list shop/upload.txt",
		Args:    cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := siteconfig.Read(r.project)
			if err != nil {
				return err
			}
			if p.Train.Model == "" {
				return fmt.Errorf("%s does not name a model; write model = \"model.msgpack\" under [train]", p.File)
			}
			args := []string{"--project", r.project}
			if _, err := os.Stat(p.Path(p.Train.Model)); err == nil && !full {
				args = append(args, "--refresh")
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			training := trainCommand(a)
			training.SetArgs(args)
			training.SilenceErrors, training.SilenceUsage = true, true
			if err := training.ExecuteContext(c.Context()); err != nil {
				return err
			}
			previous := p.Site.Previous != ""
			if !previous {
				r.previous = cmp.Or(p.Path(p.Site.Out), r.out)
			}
			report, out, err := r.build(func(flag string) bool {
				return flag == "project" || flag == "previous" && !previous
			})
			if err != nil {
				return err
			}
			if list != "" {
				if report.Written, err = withEarlier(list, out, report.Written); err == nil {
					err = writeNames(list, report.Written)
				}
				if err != nil {
					return err
				}
			}
			if r.JSON {
				return r.PrintJSON(map[string]any{"out": out, "upload": report.Written, "remove": report.Removed,
					"notes": report.Notes})
			}
			if err := report.Print(r.Out, false); err != nil {
				return err
			}
			r.Printf("%d files of %s to upload, in this order; %d to remove afterwards:\n", len(report.Written), out,
				len(report.Removed))
			for _, name := range report.Written {
				r.Printf("  %s\n", name)
			}
			for _, name := range report.Removed {
				r.Printf("- %s\n", name)
			}
			return nil
		},
	}
	g := cli.NewGroup("Update")
	g.StringVar(&r.project, "project", siteconfig.Name, "project file, which \"pmlam init\" writes")
	g.BoolVar(&full, "full", false, "train from the beginning instead of refreshing")
	g.StringVar(&list, "upload-list", "", "file to write the names of new files to, one a line, in upload order; "+
		"delete it after the upload: names in a list that is still there stay in it")
	g.IntVar(&r.quality, "quality", 11, "of brotli compression, 0 (at once) to 11 (smallest)")
	g.Placeholder("FILE", "project", "upload-list")
	g.Placeholder("N", "quality")
	cli.AddGroups(c, g)
	return c
}

// maxList bounds an earlier upload list, in bytes.
const maxList = 64 << 20

// withEarlier adds the names of an earlier list that is still there, because its upload failed, if the site has them
// still. The page and its service worker stay last.
func withEarlier(list, site string, names []string) ([]string, error) {
	f, _, err := durable.OpenRegular(list)
	if errors.Is(err, fs.ErrNotExist) {
		return names, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the earlier upload list: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxList+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the earlier upload list: %w", err)
	}
	if len(text) > maxList {
		return nil, fmt.Errorf("%s is longer than %d bytes, too long for an upload list; name another file", list,
			maxList)
	}
	var all []string
	for _, name := range strings.Split(string(text), "\n") {
		if !fs.ValidPath(name) || slices.Contains(names, name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(site, filepath.FromSlash(name))); err == nil {
			all = append(all, name)
		}
	}
	all = append(all, names...)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(uploadTurn(a), uploadTurn(b)) })
	return all, nil
}

// uploadTurn is 0 for content, 1 for the page, which refers to content, and 2 for its service worker.
func uploadTurn(name string) int {
	switch {
	case strings.HasPrefix(name, "service-worker."):
		return 2
	case strings.HasPrefix(name, "index.html"):
		return 1
	}
	return 0
}

// writeNames writes names to a file, one a line.
func writeNames(file string, names []string) error {
	return durable.WriteFile(durable.OS, file, func(w io.Writer) error {
		for _, name := range names {
			if _, err := fmt.Fprintln(w, name); err != nil {
				return err
			}
		}
		return nil
	})
}
