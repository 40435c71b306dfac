package data_test

import (
	"testing"

	"github.com/pmlam/pmlam/ui/internal/uitest"
)

func TestAttribution(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.P.About.Attribution = "A. Line. 2026. Points."
	v.Sees("A. Line. 2026. Points.", "Learned from A line: 3,456 favourites of 12 people among 60 titles.")
	v.Misses("Free as a line")
	v.Does(v.P.Data.ToggleAbout)
	v.Sees("Free as a line", v.P.W.QualityNote, "Recall@10 0.200", "NDCG@10 0.300", "plain Go", "model 0123456789ab")
}

func TestStudioLink(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Misses(v.P.W.MakeOwn)
	v.P.Data.Studio = "studio/"
	v.Sees(v.P.W.MakeOwn)
}
