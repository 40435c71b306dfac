"""The paper's settings, as the preset `paper` has them, and the training's data and start as epoch.go writes them."""

from pathlib import Path

import numpy as np

DIM, HIDDEN, NEGATIVES, BATCH = 50, 50, 10, 5000
ALPHA = RATE = LAMBDA = 0.001
MIN_STDDEV = 1e-3


def read(folder):
    """The training pairs [n, 2]; the table of rows [μ; s], of users, items and one more (see sampling.Filler); and
    the margin networks of the three tasks."""
    pairs = np.fromfile(Path(folder) / "pairs.i4", "<i4").reshape(-1, 2)
    theta = np.fromfile(Path(folder) / "theta.f4", "<f4").reshape(-1, 2 * DIM)
    theta = np.concatenate([theta, np.full((1, 2 * DIM), 0.1, np.float32)])
    shapes = {"w1": (HIDDEN, 3 * DIM), "b1": (HIDDEN,), "w2": (HIDDEN,), "b2": ()}
    size = HIDDEN * 3 * DIM + HIDDEN + HIDDEN + 1
    phis = []
    for x in np.fromfile(Path(folder) / "phi.f4", "<f4").reshape(3, size):
        parts = np.split(x, np.cumsum([int(np.prod(s)) for s in shapes.values()])[:-1])
        phis.append({name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts)})
    return pairs, theta, phis
