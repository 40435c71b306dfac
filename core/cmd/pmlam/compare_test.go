package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const logs = repo + "/core/abtest/testdata/logs.jsonl"

// Wrong flags are refused, and unknown names are reported with the known ones.
func TestCompareRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"":                        "takes files or folders of exports",
		logs + " --event bought":  `--event is "bought"; it must be clicked or liked`,
		logs + " --rate visitors": `--rate is "visitors"`,
		logs + " --lift 0":        "--lift is 0",
		logs + " --lift NaN":      "--lift is NaN",
		logs + " --control plain": "name it with --experiment",
		logs + " --variants a,b":  "name it with --experiment",
		logs + " --experiment ranking --variants a":                   `--variants is "a"; it must be two or more different names`,
		logs + " --experiment ranking --variants a,a":                 `--variants is "a,a"; it must be two or more different names`,
		logs + " --experiment ranking --variants plain,a --control b": `--control is "b", which is not among --variants`,
		logs + " --experiment ranking --variants a,plain":             `experiment ranking: unknown variant "a"; choose from plain`,
		logs + " --experiment none":                                   `unknown experiment "none"; choose from ranking`,
		logs + " --list none":                                         `unknown list "none"; choose from foot, product`,
		logs + " --experiment ranking --control none":                 `experiment ranking: unknown variant "none"; choose from genres, plain`,
		"nowhere.json": "nowhere.json",
	} {
		r := command(append([]string{"compare"}, strings.Fields(args)...)...)
		if r.code == 0 || !strings.Contains(r.errors, want) {
			t.Errorf("compare %s: exit code %d, %q; want %q", args, r.code, r.errors, want)
		}
	}
}

// The report carries its cautions, and bad lines do not end it.
func TestCompareCautions(t *testing.T) {
	const export = `{"format":"pmlam-log","version":1,"sessions":[{"day":"2026-11-24","variants":{"x":"V"},"first":0,` +
		`"events":[{"event":"shown","list":"l","items":["1"]},{"event":"clicked","list":"l","item":"C"}]}]}` + "\n"
	const session = `{"day":"2026-11-24","variants":{"x":"b"},"events":[{"event":"shown","list":"l","items":["1"]}]},`
	var b strings.Builder
	add := func(n int, variant, item string) {
		b.WriteString(strings.Repeat(strings.NewReplacer("V", variant, "C", item).Replace(export), n))
	}
	add(90, "a", "1")
	add(20, "a", "gone")
	add(29, "b", "1")
	b.WriteString(strings.NewReplacer("V", "b", `"sessions":[`, `"sessions":[`+strings.Repeat(session, 50)).Replace(export))
	add(9, "b", "gone")
	b.WriteString(strings.Replace(export, `"first":0`, `"first":NaN`, 1))
	add(5, "c", "gone")
	b.WriteString("\x1b[2J\n")
	add(10, "d", "gone")
	add(1, "d", "1")
	add(2, "made\\n up", "1")
	b.WriteString(strings.ReplaceAll(strings.Replace(export, `}]}]}`, `}]},{"day":"2026-11-25","variants":{"x":"b"}}]}`, 1), "V", "a"))
	file := filepath.Join(t.TempDir(), "logs.jsonl")
	write(t, file, b.String())
	said := func(want []string, args ...string) {
		t.Helper()
		out := ok(t, append([]string{"compare", file}, args...)...).out
		for _, want := range want {
			if !strings.Contains(out, want) {
				t.Errorf("%v: without %q:\n%s", args, want, out)
			}
		}
	}
	all := []string{"168 exports of 168 visitors, 2026-11-24 to 2026-11-25", "46 clicks and likes do not count",
		"2 lines are not exports and were left out; the first:\n", "logs.jsonl:150: not JSON: invalid character 'N'",
		`logs.jsonl:156: an export begins with {, not "\x1b[2J"`,
		"have no keys", "2 variants are compared with one", "1 visitor with several variants is not counted", "CAUTION: visitors are",
		"b: one visitor has 57% of the sessions, but counts as one of 39", "CAUTION: one visitor makes up 100% of the rate of d",
		"d: worse than the control"}
	said(append(all, `too few visitors compared with the others: 2 variants, of 7 visitors: "c", "made\n up"`,
		"declare them with --experiment"))
	said([]string{`not among --variants: 3 variants, of 18 visitors: "c", "d", "made\n up"`, "(control)\n  a "},
		"--experiment", "x", "--variants", "b,a")
	o := ok(t, "compare", file, "--json").object(t)
	if figure(t, o, "wrong") != 2 || len(o["first_wrong"].([]any)) != 2 {
		t.Errorf("%v", o)
	}
}
