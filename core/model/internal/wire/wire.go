// Package wire mirrors the layout of a model file as Go types, from which tinylib/msgp generates the writer.
//
// docs/model-format.md describes every field; this file and that table say the same thing, and a test in package
// model compares the keys with the reader's schema.
//
// Only the writer imports this package. The reader does not use the generated decoder, for two reasons. A generated
// decoder believes the counts it reads, accepts trailing bytes and lets a repeated key overwrite the first one. And
// the msgp run time, once linked, brings encoding/json with it through its init functions: about 130 KB of brotli in
// the browser's program. The tests hold the generated decoder against the reader as a second opinion.
package wire

//go:generate go tool msgp -io=false -tests=false

// The layout holds no msgpack array, and no map with more than 16 keys. (A limit on arrays would bind bin fields too,
// which are as long as the model is large.)

//msgp:limit maps:16

// File is a whole model file. Content must stay last: SHA256 is over the bytes from its first one to the file's end.
type File struct {
	Format  string   `msg:"format"`
	Version uint8    `msg:"version"`
	SHA256  [32]byte `msg:"sha256"`
	Content Content  `msg:"content"`
}

// Content is what the digest covers.
//
// Columns of numbers are bin: the values' bytes in planes, all most significant bytes first, then all second bytes,
// and so on to the least significant. Columns of text are str: each text followed by one NUL.
type Content struct {
	Provenance Provenance `msg:"provenance"`
	Objective  Objective  `msg:"objective"`
	Precision  string     `msg:"precision"`
	Items      Gaussians  `msg:"items"`
	Catalogue  Catalogue  `msg:"catalogue"`
	Plane      *Plane     `msg:"plane"`
	Margins    Margins    `msg:"margins"`
	Users      *Users     `msg:"users"`
	Links      *Links     `msg:"links,omitempty"` // version 2 has it, version 1 not so much as the key

	Calibration *Calibration `msg:"calibration,omitempty"` // version 3 has it
}

// Provenance says where a model comes from.
type Provenance struct {
	Dataset      string `msg:"dataset"`
	Users        uint64 `msg:"users"`
	Interactions uint64 `msg:"interactions"`
	Seed         uint64 `msg:"seed"`
	Preset       string `msg:"preset"`
	Config       string `msg:"config"`
	MetricNames  string `msg:"metricNames"`
	MetricValues []byte `msg:"metricValues"`
	Program      string `msg:"program"`
	Licence      string `msg:"licence"`
	Attribution  string `msg:"attribution"`
}

// Objective is what inference must know of the training.
type Objective struct {
	Loss        string  `msg:"loss"`
	Margin      float32 `msg:"margin"`
	Temperature float32 `msg:"temperature"`
	Free        bool    `msg:"free"`
	Weight      float32 `msg:"weight"`
	Radius      float32 `msg:"radius"`
	LearnRate   float32 `msg:"learnRate"`
}

// Gaussians is a table of n diagonal Gaussians of dimension h, dimension after dimension.
type Gaussians struct {
	N            uint64 `msg:"n"`
	H            uint64 `msg:"h"`
	Mean         []byte `msg:"mean"`
	Stddev       []byte `msg:"stddev"`
	MeanScales   []byte `msg:"meanScales"`
	StddevScales []byte `msg:"stddevScales"`
}

// Catalogue describes the items, column after column.
type Catalogue struct {
	IDs         string `msg:"ids"`
	Titles      string `msg:"titles"`
	Years       []byte `msg:"years"`
	Genres      string `msg:"genres"`
	GenreLists  []byte `msg:"genreLists"`
	Counts      []byte `msg:"counts"`
	ColumnNames string `msg:"columnNames"`
	Columns     string `msg:"columns"`
}

// Plane is the map's plane.
type Plane struct {
	Origin []byte `msg:"origin"`
	Axes   []byte `msg:"axes"`
	Shares []byte `msg:"shares"`
}

// Margins are the margin networks.
type Margins struct {
	UserItem *Network `msg:"userItem"`
	UserUser *Network `msg:"userUser"`
	ItemItem *Network `msg:"itemItem"`
}

// Network is one margin network.
type Network struct {
	Input  string  `msg:"input"`
	Hidden uint64  `msg:"hidden"`
	W1     []byte  `msg:"w1"`
	B1     []byte  `msg:"b1"`
	W2     []byte  `msg:"w2"`
	B2     float32 `msg:"b2"`
}

// Users are the trained users, where a file carries them.
type Users struct {
	IDs       string    `msg:"ids"`
	Gaussians Gaussians `msg:"gaussians"`
}

// Links is the sparse item-item part.
type Links struct {
	Gamma        float32 `msg:"gamma"`
	SourceCounts []byte  `msg:"sourceCounts"`
	Sources      []byte  `msg:"sources"`
	Weights      []byte  `msg:"weights"`
	WeightScales []byte  `msg:"weightScales"`
}

// Calibration is what makes the model's uncertainty true.
type Calibration struct {
	Users     uint64  `msg:"users"`
	Within    []byte  `msg:"within"`
	Strength  float32 `msg:"strength"`
	PlaneMany []byte  `msg:"planeMany"`
	PlaneFew  []byte  `msg:"planeFew"`
	FullMany  []byte  `msg:"fullMany"`
	FullFew   []byte  `msg:"fullFew"`
	Like      *Like   `msg:"like"`
}

// Like is the chance that somebody likes what they rate.
type Like struct {
	Weights    []byte `msg:"weights"`
	Rates      []byte `msg:"rates"`
	Predicted  []byte `msg:"predicted"`
	Observed   []byte `msg:"observed"`
	Statements []byte `msg:"statements"`
}
