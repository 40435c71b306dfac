package reproduce

// Figures printed in the paper (Ma et al., "Probabilistic Metric Learning with Adaptive Margin for Top-K
// Recommendation", KDD 2020), for comparison with ours.

// paperStats are the rows of its Table 1.
var paperStats = map[string]struct {
	Users, Items, Interactions int
	Density                    float64 // in percent
}{
	"Books":       {77754, 66963, 2517343, 0.048},
	"Electronics": {40358, 28147, 524906, 0.046},
	"CDs":         {24934, 24634, 478048, 0.079},
	"Comics":      {37633, 39623, 2504498, 0.168},
	"Gowalla":     {64404, 72871, 1237869, 0.034},
}

// pair is Recall@10 and NDCG@10.
type pair struct{ Recall, NDCG float64 }

// paperQuality are the columns of its Table 2, by data set and method.
var paperQuality = map[string]map[string]pair{
	"Books": {
		"BPRMF": {.0553, .0391}, "NCF": {.0568, .0404}, "DeepAE": {.0817, .0590}, "CML": {.0730, .0519},
		"LRML": {.0565, .0383}, "TransCF": {.0754, .0542}, "SML": {.0581, .0415}, "PMLAM": {.0885, .0671},
	},
	"Electronics": {
		"BPRMF": {.0243, .0111}, "NCF": {.0277, .0125}, "DeepAE": {.0253, .0134}, "CML": {.0395, .0178},
		"LRML": {.0299, .0117}, "TransCF": {.0353, .0148}, "SML": {.0279, .0105}, "PMLAM": {.0469, .0234},
	},
	"CDs": {
		"BPRMF": {.0730, .0383}, "NCF": {.0759, .0402}, "DeepAE": {.0736, .0411}, "CML": {.0922, .0502},
		"LRML": {.0822, .0420}, "TransCF": {.0851, .0461}, "SML": {.0793, .0423}, "PMLAM": {.1129, .0619},
	},
	"Comics": {
		"BPRMF": {.1966, .2247}, "NCF": {.2092, .2395}, "DeepAE": {.2324, .2595}, "CML": {.1934, .2239},
		"LRML": {.1795, .1922}, "TransCF": {.1967, .2341}, "SML": {.1713, .1834}, "PMLAM": {.2417, .2753},
	},
	"Gowalla": {
		"BPRMF": {.0888, .0806}, "NCF": {.0895, .0822}, "DeepAE": {.1113, .0944}, "CML": {.0840, .0611},
		"LRML": {.0935, .0670}, "TransCF": {.0824, .0611}, "SML": {.0894, .0823}, "PMLAM": {.1331, .0984},
	},
}

// paperAblation are the rows of its Table 3.
var paperAblation = map[string][8]pair{
	"CDs": {{.0721, .0371}, {.0815, .0434}, {.0777, .0415}, {.0408, .0204}, {.0311, .0158}, {.0856, .0454},
		{.0966, .0526}, {.1129, .0619}},
	"Electronics": {{.0241, .0090}, {.0296, .0110}, {.0338, .0125}, {.0139, .0055}, {.0050, .0018}, {.0365, .0155},
		{.0429, .0189}, {.0469, .0234}},
}

// paperTriplets are the rows of its case study on MovieLens-100K.
var paperTriplets = []struct {
	User               string
	Positive, Negative string // titles; the year tells remakes apart
	Genre              string // printed next to the negative
	Same               bool   // the titles share a genre
	Margin             float64
}{
	{"405", "Scream (1996)", "Four Rooms (1995)", "Thriller", true, 1.2752},
	{"405", "Scream (1996)", "Toy Story (1995)", "Animation", false, 12.8004},
	{"405", "French Kiss (1995)", "Addicted to Love (1997)", "Comedy", true, 2.6448},
	{"405", "French Kiss (1995)", "Batman (1989)", "Action", false, 12.4607},
	{"66", "Air Force One (1997)", "GoldenEye (1995)", "Action", true, 0.3216},
	{"66", "Air Force One (1997)", "Crumb (1994)", "Documentary", false, 5.0010},
	{"66", "The Godfather (1972)", "The Godfather: Part II (1974)", "Crime", true, 0.0067},
	{"66", "The Godfather (1972)", "The Terminator (1984)", "Sci-Fi", false, 3.6335},
}
