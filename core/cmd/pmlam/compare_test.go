package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const logs = repo + "/core/experiment/testdata/logs.jsonl"

// What cannot be asked is refused, and what the exports do not have is named with what they have.
func TestCompareRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"":                          "takes files or folders of exports",
		logs + " --event bought":    `--event is "bought"; it must be clicked or liked`,
		logs + " --rate visitors":   `--rate is "visitors"`,
		logs + " --lift 0":          "--lift is 0",
		logs + " --lift NaN":        "--lift is NaN",
		logs + " --control plain":   "say which with --experiment",
		logs + " --experiment none": `there is no experiment "none"; there is ranking`,
		logs + " --list none":       `there is no list "none"; there is foot, product`,
		logs + " --experiment ranking --control none": `experiment ranking: there is no variant "none"; there is genres, plain`,
		"nowhere.json": "nowhere.json",
	} {
		r := command(append([]string{"compare"}, strings.Fields(args)...)...)
		if r.code == 0 || !strings.Contains(r.errors, want) {
			t.Errorf("compare %s: exit code %d, %q; want %q", args, r.code, r.errors, want)
		}
	}
}

// What a reader has to know of the exports is said.
func TestCompareCautions(t *testing.T) {
	const export = `{"format":"pmlam-log","version":1,"sessions":[{"day":"2026-11-24","variants":{"x":"V"},"first":0,` +
		`"events":[{"event":"shown","list":"l","items":["1"]},{"event":"clicked","list":"l","item":"C"}]}]}` + "\n"
	var b strings.Builder
	add := func(n int, variant, item string) {
		b.WriteString(strings.Repeat(strings.NewReplacer("V", variant, "C", item).Replace(export), n))
	}
	add(90, "a", "1")
	add(20, "a", "gone")
	add(30, "b", "1")
	add(9, "b", "gone")
	add(5, "c", "gone")
	b.WriteString(strings.ReplaceAll(strings.Replace(export, `}]}]}`, `}]},{"day":"2026-11-25","variants":{"x":"b"}}]}`, 1), "V", "a"))
	file := filepath.Join(t.TempDir(), "logs.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out := ok(t, "compare", file).out
	for _, want := range []string{"155 exports of 155 visitors, 2026-11-24 to 2026-11-25", "35 clicks and likes do not count",
		"without keys", "2 variants are compared with one", "1 visitors had several variants", "CAUTION",
		"c: worse than the control"} {
		if !strings.Contains(out, want) {
			t.Errorf("without %q:\n%s", want, out)
		}
	}
}
