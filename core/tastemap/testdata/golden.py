"""Golden vectors of t-SNE from scikit-learn, an implementation that shares nothing with ours.

    python3 -m venv venv && venv/bin/pip install scikit-learn
    venv/bin/python golden.py > tsne.json

They are the symmetric affinities P of small sets of points, and the divergence and its gradient at some places. The
neighbours are all other points, as scikit-learn's exact method has it.
"""
import json
import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold._t_sne import _joint_probabilities, _kl_divergence

cases = []
for n, width, perplexity, seed in [(12, 3, 3.0, 1), (20, 5, 5.0, 2), (31, 2, 10.0, 3)]:
    r = np.random.RandomState(seed)
    rows = r.randn(n, width).astype(np.float32)
    squares = squareform(pdist(rows.astype(np.float64), "sqeuclidean")).astype(np.float32)
    p = _joint_probabilities(squares, perplexity, 0)
    places = r.randn(n, 2)
    divergence, gradient = _kl_divergence(places.ravel(), p, 1.0, n, 2)
    cases.append({
        "perplexity": perplexity, "width": width, "rows": rows.ravel().tolist(),
        "p": squareform(p).ravel().tolist(), "places": places.ravel().tolist(),
        "divergence": float(divergence), "gradient": gradient.tolist(),
    })
print(json.dumps(cases))
