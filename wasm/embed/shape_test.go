package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	shape "github.com/pmlam/pmlam/core/recommend/answer"
)

// fields returns the JSON names of a struct's fields with their types, as described by describe.
func fields(of reflect.Type, describe func(reflect.Type) string) map[string]string {
	out := map[string]string{}
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous {
			for name, kind := range fields(f.Type, describe) {
				out[name] = kind
			}
			continue
		}
		out[f.Tag.Get("json")] = describe(f.Type)
	}
	return out
}

// ownFields returns the fields of a struct except an embedded Item's.
func ownFields(of reflect.Type, describe func(reflect.Type) string) map[string]string {
	out := fields(of, describe)
	if _, ok := of.FieldByName("Item"); ok {
		for name := range fields(reflect.TypeFor[shape.Item](), describe) {
			delete(out, name)
		}
	}
	return out
}

// typeScript returns a type as written in pmlam.d.ts.
func typeScript(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		return typeScript(of.Elem()) + " | null"
	case reflect.Slice:
		if element := typeScript(of.Elem()); strings.Contains(element, " ") {
			return "(" + element + ")[]"
		} else {
			return element + "[]"
		}
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat(typeScript(of.Elem())+", ", of.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + typeScript(of.Elem()) + ">"
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Struct:
		if slices.Contains([]string{"Item", "Suggestion", "Shared", "About"}, of.Name()) {
			return of.Name()
		}
		var own []string
		for name, kind := range ownFields(of, typeScript) {
			own = append(own, name+": "+kind)
		}
		if of.NumField() > 2 { // in the order of the struct
			own = nil
			for i := range of.NumField() {
				own = append(own, of.Field(i).Tag.Get("json")+": "+typeScript(of.Field(i).Type))
			}
			return "{ " + strings.Join(own, "; ") + "; }"
		}
		return "Item & { " + strings.Join(own, "; ") + " }"
	}
	panic(of.String())
}

var (
	comments = regexp.MustCompile(`(?s)/\*\*.*?\*/`)
	literals = regexp.MustCompile(`"[a-z ]+"( \| "[a-z ]+")*`)
	spaces   = regexp.MustCompile(`\s+`)
	member   = regexp.MustCompile(`(?m)^  (\w+\??): (.*);$`)
)

// pmlam.d.ts has the fields and types of Go's answers, none of them optional.
func TestTypesOfAnswers(t *testing.T) {
	file, err := os.ReadFile("package/pmlam.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	text := literals.ReplaceAllString(comments.ReplaceAllString(string(file), ""), "string")
	for head, of := range map[string]reflect.Type{
		"Item": reflect.TypeFor[shape.Item](), "Suggestion extends Item": reflect.TypeFor[shape.Suggestion](),
		"Shared extends Item": reflect.TypeFor[shape.Shared](), "About": reflect.TypeFor[shape.About](),
		"Answer<T>": reflect.TypeFor[shape.List[shape.Item]](),
	} {
		_, after, ok := strings.Cut(text, "export interface "+head+" {\n")
		body, _, _ := strings.Cut(after, "\n}")
		if !ok {
			t.Errorf("pmlam.d.ts has no interface %s", head)
			continue
		}
		got := map[string]string{}
		for _, m := range member.FindAllStringSubmatch(body+"\n", -1) {
			got[m[1]] = m[2]
		}
		want := ownFields(of, typeScript)
		if head == "Answer<T>" {
			want["items"] = "T[]"
		}
		differ(t, "pmlam.d.ts: "+head, got, want)
	}
	flat := spaces.ReplaceAllString(text, " ")
	for _, found := range []reflect.Type{reflect.TypeFor[shape.Found](), reflect.TypeFor[shape.FoundTitle]()} {
		if want := "Answer<" + typeScript(found) + ">"; !strings.Contains(flat, want) {
			t.Errorf("pmlam.d.ts: no search returns %s", want)
		}
	}
}

// openAPI returns a type as written in openapi.json.
func openAPI(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		return strings.Replace(openAPI(of.Elem()), `"`, `["`, 1) + `,"null"]`
	case reflect.Slice:
		return "array of " + openAPI(of.Elem())
	case reflect.Map:
		return "object of " + openAPI(of.Elem())
	case reflect.Int:
		return `"integer"`
	case reflect.Float64:
		return `"number"`
	case reflect.Bool:
		return `"boolean"`
	case reflect.String:
		return `"string"`
	}
	return of.Name()
}

// schema is the type of a property in openapi.json.
type schema struct {
	Type                 json.RawMessage
	Ref                  string `json:"$ref"`
	Items                *schema
	AdditionalProperties json.RawMessage
	Properties           map[string]schema
	Required             []string
}

func (s *schema) String() string {
	kind := spaces.ReplaceAllString(string(s.Type), "")
	switch name := strings.TrimPrefix(s.Ref, "#/components/schemas/"); {
	case name == "Digest":
		return `"string"`
	case name != "":
		return name
	case kind == `"array"`:
		return "array of " + s.Items.String()
	case kind == `"object"`:
		var of schema
		if json.Unmarshal(s.AdditionalProperties, &of) != nil {
			return "object"
		}
		return "object of " + of.String()
	}
	return kind
}

// openapi.json has the fields and types of the server's answers, and all are required.
func TestSchemasOfAnswers(t *testing.T) {
	file, err := os.ReadFile("../../server/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(file, &document); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]reflect.Type{
		"Suggestion": reflect.TypeFor[shape.Suggestion](), "Reason": reflect.TypeFor[shape.Reason](),
		"Found": reflect.TypeFor[shape.Found](), "Finds": reflect.TypeFor[shape.Finds](),
		"Suggestions": reflect.TypeFor[shape.Served[shape.Suggestion]](),
	} {
		s := document.Components.Schemas[name]
		got := map[string]string{}
		for property, p := range s.Properties {
			got[property] = p.String()
			if !slices.Contains(s.Required, property) {
				got[property] += ", optional"
			}
		}
		differ(t, "openapi.json: "+name, got, fields(of, openAPI))
	}
}

// differ reports fields whose types differ from the struct's.
func differ(t *testing.T, where string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s.%s is %q, but %q in package answer", where, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s.%s (%s) is not a field in package answer", where, name, fmt.Sprint(got[name]))
		}
	}
}
