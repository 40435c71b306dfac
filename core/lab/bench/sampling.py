"""Code shared by all implementations: neighbours, candidates and batches, vectorised with numpy over a whole epoch."""

import math

import numpy as np
from scipy import sparse


class Relation:
    """Pairs (row, column) that belong together, and draws of positives and negatives."""

    def __init__(self, rows, columns, shape):
        m = sparse.csr_array((np.ones(len(rows), np.int8), (rows, columns)), shape)
        m.sort_indices()
        self.shape, self.start, self.columns = shape, m.indptr, m.indices
        self.keys = np.repeat(np.arange(shape[0]), np.diff(m.indptr)) * shape[1] + m.indices

    def count(self, rows):
        return self.start[rows + 1] - self.start[rows]

    def holds(self, rows, columns):
        key = rows * self.shape[1] + columns
        at = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return self.keys[at] == key

    def inside(self, rng, rows):
        """One column of each row."""
        return self.columns[self.start[rows] + rng.integers(self.count(rows))]

    def outside(self, rng, rows, n, also=None):
        """n columns for each row that are not the row's, nor, with also, the row itself."""
        rows = np.repeat(rows, n)
        out = np.empty(len(rows), np.int64)
        todo = np.arange(len(rows))
        while len(todo):
            out[todo] = rng.integers(self.shape[1], size=len(todo))
            bad = self.holds(rows[todo], out[todo])
            if also is not None:
                bad |= out[todo] == rows[todo]
            todo = todo[bad]
        return out.reshape(-1, n)


def neighbours(m, threshold=(1, 5)):
    """Rows of the 0/1 matrix m whose cosine is at least 1/5, in whole numbers: c²·5² ≥ n_a·n_b."""
    m = m.astype(np.int64)
    size = m.sum(axis=1)
    common = (m @ m.T).tocoo()
    a, b = common.coords
    near = (a != b) & ((common.data * threshold[1]) ** 2 >= size[a] * size[b] * threshold[0] ** 2)
    return Relation(a[near], b[near], common.shape)


class Sampler:
    """Batches of an epoch: for each of the three tasks anchors [n], positives [n] and negatives [n, Q], in rows of the
    table of users and, behind them, items. Anchors without neighbours are left out, as are those with nothing else."""

    candidates_per_user, resample = 500, 20

    def __init__(self, pairs, batch, negatives, seed):
        self.pairs, self.batch, self.negatives = pairs.astype(np.int64), batch, negatives
        self.users, self.items = self.pairs.max(axis=0) + 1
        self.rng = np.random.Generator(np.random.SFC64(seed))
        self.likes = Relation(self.pairs[:, 0], self.pairs[:, 1], (self.users, self.items))
        m = sparse.csr_array((np.ones(len(pairs)), self.pairs.T), (self.users, self.items))
        self.near = [None, neighbours(m), neighbours(m.T.tocsr())]
        self.epochs = 0

    def share(self, task):
        """The share of an epoch's pairs that have a place in the task."""
        return self.usable(task, self.pairs).mean()

    def usable(self, task, pairs):
        if task == 0:
            return np.ones(len(pairs), bool)
        near = self.near[task]
        n = near.count(pairs[:, task - 1])
        return (n > 0) & (n + 1 < near.shape[0])

    def epoch(self):
        """The batches of the next epoch, each a list of three (anchor, positive, negative)."""
        if self.epochs % self.resample == 0:
            self.candidates = self.likes.outside(self.rng, np.arange(self.users), self.candidates_per_user)
        self.epochs += 1
        order = self.pairs[self.rng.permutation(len(self.pairs))]
        starts = range(0, len(order), self.batch)
        tasks = [self.draw(task, order, starts) for task in range(3)]
        return [[cut[k] for cut in tasks] for k in range(len(starts))]

    def draw(self, task, order, starts):
        rng, q, n = self.rng, self.negatives, len(order)
        if task == 0:
            anchor, positive = order[:, 0], order[:, 1]
            negative = self.candidates[anchor[:, None], rng.integers(self.candidates_per_user, size=(n, q))]
            keep = np.ones(n, bool)
        else:
            keep = self.usable(task, order)
            anchor = order[keep, task - 1]
            positive = self.near[task].inside(rng, anchor)
            negative = self.near[task].outside(rng, anchor, q, also=True)
        place = np.concatenate([[0], np.cumsum(keep)])
        shift = [(0, self.users), (0, 0), (self.users, self.users)][task]
        out = []
        for s in starts:
            cut = slice(place[s], place[min(s + self.batch, n)])
            out.append((anchor[cut] + shift[0], positive[cut] + shift[1], negative[cut] + shift[1]))
        return out


class Filler:
    """Makes every batch of a task the same size, six standard deviations above its expected size, for
    functions that are compiled for one shape. The pairs that fill it up name one row behind the table's last and have
    the weight 0. It adds the noise of the reparameterised samples, which normal(*shape) draws."""

    def __init__(self, sampler, dim, normal):
        self.dim, self.normal = dim, normal
        b = sampler.batch
        shares = map(sampler.share, range(3))
        self.sizes = [min(b, math.ceil(b * s + 6 * math.sqrt(b * s * (1 - s)))) for s in shares]
        self.dummy = sampler.users + sampler.items

    def fill(self, batches):
        """For each task anchor [P], positive [P], negative [P, Q], weight [P], and ε of each of the three."""
        return [self.one(batch, size) for batch, size in zip(batches, self.sizes)]

    def one(self, batch, size):
        n = len(batch[0])
        if n > size:
            raise ValueError(f"a batch of {n} pairs where at most {size} were expected")
        full = [np.full((size, *x.shape[1:]), self.dummy, np.int32) for x in batch]
        for x, y in zip(full, batch):
            x[:n] = y
        draw = self.normal(size, 2 + full[2].shape[1], self.dim)
        eps = draw[:, :1], draw[:, 1:2], draw[:, 2:]
        return *full, (np.arange(size) < n).astype(np.float32), eps
