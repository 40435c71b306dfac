package history

// For the tests outside of the package.
const (
	ManySteps  = manySteps
	DrawnLikes = drawnLikes
)

func (h *State) Line() string   { return h.line() }
func (h *State) TakeBack(k int) { h.takeBack(h.steps(h.Diary())[k]) }

func (h *State) Steps() (texts []string) {
	for _, s := range h.steps(h.Diary()) {
		texts = append(texts, s.text)
	}
	return texts
}
