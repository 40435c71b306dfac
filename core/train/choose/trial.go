package choose

// State is how a trial ended.
type State string

// The states of a trial.
const (
	Complete State = "complete"
	Stopped  State = "stopped"  // early, as it did worse than most had done by then
	Diverged State = "diverged" // a value became infinite: settings to stay away from
)

// Trial is one training with some of the settings changed, and how good it was.
type Trial struct {
	Number int               `json:"number"` // from 0
	State  State             `json:"state"`
	Values map[string]string `json:"values"` // the settings that were tried, as they stand in a settings file
	// NDCG@10 on the validation part: at the end, at the best epoch, or where it was stopped; 0 where it diverged
	NDCG float64 `json:"ndcg"`
	// that a training with these settings takes: the schedule's length, or the best epoch
	Epochs  int       `json:"epochs"`
	Steps   []float64 `json:"steps"` // NDCG@10 at each look on the way
	Work    float64   `json:"work"`  // positive pairs trained on, times the dimension: what it cost
	Seconds float64   `json:"seconds"`
	// the item-item part, where there is one; NDCG includes it
	Part *Part  `json:"part,omitempty"`
	Note string `json:"note,omitempty"` // what it was for, or why it failed

	// Of Auto's trials: the mean of the users' differences in NDCG@10 to the best settings until then, its standard
	// error, and whether the trial's settings became the best ones.
	Gain  float64 `json:"gain,omitempty"`
	Error float64 `json:"error,omitempty"`
	Taken bool    `json:"taken,omitempty"`

	// the plain method that this is no trial of, but a comparison with: Gain is how far it is ahead of the choice
	Reference string `json:"reference,omitempty"`
}
