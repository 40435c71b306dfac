"""Prints NDCG@10 on validation parts of preset adaptive at several temperatures, and of fixed margins for comparison.

    python adaptive.py PMLAM FOLDS DATA [DATA …]

FOLDS are numbers with commas between; the test parts are not looked at. core/lab/docs/paper.md has what comes of it.
"""

import csv
import os
import subprocess
import sys
import tempfile

FIXED = "--preset adaptive --margin fixed --unit-proxy=false --outer-loss hinge"
HINGE = "--preset paper --relations none --bound joint --signed --batch 1000 --margin fixed"
ROWS = [("outer softmax, τ = %g" % t, "--preset adaptive --temperature %g" % t) for t in (0.25, 0.3, 0.35, 0.4, 0.5)]
ROWS += [
    ("outer hinge of m = 1, τ = .25", "--preset adaptive --outer-loss hinge --temperature 0.25"),
    ("rotated negatives, τ = .25, outer τ = .35",
     "--preset adaptive --temperature 0.25 --outer-temperature 0.35 --outer-batch rotated"),
]
ROWS += [("smooth hinge, fixed m = %g" % m, FIXED + " --margin-value %g" % m) for m in (0.2, 0.01)]
ROWS += [("the paper's hinge, fixed m = %g" % m, HINGE + " --margin-value %g" % m) for m in (0.5, 0.75, 1, 1.25)]


def best(pmlam, data, fold, settings):
    """Returns the best validation NDCG@10 of a training and its epoch."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [pmlam, "train", "--data", data, "--fold", fold, "--validation", "0.1", "--every", "10", "--patience", "2",
             "--epochs", "300", "--curves", folder] + settings.split(),
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "curve.csv")) as f:
            looks = [row for row in csv.DictReader(f) if row["validation_ndcg@10"]]
        return max((float(row["validation_ndcg@10"]), int(row["epoch"])) for row in looks)


def main():
    pmlam, folds = sys.argv[1], sys.argv[2].split(",")
    for data in sys.argv[3:]:
        print("%s, folds %s" % (os.path.basename(data.rstrip("/")), ", ".join(folds)))
        for title, settings in ROWS:
            found = [best(pmlam, data, fold, settings) for fold in folds]
            print("  %-44s %.4f  %s" % (title, sum(v for v, _ in found) / len(found),
                                        ", ".join("%.4f after %d" % f for f in found)), flush=True)


if __name__ == "__main__":
    main()
