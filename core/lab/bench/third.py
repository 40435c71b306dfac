"""Writes a random third of the users of an indexed data set (interactions_partial.tsv, users.txt, items.txt) to a folder.

    python core/lab/bench/third.py FOLDER/amazon-cds-pmlam-partial build/measure/third

core/lab/docs/paper.md measures on it: with the minima of `pmlam train` 2,902 users, 7,188 items and 77,049 interactions are left.
"""

import random
import shutil
import sys
from pathlib import Path

source, target = map(Path, sys.argv[1:])
rows = [line.split() for line in (source / "interactions_partial.tsv").open()]
users = sorted({user for user, _ in rows}, key=int)
random.seed(1)
kept = set(random.sample(users, len(users) // 3))
target.mkdir(parents=True, exist_ok=True)
for name in ("users.txt", "items.txt"):
    shutil.copyfile(source / name, target / name)
with (target / "interactions_partial.tsv").open("w") as out:
    out.writelines(f"{user}\t{item}\n" for user, item in rows if user in kept)
