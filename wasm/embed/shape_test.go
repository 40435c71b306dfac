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

// fields are those of an answer's type, by their names in JSON, with the types that describe gives them.
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

// ownFields are the fields of a type without those of the Item in it.
func ownFields(of reflect.Type, describe func(reflect.Type) string) map[string]string {
	out := fields(of, describe)
	if _, ok := of.FieldByName("Item"); ok {
		for name := range fields(reflect.TypeFor[shape.Item](), describe) {
			delete(out, name)
		}
	}
	return out
}

// typeScript is how pmlam.d.ts writes a type.
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

// What Go answers is what pmlam.d.ts says: the same fields, with the same types, none of them optional.
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
			t.Errorf("search of pmlam.d.ts does not answer %s", want)
		}
	}
}

// openAPI is how openapi.json writes a type.
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

// schema is what a property of openapi.json says of its type.
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

// What the server answers is what openapi.json says: the same fields, with the same types, all of them required.
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

// differ reports the fields that are not as the struct has them.
func differ(t *testing.T, where string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s.%s is %q, and of the package answer %q", where, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s.%s (%s) is no field of the package answer", where, name, fmt.Sprint(got[name]))
		}
	}
}
