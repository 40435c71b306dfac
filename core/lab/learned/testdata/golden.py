"""Golden vectors for core/lab/learned, by automatic differentiation.

Run:

    pip install torch==2.15.0 numpy
    python golden.py            # writes golden.json beside this script
    python golden.py --check    # writes nothing; fails if the file differs by more than 1e-12

Every loss is written down as its paper has it, sample by sample, in float64, and differentiated by PyTorch; LightGCN's
adjacency is a dense matrix here, DeepAE's rows are dense. None of the closed forms of the Go code appears, so agreement
means something. Random values are multiples of 2⁻¹², which float32 holds exactly; no argument of a hinge lies within
1e-3 of zero.

golden.json: `train` (the items of each user), `items`, and `cases`: `method`, `dim`, `own` (its settings), `params`
(name → rows), `samples` (user, positive, negatives; −1 and [] for whole users), `loss`, `gradients` (name → rows),
`scores` (of the first user).
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import softplus

torch.set_default_dtype(torch.float64)

USERS, ITEMS, DIM = 5, 8, 3
TRAIN = [[0, 1, 4], [1, 2, 5, 7], [0, 3], [2, 4, 6], [3, 5, 6, 7]]
SAMPLES = [(0, 1, [2, 6]), (1, 5, [0, 3]), (3, 2, [0, 0]), (0, 4, [7, 3]), (4, 7, [1, 2])]


def has():
    r = torch.zeros(USERS, ITEMS)
    for u, row in enumerate(TRAIN):
        r[u, row] = 1
    return r


def squared(x):
    return (x * x).sum(-1)


def hinge(x, near=1e-3):
    assert abs(x.item()) > near, "a hinge is at its turn: take another seed"
    return torch.clamp(x, min=0)


def bprmf(p, own):
    loss = 0
    for u, i, negatives in SAMPLES:
        w, a = p["users"][u], p["items"][i]
        for q in negatives:
            b = p["items"][q]
            norms = squared(w) + squared(a) + squared(b)
            loss = loss - torch.log(torch.sigmoid(w @ a - w @ b)) + own["regularizer"] / 2 * norms
    triplets = sum(len(negatives) for _, _, negatives in SAMPLES)
    loss = loss + triplets * own["whole"] / 2 * sum(squared(x).sum() for x in p.values())
    return loss, p["users"][0] @ p["items"].T


def ncf(p, own):
    def score(u, i):
        h = torch.cat([p["users.mlp"][u], p["items.mlp"][i]])
        h = torch.relu(h @ p["first.W"] + p["first.b"][0])
        h = torch.relu(h @ p["second.W"] + p["second.b"][0])
        return (torch.cat([p["users"][u] * p["items"][i], h]) @ p["out.W"] + p["out.b"][0])[0]

    loss = 0
    for u, i, negatives in SAMPLES:
        loss = loss - torch.log(torch.sigmoid(score(u, i)))
        for q in negatives:
            loss = loss - torch.log(1 - torch.sigmoid(score(u, q)))
    return loss, torch.stack([score(0, i) for i in range(ITEMS)])


def deepae(p, own):
    def rows(r):
        z = torch.tanh(r @ p["first.W"])
        z = torch.tanh(z @ p["second.W"] + p["second.b"])
        z = torch.tanh(z @ p["third.W"] + p["third.b"])
        return z @ p["last.W"] + p["last.b"]

    users = [0, 3, 4]
    r = has()[users]
    weight = torch.where(r > 0, own["positives"], 1.0)
    loss = (weight * (r - torch.sigmoid(rows(r))) ** 2).sum()
    loss = loss + len(users) * own["regularizer"] / 2 * sum((x * x).sum() for x in p.values())
    return loss, rows(has()[:1])[0], [(u, -1, []) for u in users]


def lightgcn(p, own):
    r = has()
    n = USERS + ITEMS
    a = torch.zeros(n, n)
    a[:USERS, USERS:], a[USERS:, :USERS] = r, r.T
    d = torch.diag(a.sum(1) ** -0.5)
    a = d @ a @ d
    e = torch.cat([p["users"], p["items"]])
    layers = [e]
    for _ in range(int(own["layers"])):
        layers.append(a @ layers[-1])
    out = torch.stack(layers).mean(0)
    users, items = out[:USERS], out[USERS:]
    loss = 0
    for u, i, negatives in SAMPLES:
        for q in negatives:
            loss = loss + softplus(users[u] @ items[q] - users[u] @ items[i])
            for row in (p["users"][u], p["items"][i], p["items"][q]):
                loss = loss + own["regularizer"] / 2 * squared(row)
    return loss, users[0] @ items.T


def simplex(p, own):
    r = has()
    h = p["users"]
    if own["gamma"] < 1:
        h = own["gamma"] * h + (1 - own["gamma"]) * (r @ p["items"] / r.sum(1, keepdim=True)) @ p["V"].T
        h = h / squared(h).sqrt()[:, None]
    loss = 0
    for u, i, negatives in SAMPLES:
        above = sum(hinge(h[u] @ p["items"][q] - own["margin"]) for q in negatives)
        loss = loss + hinge(1 - h[u] @ p["items"][i]) + own["weight"] / len(negatives) * above
    return loss, h[0] @ p["items"].T


def bsl(p, own):
    def logits(u, items):
        return torch.stack([p["users"][u] @ p["items"][i] for i in items]) / own["temperature"]

    loss = 0
    for u, _, negatives in SAMPLES:
        positives = [i for v, i, _ in SAMPLES if v == u]
        loss = loss - torch.log(torch.exp(logits(u, positives)).mean())
        loss = loss + own["power"] * torch.log(torch.exp(logits(u, negatives)).mean())
    return loss, p["users"][0] @ p["items"].T


def cml(p, own):
    loss = 0
    for u, i, negatives in SAMPLES:
        x = p["users"][u]
        near = squared(x - p["items"][i])
        far = torch.stack([squared(x - p["items"][q]) for q in negatives])
        m = sum(1 for f in far if own["margin"] + near - f > 0)
        loss = loss + np.log1p(ITEMS * m / len(negatives)) * hinge(own["margin"] + near - far.min())
    points = torch.stack([p["users"][u] for u, _, _ in SAMPLES] + [p["items"][i] for _, i, _ in SAMPLES])
    c = points - points.mean(0)
    c = c.T @ c / len(points)
    loss = loss + own["covariance"] / 2 * ((c * c).sum() - (torch.diag(c) ** 2).sum())
    return loss, -squared(p["users"][0] - p["items"])


def lrml(p, own):
    def relation(x, y):
        return torch.softmax(p["keys"] @ (x * y), 0) @ p["slots"]

    loss = 0
    for u, i, negatives in SAMPLES:
        x, y = p["users"][u], p["items"][i]
        r = relation(x, y)
        for q in negatives:
            loss = loss + hinge(own["margin"] + squared(x + r - y) - squared(x + r - p["items"][q]))
    x = p["users"][0]
    return loss, torch.stack([-squared(x + relation(x, y) - y) for y in p["items"]])


def transcf(p, own):
    r = has()
    of_user = r @ p["items"] / r.sum(1, keepdim=True)
    of_item = r.T @ p["users"] / r.sum(0)[:, None]

    def apart(u, i):
        return squared(p["users"][u] + of_user[u] * of_item[i] - p["items"][i])

    loss = 0
    for u, i, negatives in SAMPLES:
        for q in negatives:
            loss = loss + hinge(own["margin"] + apart(u, i) - apart(u, q))
        loss = loss + own["distance"] * apart(u, i)
        loss = loss + own["neighbours"] * (squared(p["users"][u] - of_user[u]) + squared(p["items"][i] - of_item[i]))
    return loss, torch.stack([-apart(0, i) for i in range(ITEMS)])


def sml(p, own):
    loss = 0
    for u, i, negatives in SAMPLES:
        x, y = p["users"][u], p["items"][i]
        for q in negatives:
            z = p["items"][q]
            loss = loss + hinge(squared(x - y) - squared(x - z) + p["users.margin"][u, 0])
            loss = loss + own["item"] * hinge(squared(x - y) - squared(y - z) + p["items.margin"][i, 0])
        loss = loss - own["margins"] * (p["users.margin"][u, 0] + p["items.margin"][i, 0])
    return loss, -squared(p["users"][0] - p["items"])


EMBEDDINGS = {"users": (USERS, DIM), "items": (ITEMS, DIM)}
CASES = [
    (bprmf, {"regularizer": 0.25, "whole": 0}, EMBEDDINGS),
    (ncf, {}, EMBEDDINGS | {
        "users.mlp": (USERS, DIM), "items.mlp": (ITEMS, DIM), "first.W": (2 * DIM, DIM), "first.b": (1, DIM),
        "second.W": (DIM, 1), "second.b": (1, 1), "out.W": (DIM + 1, 1), "out.b": (1, 1)}),
    (deepae, {"outer": 4, "positives": 10, "dropout": 0, "regularizer": 0.125}, {
        "first.W": (ITEMS, 4), "second.W": (4, DIM), "second.b": (1, DIM), "third.W": (DIM, 4), "third.b": (1, 4),
        "last.W": (4, ITEMS), "last.b": (1, ITEMS)}),
    (lightgcn, {"layers": 3, "regularizer": 0.125}, EMBEDDINGS),
    (cml, {"margin": 1, "covariance": 1.5}, EMBEDDINGS),
    (lrml, {"margin": 1, "memories": 4, "learned": 1}, EMBEDDINGS | {"keys": (4, DIM), "slots": (4, DIM)}),
    (transcf, {"margin": 1, "distance": 0.25, "neighbours": 0.5}, EMBEDDINGS),
    (
        sml,
        {"bound": 1, "item": 0.5, "margins": 0.75},
        EMBEDDINGS | {"users.margin": (USERS, 1), "items.margin": (ITEMS, 1)},
    ),
    (bprmf, {"regularizer": 0, "whole": 0.125}, EMBEDDINGS),
    (simplex, {"margin": 0.25, "weight": 5, "gamma": 1, "dropout": 0}, EMBEDDINGS),
    (simplex, {"margin": 0.25, "weight": 5, "gamma": 0.625, "dropout": 0},
        EMBEDDINGS | {"V": (DIM, DIM)}),
    (bsl, {"temperature": 0.25, "power": 1.25}, EMBEDDINGS),
]


def cases():
    for seed, (method, own, shapes) in enumerate(CASES):
        rng = np.random.RandomState(seed)
        p = {}
        for name, shape in shapes.items():
            value = 0.5 + 0.3 * rng.rand(*shape) if name.endswith(".margin") else 0.6 * rng.randn(*shape)
            p[name] = torch.tensor(np.round(value * 4096) / 4096, requires_grad=True)
        loss, scores, *samples = method(p, own)
        loss.backward()
        yield {
            "method": method.__name__, "dim": DIM, "own": own,
            "params": {n: x.tolist() for n, x in p.items()},
            "samples": [{"user": u, "positive": i, "negatives": q} for u, i, q in (samples[0] if samples else SAMPLES)],
            "loss": loss.item(),
            "gradients": {n: x.grad.tolist() for n, x in p.items()},
            "scores": scores.tolist(),
        }


def differ(a, b):
    if isinstance(a, dict):
        return a.keys() != b.keys() or any(differ(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) != len(b) or any(differ(x, y) for x, y in zip(a, b))
    if isinstance(a, str):
        return a != b
    return abs(a - b) > 1e-12


def main():
    path = Path(__file__).with_name("golden.json")
    golden = {"items": ITEMS, "train": TRAIN, "cases": list(cases())}
    if "--check" in sys.argv:
        if differ(golden, json.loads(path.read_text())):
            sys.exit("golden.json is not what this script computes")
        return
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
