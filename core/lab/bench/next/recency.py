#!/usr/bin/env python3
"""Do recent likes deserve more weight? Popularity and EASE with likes that lose half their weight in a half-life.

    recency.py RATINGS.csv...      userId,movieId,rating,timestamp or u.data of MovieLens 100K

One moment cuts the ratings: the part before it trains, the next 10% of all ratings are to be predicted (likes, 4 and
more, of users and items with at least 5 likes before), once for validation (from 80%) and once for the test (from 90%). Half-lives
are chosen on validation. Weights apply to popularity, to the training matrix, or to the likes a list is made from.
Needs numpy.
"""
import sys

import numpy as np

YEAR = 365.25 * 86400
HALF_LIVES = (np.inf, 8, 4, 2, 1, 0.5, 0.25)


def read(path):
    tabs = path.endswith("u.data")
    a = np.loadtxt(path, delimiter="\t" if tabs else ",", skiprows=0 if tabs else 1)
    a = a[np.argsort(a[:, 3], kind="stable")]
    return a


def part(a, begin, end):
    """Returns X with ages in years at the cut, and the likes to predict by user."""
    cut = a[int(begin * len(a)), 3]
    before, after = a[a[:, 3] < cut], a[(a[:, 3] >= cut)][: int((end - begin) * len(a))]
    before, after = before[before[:, 2] >= 4], after[after[:, 2] >= 4]
    items, counts = np.unique(before[:, 1], return_counts=True)
    items = {i: n for n, i in enumerate(items[counts >= 5])}
    before = before[np.isin(before[:, 1], list(items))]
    users, counts = np.unique(before[:, 0], return_counts=True)
    users = {u: n for n, u in enumerate(users)}
    ages = np.full((len(users), len(items)), np.inf)
    for u, i, _, t in before:
        ages[users[u], items[i]] = (cut - t) / YEAR
    wanted = {}
    for u, i, _, _ in after:
        if u in users and i in items and counts[users[u]] >= 5:
            wanted.setdefault(users[u], []).append(items[i])
    return ages, wanted


def weights(ages, half_life):
    return np.where(np.isinf(ages), 0, np.ones_like(ages) if np.isinf(half_life) else 0.5 ** (ages / half_life))


def ease(x, lam):
    p = np.linalg.inv(x.T @ x + lam * np.eye(x.shape[1]))
    b = -p / np.diag(p)
    np.fill_diagonal(b, 0)
    return b


def ndcg(scores, ages, wanted):
    """Returns NDCG@10 by user."""
    scores = np.where(np.isinf(ages), scores, -np.inf)
    gains = []
    for u, items in wanted.items():
        top = np.argsort(-scores[u], kind="stable")[:10]
        ideal = (1 / np.log2(np.arange(2, 2 + min(10, len(items))))).sum()
        gains.append((np.isin(top, items) / np.log2(np.arange(2, 12))).sum() / ideal)
    return np.array(gains)


def main():
    for path in sys.argv[1:]:
        a = read(path)
        parts = [part(a, 0.8, 0.9), part(a, 0.9, 1.0)]
        print(f"{path}: {len(parts[0][1])} users validate, {len(parts[1][1])} test")
        for name in ("popularity", "training", "likes of the list"):
            figures = {}
            for h in HALF_LIVES:
                for lam in (100, 300) if name != "popularity" else (0,):
                    row = []
                    for ages, wanted in parts:
                        w, plain = weights(ages, h), weights(ages, np.inf)
                        if name == "popularity":
                            s = np.broadcast_to(w.sum(0), ages.shape)
                        elif name == "training":
                            s = plain @ ease(np.sqrt(w), lam)
                        else:
                            s = w @ ease(plain, lam)
                        row.append(ndcg(s, ages, wanted))
                    figures[h, lam] = row
            best = max(figures, key=lambda k: figures[k][0].mean())
            none = max((k for k in figures if np.isinf(k[0])), key=lambda k: figures[k][0].mean())
            d = figures[best][1] - figures[none][1]
            print(f"  {name}: without weights {figures[none][0].mean():.4f} validation, {figures[none][1].mean():.4f} test; "
                  f"half-life {best[0]} years, {figures[best][0].mean():.4f}, {figures[best][1].mean():.4f} "
                  f"(difference {d.mean():+.4f} ± {d.std(ddof=1) / np.sqrt(len(d)):.4f})")
            print("    " + "  ".join(f"{h}: {max(figures[k][0].mean() for k in figures if k[0] == h):.4f}" for h in HALF_LIVES))


if __name__ == "__main__":
    main()
