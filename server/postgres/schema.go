package postgres

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/pmlam/pmlam/core/brief"
)

// DefaultSchema is the default schema of a model.
const DefaultSchema = "pmlam"

const (
	// MaxK is the maximum number of items in a question.
	MaxK = 1000
	// candidates is the initial number of items from the index that are ranked by cost.
	candidates = 400
	// maxWidth is the maximum size of a vector in pgvector's index.
	maxWidth = 2000
)

// schemaName matches valid schema names. They are part of function texts, so they must not need quotes.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,39}$`)

func checkSchema(name string) error {
	if !schemaName.MatchString(name) || strings.HasPrefix(name, "pg_") {
		return fmt.Errorf("the schema %q cannot be used: a name has up to 40 of a-z, 0-9 and _, and must not begin "+
			"with a digit or pg_", brief.Text(name))
	}
	return nil
}

//go:embed sql/*.sql
var files embed.FS

var statements = template.Must(template.ParseFS(files, "sql/*.sql"))

// names are the parameters of the statements in sql/.
type names struct {
	Schema           string // of the model
	Vector           string // the schema of pgvector, quoted
	N                int    // the generation
	Width            int    // 2h
	Place            int    // coordinates of a place
	Candidates, MaxK int
	RecentItems      int // recommend.RecentItems
	RecentDecay      float64
}

// statement returns the text of a file in sql/.
func (n *names) statement(file string) string {
	var text strings.Builder
	if err := statements.ExecuteTemplate(&text, file, n); err != nil {
		panic(err) // the templates are part of the program
	}
	return text.String()
}
