package uncertainty

// Report is all that was measured. A study that was not made, because the data or the model lack what it needs, is nil.
type Report struct {
	Dataset string `json:"dataset"`
	Preset  string `json:"preset"`
	Users   int    `json:"users"`  // that the training knew
	Items   int    `json:"items"`  //
	People  int    `json:"people"` // whom it did not, and who answered

	Coverage *CoverageReport `json:"coverage,omitempty"`
	// scores to make the region, where there are two models or more
	Candidates  []CandidateReport  `json:"candidates,omitempty"`
	Reliability *ReliabilityReport `json:"reliability,omitempty"`
	Stability   *StabilityReport   `json:"stability,omitempty"`
	Selective   *SelectiveReport   `json:"selective,omitempty"`
	Sigma       *SigmaReport       `json:"sigma,omitempty"`
	Exploration *ExploreReport     `json:"exploration,omitempty"`
	Questions   *QuestionReport    `json:"questions,omitempty"`
}

// Person is somebody whom the training has not seen, by the model's numbers of items. The lists ascend and share
// nothing.
type Person struct {
	Likes    []int // rated as liked
	Others   []int // rated, neither liked nor disliked; nil where the data have no ratings
	Dislikes []int // rated as disliked: at most half of what a like takes
}
