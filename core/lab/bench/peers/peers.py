"""Methods of other libraries on interactions in a file, for comparison with pmlam: seconds, memory, Recall@20 and NDCG@20.

    python peers.py split FILE FOLDER     a fifth of each user's items into FOLDER/test.txt, the others into train.txt
    python peers.py METHOD FOLDER         trains on train.txt; METHOD: popularity, als, als-alpha, bpr, ease, torch-bpr,
                                          als:N and als-alpha:N for N iterations

FILE has the columns user and item, as `pmlam data synth` writes it. FOLDER is in LightGCN's format, which `pmlam train
--data FOLDER` reads and measures in the same way: all users of the test part, all items that the user does not have.
Settings are the libraries' defaults where nothing else is said here; none was chosen by results.
"""

import pathlib
import resource
import sys
import time

import numpy as np
from scipy import sparse

K = 20
BLOCK = 2000  # users whose scores are in memory at once


def split(file, folder):
    users, items = np.loadtxt(file, delimiter=",", skiprows=1, usecols=(0, 1), dtype=np.int32, unpack=True)
    _, users = np.unique(users, return_inverse=True)
    _, items = np.unique(items, return_inverse=True)
    order = np.lexsort((np.random.default_rng(1).random(len(users)), users))
    users, items = users[order], items[order]
    begins = np.flatnonzero(np.diff(users, prepend=-1))
    with open(folder / "train.txt", "w") as train, open(folder / "test.txt", "w") as test:
        for u, row in enumerate(np.split(items, begins[1:])):
            held = len(row) // 5
            for out, part in ((test, row[:held]), (train, row[held:])):
                print(u, *np.sort(part), file=out)


def read(path):
    rows = [np.array(line.split(), dtype=np.int32) for line in open(path)]
    users = np.repeat([r[0] for r in rows], [len(r) - 1 for r in rows])
    items = np.concatenate([r[1:] for r in rows])
    return sparse.csr_matrix((np.ones(len(items), np.float32), (users, items)))


def factors(model):
    """The scores of users: products of factors."""
    def scores(first, last):
        return np.asarray(model.user_factors[first:last] @ model.item_factors.T)
    return scores


def als(train, **settings):
    """Weighted matrix factorization (Hu et al. 2008), of `implicit`."""
    from implicit.als import AlternatingLeastSquares
    model = AlternatingLeastSquares(random_state=1, **settings)
    model.fit(train, show_progress=False)
    return factors(model)


def bpr(train):
    """Bayesian personalised ranking (Rendle et al. 2009), of `implicit`: in C++, on all cores."""
    from implicit.bpr import BayesianPersonalizedRanking
    model = BayesianPersonalizedRanking(random_state=1)
    model.fit(train, show_progress=False)
    return factors(model)


def torch_bpr(train, dim=64, epochs=10, batch=100_000, rate=0.01):
    """The same in the form of RecBole's: embeddings, one negative a like, Adam. The batch is 50 times RecBole's 2,048,
    and the rate 10 times its 0.001: for speed."""
    import torch
    torch.manual_seed(1)
    users, items = map(torch.from_numpy, (train.tocoo().row.astype(np.int64), train.indices.astype(np.int64)))
    user, item = torch.nn.Embedding(train.shape[0], dim), torch.nn.Embedding(train.shape[1], dim)
    for e in (user, item):
        torch.nn.init.xavier_normal_(e.weight)
    optimizer = torch.optim.Adam([*user.parameters(), *item.parameters()], lr=rate)
    for _ in range(epochs):
        for at in torch.randperm(len(users)).split(batch):
            u, i, j = user(users[at]), item(items[at]), item(torch.randint(train.shape[1], (len(at),)))
            loss = -torch.nn.functional.logsigmoid((u * i).sum(1) - (u * j).sum(1)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    u, i = user.weight.detach().numpy(), item.weight.detach().numpy()
    return lambda first, last: u[first:last] @ i.T


def ease(train, weight=500):
    """EASE (Steck 2019): the inverse of the items' Gram matrix, in single precision; the paper's λ on MovieLens-20M."""
    from scipy.linalg import lapack
    gram = np.asfortranarray((train.T @ train).toarray())
    gram[np.diag_indices_from(gram)] += weight
    gram, failed = lapack.spotrf(gram, lower=True, overwrite_a=True)
    gram, failed_too = lapack.spotri(gram, lower=True, overwrite_c=True)
    assert not failed and not failed_too
    gram = np.tril(gram)
    gram += np.tril(gram, -1).T
    gram /= -np.diag(gram).copy()
    np.fill_diagonal(gram, 0)
    return lambda first, last: train[first:last] @ gram


def popularity(train):
    """The number of users of each item."""
    likes = np.asarray(train.sum(axis=0), np.float32)
    return lambda first, last: np.repeat(likes, last - first, axis=0)


METHODS = {
    "popularity": popularity,
    "als": als,
    "als-alpha": lambda train, **settings: als(train, alpha=10.0, **settings),
    "bpr": bpr,
    "torch-bpr": torch_bpr,
    "ease": ease,
}


def measure(scores, train, test):
    """Recall@K, that is hits over all test items of the user, and NDCG@K: means of all users with test items."""
    gains = 1 / np.log2(np.arange(2, K + 2))
    ideal = np.concatenate([[0], np.cumsum(gains)])
    recall, ndcg = [], []
    for first in range(0, test.shape[0], BLOCK):
        last = min(first + BLOCK, test.shape[0])
        s = np.array(scores(first, last), np.float32)
        s[train[first:last].nonzero()] = -np.inf
        top = np.argpartition(-s, K, axis=1)[:, :K]
        top = np.take_along_axis(top, np.argsort(-np.take_along_axis(s, top, axis=1), axis=1), axis=1)
        wanted = test[first:last].toarray() > 0
        hits = np.take_along_axis(wanted, top, axis=1)
        count = wanted.sum(axis=1)
        some = count > 0
        recall.append((hits.sum(axis=1)[some]) / count[some])
        ndcg.append((hits @ gains)[some] / ideal[np.minimum(count[some], K)])
    return np.concatenate(recall).mean(), np.concatenate(ndcg).mean()


def main():
    what, *paths = sys.argv[1:]
    if what == "split":
        split(paths[0], pathlib.Path(paths[1]))
        return
    folder = pathlib.Path(paths[0])
    train, test = read(folder / "train.txt"), read(folder / "test.txt")
    shape = tuple(np.maximum(train.shape, test.shape))
    train.resize(shape)
    test.resize(shape)
    wall, cpu = time.time(), time.process_time()
    method, _, iterations = what.partition(":")
    scores = METHODS[method](train, **({"iterations": int(iterations)} if iterations else {}))
    wall, cpu = time.time() - wall, time.process_time() - cpu
    recall, ndcg = measure(scores, train, test)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what},{wall:.1f},{cpu:.0f},{peak:.0f},{recall:.4f},{ndcg:.4f}", flush=True)


if __name__ == "__main__":
    main()
