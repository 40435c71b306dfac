package uncertainty

// Report has the results of all studies. A study is nil if it was not made, because the data or the model lack
// something it needs.
type Report struct {
	Dataset string `json:"dataset"`
	Preset  string `json:"preset"`
	Users   int    `json:"users"`  // in the training
	Items   int    `json:"items"`  //
	People  int    `json:"people"` // left out of it, with answers

	Coverage *CoverageReport `json:"coverage,omitempty"`
	Places   *PlacesReport   `json:"places,omitempty"`
	// ways to compute the region, with at least two models
	Candidates  []CandidateReport  `json:"candidates,omitempty"`
	Reliability *ReliabilityReport `json:"reliability,omitempty"`
	Calibrators *CalibratorsReport `json:"calibrators,omitempty"`
	Stability   *StabilityReport   `json:"stability,omitempty"`
	Selective   *SelectiveReport   `json:"selective,omitempty"`
	Sigma       *SigmaReport       `json:"sigma,omitempty"`
	Exploration *ExploreReport     `json:"exploration,omitempty"`
	Questions   *QuestionReport    `json:"questions,omitempty"`
}

// Person is a user left out of the training; items are numbered as in the model. The lists are ascending and disjoint.
type Person struct {
	Likes    []int // rated as liked
	Others   []int // rated, neither liked nor disliked; nil for data without ratings
	Dislikes []int // rated as disliked: at most half of the rating of a like
}
