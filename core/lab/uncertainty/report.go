package uncertainty

// Report holds the results of all studies. A study that was not made, because the data or the model lack what it needs,
// is nil.
type Report struct {
	Dataset string `json:"dataset"`
	Preset  string `json:"preset"`
	Users   int    `json:"users"`  // that the training knew
	Items   int    `json:"items"`  //
	People  int    `json:"people"` // whom it did not, and who answered

	Coverage *CoverageReport `json:"coverage,omitempty"`
	Places   *PlacesReport   `json:"places,omitempty"`
	// ways to compute the region, where there are two models or more
	Candidates  []CandidateReport  `json:"candidates,omitempty"`
	Reliability *ReliabilityReport `json:"reliability,omitempty"`
	Calibrators *CalibratorsReport `json:"calibrators,omitempty"`
	Stability   *StabilityReport   `json:"stability,omitempty"`
	Selective   *SelectiveReport   `json:"selective,omitempty"`
	Sigma       *SigmaReport       `json:"sigma,omitempty"`
	Exploration *ExploreReport     `json:"exploration,omitempty"`
	Questions   *QuestionReport    `json:"questions,omitempty"`
}

// Person is somebody whom the training has not seen; items are numbered as in the model. The lists are ascending and
// disjoint.
type Person struct {
	Likes    []int // rated as liked
	Others   []int // rated, neither liked nor disliked; nil where the data have no ratings
	Dislikes []int // rated as disliked: at most half of what a like takes
}
