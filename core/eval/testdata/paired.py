# Writes paired.json: differences, and SciPy's results for them. python3 paired.py > paired.json
# Written with SciPy 1.17; any since 1.13 gives the same.
import json
import numpy as np
from scipy import stats

r = np.random.default_rng(1)
cases = {
    "two": [0.5, 0.25],
    "eight": r.normal(0.3, 1, 8).round(6),
    "one side": np.abs(r.normal(0, 1, 9)).round(6),
    "twenty": r.normal(0.8, 1, 20).round(6),
    "fifty": r.normal(-0.2, 1, 50).round(6),
    "sixty, ties": (r.integers(-4, 6, 60) / 8),
    "thousand, ties and zeros": (r.integers(-5, 6, 1000) / 10 + np.where(r.random(1000) < 0.1, 0.1, 0)),
    "thousand, far": r.normal(1, 1, 1000).round(6),
}
out = []
for name, d in cases.items():
    d = np.round(np.asarray(d, dtype=float), 6)
    t = stats.ttest_1samp(d, 0)
    rest = d[d != 0]
    exact = len(rest) <= 50
    assert not exact or len(np.unique(np.abs(rest))) == len(rest), name
    w = stats.wilcoxon(rest, alternative="two-sided", method="exact" if exact else "approx", correction=False)
    plus = stats.wilcoxon(rest, alternative="greater", method="approx").statistic
    out.append(dict(name=name, d=d.tolist(), t=float(t.statistic), t_p=float(t.pvalue), w=float(plus), w_p=float(w.pvalue)))
print(json.dumps(out))
