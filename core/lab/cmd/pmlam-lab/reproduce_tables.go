package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/lab/reproduce"
)

// tables writes a part's results so far.
func (r *reproduction) tables(part string, all []*reproduce.Data, outcomes []*reproduce.Outcome) error {
	var tables []reproduce.Table
	for _, d := range all {
		before := len(tables)
		var of []*reproduce.Outcome
		for _, o := range outcomes {
			if o.Data == d {
				of = append(of, o)
			}
		}
		switch part {
		case "table2":
			tables = append(tables, reproduce.Table2(of, r.Protocol)...)
		case "table3":
			tables = append(tables, reproduce.Table3(of, r.Protocol))
		case "bounds":
			tables = append(tables, reproduce.BoundsTable(of, r.Protocol))
		case "figure3":
			picture, table, ok := reproduce.Figure3(of)
			if !ok {
				continue
			}
			paths, err := picture.Write(r.out)
			if err != nil {
				return err
			}
			r.files = append(r.files, paths...)
			tables = append(tables, table)
		}
		if err := r.insert(part+" "+d.Key, tables[before:]); err != nil {
			return err
		}
	}
	if part == "table2" {
		methods := make([]reproduce.Method, 0, len(outcomes))
		for _, o := range outcomes {
			if o.Data == all[0] {
				methods = append(methods, *o.Method)
			}
		}
		// The page lists the spaces of all runs' methods; the files list this run's.
		every, err := reproduce.Methods(all[0].Negatives(), r.Protocol)
		if err != nil {
			return err
		}
		if err := r.insert("spaces", []reproduce.Table{reproduce.SpaceTable(every)}); err != nil {
			return err
		}
		paths, err := reproduce.WriteTables(r.out, "spaces", []reproduce.Table{reproduce.SpaceTable(methods)})
		if r.files = append(r.files, paths...); err != nil {
			return err
		}
	}
	if err := r.write(part, tables); err != nil || part == "figure3" {
		return err
	}
	folds := reproduce.FoldsTable(outcomes)
	paths, err := reproduce.WriteTables(r.out, part+"-folds", []reproduce.Table{folds})
	r.files = append(r.files, paths...)
	return err
}

// margins runs table4 on all data with genres.
func (r *reproduction) margins(ctx context.Context, all []*reproduce.Data, amongOthers bool) error {
	timed, cancel := r.timed(ctx)
	defer cancel()
	var tables []reproduce.Table
	var found []*reproduce.Margins
	var failed error
	for _, d := range all {
		of, err := r.marginsOf(timed, d)
		found = append(found, of...)
		switch {
		case err != nil && timed.Err() != nil:
			failed = fmt.Errorf("stopped while learning margins on %s: %w", d.Name, timed.Err())
		case err != nil && (amongOthers || len(all) > 1) && errors.Is(err, reproduce.ErrNoGenres):
			r.Notef("table4: %v", err)
		case err != nil:
			return r.ended(ctx, err, "table4")
		}
		before := len(tables)
		for _, m := range of {
			tables = append(tables, m.Tables()...)
		}
		if len(of) > 0 {
			if err := r.insert("table4 "+d.Key, tables[before:]); err != nil {
				return err
			}
		}
		if failed != nil {
			break
		}
	}
	if len(tables) > 0 {
		if err := r.write("table4", tables); err != nil {
			return err
		}
	}
	if err := r.publishAll(all, nil, found); err != nil {
		return err
	}
	return r.ended(ctx, failed, "table4")
}

// marginsOf learns the margins of the case studies on one data set. If one fails, it returns the others with the error.
func (r *reproduction) marginsOf(ctx context.Context, d *reproduce.Data) (all []*reproduce.Margins, err error) {
	studies, err := reproduce.CaseStudies(d.Negatives(), r.Protocol)
	if err != nil {
		return nil, err
	}
	for i := range studies {
		r.Notef("table4: learning margins %s on %s", studies[i].Title, d.Name)
		m, err := r.study().Table4(ctx, d, &studies[i])
		if err != nil {
			return all, err
		}
		all = append(all, m)
	}
	return all, nil
}

// insert writes tables into the page of --into if the page has a place for them.
func (r *reproduction) insert(name string, tables []reproduce.Table) error {
	if r.into == "" {
		return nil
	}
	_, err := reproduce.Insert(r.into, name, tables)
	return err
}

// write prints tables and writes them to the folder.
func (r *reproduction) write(name string, tables []reproduce.Table) error {
	if len(tables) == 0 {
		return nil
	}
	for i := range tables {
		r.Printf("%s\n", tables[i].Markdown())
	}
	paths, err := reproduce.WriteTables(r.out, name, tables)
	r.files = append(r.files, paths...)
	return err
}
