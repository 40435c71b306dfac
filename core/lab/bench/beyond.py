"""Writes core/eval/testdata/beyond.json: lists, with the beyond-accuracy metrics of RecBole and RecTools.

    pip install --no-deps recbole==1.2.1 rectools==0.19.0 && pip install numpy pandas scipy attrs typing_extensions
    python core/lab/bench/beyond.py > core/eval/testdata/beyond.json

Gini, item coverage, average popularity and the share of the long tail are RecBole's (GiniIndex, ItemCoverage,
AveragePopularity, TailPercentage with tail_ratio 0.8), novelty and diversity RecTools' (MeanInvUserFreq,
IntraListDiversity). Cornac has metrics of accuracy only. RecBole's package is not imported as a whole, which would ask
for PyTorch: only the file with the metrics is, with stand-ins for what it imports and these metrics do not use.
"""

import importlib.util
import json
import pathlib
import sys
import types
from collections import Counter

import numpy as np
import pandas as pd

KS = [5, 10]


def recbole_metrics():
    folder = pathlib.Path(importlib.util.find_spec("recbole").submodule_search_locations[0]) / "evaluator"
    for name in ("recbole", "recbole.evaluator", "recbole.utils", "recbole.evaluator.utils", "sklearn", "torch"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["sklearn.metrics"] = types.ModuleType("sklearn.metrics")
    for name in ("auc", "mean_absolute_error", "mean_squared_error"):
        setattr(sys.modules["sklearn.metrics"], name, None)
    sys.modules["recbole.evaluator.utils"]._binary_clf_curve = None

    class EvaluatorType:
        RANKING, VALUE = 1, 2

    sys.modules["recbole.utils"].EvaluatorType = EvaluatorType
    for part in ("base_metric", "metrics"):
        name = "recbole.evaluator." + part
        spec = importlib.util.spec_from_file_location(name, folder / (part + ".py"))
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules["recbole.evaluator.metrics"]


class Lists:
    """Answers as a tensor does where RecBole asks for .numpy()."""

    def __init__(self, lists):
        self.lists = lists

    def numpy(self):
        return self.lists


def main():
    rng = np.random.default_rng(7)
    users, items, genres, depth = 40, 60, 6, max(KS)
    weight = 1 / np.arange(1, items + 1)
    train, lists = [], []
    for u in range(users):
        own = rng.choice(items, size=rng.integers(3, 15), replace=False, p=weight / weight.sum())
        train.append(sorted(int(i) for i in own))
    for i in set(range(items)) - {i for row in train for i in row}:  # every item has a user
        train[i % users] = sorted(train[i % users] + [i])
    for row in train:
        rest = np.setdiff1d(np.arange(items), row)
        p = weight[rest] ** 0.7
        lists.append([int(i) for i in rng.choice(rest, size=depth, replace=False, p=p / p.sum())])
    kinds = [sorted(int(g) for g in rng.choice(genres, size=rng.integers(1, 4), replace=False)) for _ in range(items)]

    m = recbole_metrics()
    config = {"topk": KS, "metric_decimal_place": 12, "tail_ratio": 0.8}
    data = {"rec.items": Lists(np.array(lists)), "data.num_items": items,
            "data.count_items": Counter(i for row in train for i in row)}
    want = {}
    for name, metric in (("gini", m.GiniIndex), ("coverage", m.ItemCoverage), ("popularity", m.AveragePopularity),
                         ("aplt", m.TailPercentage)):
        for key, value in metric(config).calculate_metric(data).items():
            want[name + "@" + key.split("@")[1]] = float(value)

    from rectools import Columns
    from rectools.metrics import IntraListDiversity, MeanInvUserFreq
    from rectools.metrics.distances import PairwiseDistanceCalculator

    class Cosine(PairwiseDistanceCalculator):
        def __init__(self, kinds):
            x = np.zeros((len(kinds), genres))
            for i, row in enumerate(kinds):
                x[i, row] = 1
            self.x = x / np.linalg.norm(x, axis=1, keepdims=True)

        def _get_distances_for_item_pairs(self, a, b):
            return 1 - (self.x[np.asarray(a)] * self.x[np.asarray(b)]).sum(axis=1)

    shown = pd.DataFrame([(u, i, r + 1) for u, row in enumerate(lists) for r, i in enumerate(row)],
                         columns=[Columns.User, Columns.Item, Columns.Rank])
    before = pd.DataFrame([(u, i) for u, row in enumerate(train) for i in row], columns=[Columns.User, Columns.Item])
    for k in KS:
        want["novelty@%d" % k] = float(MeanInvUserFreq(k=k).calc(shown, before))
        want["diversity@%d" % k] = float(IntraListDiversity(k=k, distance_calculator=Cosine(kinds)).calc(shown))
    json.dump({"items": items, "ks": KS, "train": train, "lists": lists, "kinds": kinds, "want": want}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
