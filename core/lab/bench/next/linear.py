#!/usr/bin/env python3
"""SLIST (WWW 2021) and the single targets of TALE (WSDM 2025) on S3-Rec's sequences, in the protocol of bench/next.

    linear.py [--validate] FILE...

The last item of each user is hidden (--validate: the last two, and the first of them is predicted); all items that the
user has not had are ranked. The files have no times, so TALE's weights by time intervals are left out. --validate
compares the settings of grid(); without it the ones chosen there are used. Needs numpy and scipy, and 8 bytes · I²  · 3
of memory for I items.
"""
import argparse
import time

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

CHOSEN = {"SLIST": dict(alpha=0.3, lam=20.0, decay=0.6, recent=0.6), "TALE": dict(lam=20.0, decay=0.6, recent=0.6)}


def read(path, hidden):
    """Returns the histories, the item to predict of each, and the number of items."""
    number, histories, targets = {}, [], []
    with open(path) as f:
        for line in f:
            items = [number.setdefault(i, len(number)) for i in line.split()[1:]]
            histories.append(items[:-hidden])
            targets.append(items[-hidden])
    return histories, np.array(targets), len(number)


def rows(histories, items, weight):
    """Returns a row for each history, whose item at k places before the end has weight(k)."""
    data, at, of = [], [], []
    for u, h in enumerate(histories):
        for k, i in enumerate(reversed(h)):
            data.append(weight(k))
            at.append(i)
            of.append(u)
    return sp.csr_matrix((np.array(data, np.float32), (of, at)), (len(histories), items))


def pasts(histories, decay, single):
    """Returns the pasts and futures at every place of every history: only the next item, or all later ones by decay."""
    s, t = ([], [], []), ([], [], [])
    n = 0
    for h in histories:
        for cut in range(1, len(h)):
            for k, i in enumerate(reversed(h[:cut])):
                if decay**k < 1e-3:
                    break
                s[0].append(decay**k), s[1].append(n), s[2].append(i)
            for k, i in enumerate(h[cut : cut + 1] if single else h[cut:]):
                if decay**k < 1e-3:
                    break
                t[0].append(decay**k), t[1].append(n), t[2].append(i)
            n += 1
    return s, t, n


def sparse(entries, n, items):
    data, at, of = entries
    return sp.csr_matrix((np.array(data, np.float32), (at, of)), (n, items))


def solve(left, right, lam):
    """Returns (left + λ·1)⁻¹ right, dense."""
    a = left.toarray().astype(np.float32)
    a[np.diag_indices_from(a)] += lam
    return la.cho_solve(la.cho_factor(a, lower=True, overwrite_a=True, check_finite=False), right, overwrite_b=True,
                        check_finite=False)


def fit(name, histories, items, lam, decay, recent=None, alpha=0.0):
    s, t, n = pasts(histories, decay, single=name == "TALE")
    s, t = sparse(s, n, items), sparse(t, n, items)
    left, right = (1 - alpha) * (s.T @ s), (1 - alpha) * (s.T @ t)
    if alpha > 0:
        x = rows(histories, items, lambda k: 1.0)
        gram = x.T @ x
        left, right = left + alpha * gram, right + alpha * gram
    return solve(left, right.toarray().astype(np.float32), lam)


def measure(b, histories, targets, items, recent):
    """Returns HR@10, NDCG@10 and NDCG@5."""
    x = rows(histories, items, lambda k: recent**k)
    ranks = []
    for begin in range(0, len(histories), 2000):
        end = min(begin + 2000, len(histories))
        scores = x[begin:end] @ b
        for u in range(begin, end):
            row, target = scores[u - begin], targets[u]
            row[histories[u]] = -np.inf
            better = (row > row[target]).sum() + (row[:target] == row[target]).sum()
            ranks.append(better)
    ranks = np.array(ranks)
    gain = 1 / np.log2(ranks + 2)
    return (ranks < 10).mean(), gain[ranks < 10].sum() / len(ranks), gain[ranks < 5].sum() / len(ranks)


def grid(name):
    for lam in (2.0, 10.0, 50.0):
        for decay in (0.4, 0.8):
            yield dict(lam=lam, decay=decay, **(dict(alpha=0.2) if name == "SLIST" else {}))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--validate", action="store_true", help="predict the item before the last, for all settings")
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    for path in a.files:
        histories, targets, items = read(path, 2 if a.validate else 1)
        print(f"{path}: {len(histories)} users, {items} items", flush=True)
        for name, chosen in CHOSEN.items():
            for of in list(grid(name)) if a.validate else [{k: v for k, v in chosen.items() if k != "recent"}]:
                begin = time.process_time()
                b = fit(name, histories, items, **of)
                seconds = time.process_time() - begin
                for recent in (0.4, 0.6, 0.8) if a.validate else (chosen["recent"],):
                    hr, ndcg, five = measure(b, histories, targets, items, recent)
                    print(f"  {name} {of} recent {recent}: HR@10 {hr:.4f}  NDCG@10 {ndcg:.4f}  NDCG@5 {five:.4f}"
                          f"  ({seconds:.0f} s of processor time)", flush=True)


if __name__ == "__main__":
    main()
