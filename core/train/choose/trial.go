package choose

// State is the outcome of a trial.
type State string

const (
	Complete State = "complete"
	Stopped  State = "stopped"  // early, since it did worse than most others at that point
	Diverged State = "diverged" // a value became infinite, so the settings are to be avoided
)

// Trial is one training with some of the settings changed, and its quality.
type Trial struct {
	Number int               `json:"number"` // from 0
	State  State             `json:"state"`
	Values map[string]string `json:"values"` // the changed settings, as in a settings file
	// NDCG@10 on the validation part: at the end, at the best epoch, or where it was stopped; 0 if it diverged
	NDCG float64 `json:"ndcg"`
	// epochs of a training with these settings: the schedule's length, or the best epoch
	Epochs  int       `json:"epochs"`
	Steps   []float64 `json:"steps"` // NDCG@10 at each validation
	Work    float64   `json:"work"`  // cost: positive pairs trained on, times the dimension
	Seconds float64   `json:"seconds"`
	// the item-item part, if there is one; NDCG includes it
	Part *Part  `json:"part,omitempty"`
	Note string `json:"note,omitempty"` // its purpose, or why it failed

	// Of Auto's trials: the mean difference of the users' NDCG@10 from the best settings so far, its standard error,
	// and whether this trial's settings became the best ones.
	Gain  float64 `json:"gain,omitempty"`
	Error float64 `json:"error,omitempty"`
	Taken bool    `json:"taken,omitempty"`
}
