package query

import "strings"

// Shape says which parts of a request are used, so a decoder can skip the others.
type Shape struct {
	Fields  map[string]*Shape        // of an object
	Others  *Shape                   // of an object: fields that are not in Fields; nil: Refuse names the error
	Refuse  func(name string) *Error // error for a field in neither
	Entries *Shape                   // of a list
	Item    bool                     // an object is an Item: only its "id" is used
}

// RequestShape covers the fields that Reader.Read and Reader.Rules use.
func RequestShape() *Shape {
	return ShapeOf(options, func(name string) *Error { return noOption("recommend", name, options) })
}

// SimilarShape covers the fields that Reader.ReadSimilar and Reader.Rules use.
func SimilarShape() *Shape {
	return ShapeOf(similarOptions, func(name string) *Error { return noOption("similar", name, similarOptions) })
}

// ShapeOf returns the shape of requests with these options of the package. refuse returns the error for another option.
func ShapeOf(options []string, refuse func(name string) *Error) *Shape {
	plain := &Shape{}
	of := func(what, names string) *Shape {
		s := &Shape{Fields: map[string]*Shape{}, Refuse: func(name string) *Error { return noField(what, name, names) }}
		for name := range strings.SplitSeq(names, ", ") {
			s.Fields[name] = plain
		}
		return s
	}
	ids := &Shape{Entries: &Shape{Item: true}}
	rules := of("rules", ruleFields)
	rules.Fields["excluded"], rules.Fields["pinned"] = ids, ids
	rules.Fields["boost"] = &Shape{Entries: of("rules, boost", boostFields)}
	rules.Fields["atMost"] = of("rules, atMost", atMostFields)
	shapes := map[string]*Shape{
		"likes": ids, "dislikes": ids, "seen": ids, "instead": ids, "recent": ids, "genres": {Entries: plain},
		"where": {Others: plain}, "rules": rules,
	}
	s := &Shape{Fields: map[string]*Shape{}, Refuse: refuse}
	for _, name := range options {
		if s.Fields[name] = shapes[name]; s.Fields[name] == nil {
			s.Fields[name] = plain
		}
	}
	return s
}
