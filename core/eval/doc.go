// Package eval measures how well a ranking of the catalogue finds a user's held-out items, and tests whether two
// rankings differ by more than chance.
//
// Protocol (paper, "Evaluation Metrics" and the task's definition). For a user u with training items S_u and test items
// T_u, all items outside S_u are ranked by their scores, without sampling; ties go to the lower item index. X_u is that
// ranking, x_1 its best item, and X_{u,k} its first k items (fewer if the catalogue has fewer). Users without test
// items are excluded from every metric, and counted.
//
// With hit(r) = 1 if x_r ∈ T_u and 0 otherwise, per user:
//
//	Recall@k   = Σ_{r≤k} hit(r) / |T_u|
//	NDCG@k     = DCG@k / IDCG@k,  DCG@k = Σ_{r≤k} hit(r) / log₂(r+1),  IDCG@k = Σ_{r≤min(k,|T_u|)} 1 / log₂(r+1)
//	HitRate@k  = 1 if Σ_{r≤k} hit(r) > 0, else 0
//	MRR@k      = 1/r of the first hit if it lies within k, else 0
//	MAP@k      = Σ_{r≤k} hit(r)·P(r) / min(k, |T_u|),  P(r) = Σ_{s≤r} hit(s) / r
//
// and a report holds their means over the users. The paper names Recall and NDCG and leaves the ideal list open: here
// it is cut at min(k, |T|), so that a perfect list scores 1 at every k. MAP's normaliser is min(k, |T|) for the same
// reason. Over all users together:
//
//	Coverage@k       = |∪_u X_{u,k}| / I, the share of the catalogue that is shown to anybody
//	MeanPopularity@k = mean, over all recommended places, of the item's number of training users
//
// Beyond accuracy, over the lists X_{u,k} of the evaluated users; U_i are the training users of item i, U the users
// with any training item, and empty lists do not count:
//
//	Gini@k      = Σ_i (2i − I − 1)·n_i / (I·Σ n), n_i ascending: how often each of the I items is shown. 0: evenly
//	APLT@k      = mean over users of the share of X_{u,k} in the long tail: the ⌊0.8·I⌋ items with the fewest training
//	              users (Abdollahpouri, Burke, Mobasher, RecSys 2017); the head is the other fifth of the catalogue
//	Novelty@k   = mean over users of the mean over X_{u,k} of −log₂(max(|U_i|, 1)/|U|) (Zhou et al., PNAS 2010)
//	Diversity@k = mean over users of the mean distance of the pairs in X_{u,k} (Smyth, McClave, ICCBR 2001)
//
// Of the hits (beyond.hits), with the same weights:
//
//	Unbiased@k    = NDCG@k in which the gain of item i is 1/max(|U_i|, 1): inverse propensity (Yang et al.,
//	                RecSys 2018)
//	TailRecall@k  = recall of the test items in the long tail, over users who have some
//	Information@k = mean over users of the sum over the hits of −log₂(max(|U_i|, 1)/|U|)
//
// MeanPopularity equals ARP if lists are full. Coverage, ARP, Gini and APLT are RecBole's ItemCoverage,
// AveragePopularity, GiniIndex and TailPercentage (tail_ratio 0.8) if every item has a training user, since RecBole
// takes the tail from those. Novelty and Diversity are RecTools' MeanInvUserFreq and IntraListDiversity. Golden values
// of both are in testdata/beyond.json (made by core/lab/bench/beyond.py).
//
// A test item that is also in the user's training row cannot be recommended, so it counts as missed. Report.Overlap is
// the number of such items, and is 0 for an honest split.
//
// The metrics have the same bits for any number of workers: each user's values are written to their own place, and the
// means are computed afterwards in user order, in float64.
//
// Use: Evaluate takes a Scorer (I scores per user) and the two parts of a split (U×I each) and returns a Report, with
// the values of every user in Report.PerUser. W2 is the Scorer of trained Gaussians; a Scorer that is Amended or a
// Lister is ranked faster. Statistics on the users' values: Mean and Bootstrap (95% intervals over users), PairedT and
// Wilcoxon (tests of paired differences), Spearman and Partial (rank correlations). They depend only on the values and
// the seed. Each formula is documented at its function, with its source, and tests compare them with closed forms and
// with SciPy (testdata).
//
// Data flow: dataset makes the splits; pmlam, model files and baseline supply Scorers; the command prints reports, and
// the laboratory compares methods. Not linked into the browser program.
package eval
