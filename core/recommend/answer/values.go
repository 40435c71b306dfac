package answer

// The Values methods return answers as js.ValueOf takes them, with the names that the fields have in JSON. They are
// written out because reflection would take a hundredth of the embedded program. A test compares them with JSON.

// Values returns the fields by name.
func (i Item) Values() map[string]any {
	columns := map[string]any{}
	for name, value := range i.Columns {
		columns[name] = value
	}
	return named("id", i.ID, "title", i.Title, "year", orNil(i.Year), "genres", Texts(i.Genres), "columns", columns,
		"new", i.New)
}

// Values returns the fields by name.
func (r Reason) Values() map[string]any { return with(r.Item, "share", r.Share) }

// Values returns the fields by name.
func (f Found) Values() map[string]any { return with(f.Item, "score", f.Score) }

// Values returns the fields by name.
func (s Suggestion) Values() map[string]any {
	return with(s.Item, "distance", s.Distance, "match", s.Match, "chance", orNil(s.Chance), "spread", s.Spread,
		"certainty", orNil(s.Certainty), "because", values(s.Because), "general", s.General, "pinned", s.Pinned)
}

// Values returns the fields by name.
func (s Shared) Values() map[string]any {
	return with(s.Item, "pinned", s.Pinned, "each", values(s.Each[:]))
}

// Values returns the fields by name.
func (f FoundTitle) Values() map[string]any {
	return named("id", f.ID, "title", f.Title, "year", orNil(f.Year), "score", f.Score)
}

// Values returns the fields by name.
func (a About) Values() map[string]any {
	metrics := map[string]any{}
	for name, value := range a.Metrics {
		metrics[name] = value
	}
	return named("dataset", a.Dataset, "users", a.Users, "items", a.Items, "positives", a.Positives,
		"trained", a.Trained, "program", a.Program, "preset", a.Preset, "metrics", metrics, "licence", a.Licence,
		"attribution", a.Attribution, "digest", a.Digest, "scan", a.Scan, "order", a.Order, "again", a.Again,
		"columns", Texts(a.Columns), "genres", Texts(a.Genres))
}

type valued interface{ Values() map[string]any }

// ListValues returns a List in the same form.
func ListValues[T valued](items []T, unknown []string) map[string]any {
	return map[string]any{"items": values(items), "unknown": Texts(unknown)}
}

// Texts returns a list of texts as js.ValueOf takes it.
func Texts(all []string) []any {
	out := make([]any, len(all))
	for i, s := range all {
		out[i] = s
	}
	return out
}

func values[T valued](all []T) []any {
	out := make([]any, len(all))
	for i, v := range all {
		out[i] = v.Values()
	}
	return out
}

func orNil[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// named builds a map from names and values in turn. A map literal would double the bytes in the embedded program.
func named(fields ...any) map[string]any { return add(map[string]any{}, fields) }

// with returns the fields of an item and further ones.
func with(i Item, further ...any) map[string]any { return add(i.Values(), further) }

func add(out map[string]any, fields []any) map[string]any {
	for k := 0; k < len(fields); k += 2 {
		out[fields[k].(string)] = fields[k+1]
	}
	return out
}
