package postgres

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/pmlam/pmlam/core/brief"
)

// DefaultSchema is the schema that a model is exported to where no other is named.
const DefaultSchema = "pmlam"

const (
	// MaxK is the most items that a question may ask for.
	MaxK = 1000
	// candidates is how many of the nearest items are ranked by their cost at first.
	candidates = 400
	// maxWidth is the most numbers that pgvector's index takes for a vector.
	maxWidth = 2000
)

// schemaName is what a schema may be called: it stands in the texts of functions, so it must need no quotes.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,39}$`)

func checkSchema(name string) error {
	if !schemaName.MatchString(name) || strings.HasPrefix(name, "pg_") {
		return fmt.Errorf("the schema %q cannot be used: a name has at most 40 of a-z, 0-9 and _, and does not begin "+
			"with a digit or pg_", brief.Text(name))
	}
	return nil
}

//go:embed sql/*.sql
var files embed.FS

var statements = template.Must(template.ParseFS(files, "sql/*.sql"))

// names are what the statements of sql/ are filled in with.
type names struct {
	Schema           string // of the model
	Vector           string // the schema, quoted, that pgvector is installed in
	N                int    // the generation
	Width            int    // 2h
	Candidates, MaxK int
}

// statement returns the text of a file of sql/.
func (n *names) statement(file string) string {
	var text strings.Builder
	if err := statements.ExecuteTemplate(&text, file, n); err != nil {
		panic(err) // the templates are part of the program
	}
	return text.String()
}
