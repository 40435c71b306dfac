"""Prints the output of epoch.go and epoch.py as tables; the other files are compared with the first.

    python table.py pmlam.json jax.json torch.json
"""

import json
import sys
from pathlib import Path
from statistics import mean

runs = {Path(path).stem: [json.loads(line) for line in open(path)][1:] for path in sys.argv[1:]}
first = next(iter(runs.values()))


def average(run, key):
    return mean(epoch[key] for epoch in run)


def row(*cells):
    print("| " + " | ".join(cells) + " |")


row("", "epochs", "CPU s an epoch", "wall s an epoch", "of it sampling", "CPU, ×", "wall, ×", "without sampling, ×")
row(*["---"] * 8)
for name, run in runs.items():
    cpu, wall = average(run, "cpu"), average(run, "seconds")
    sampling = mean(epoch.get("sampling", 0) for epoch in run)  # what is drawn before the steps; this project draws in them
    times = [
        f"{x / average(first, key):.1f}"
        for x, key in ((cpu, "cpu"), (wall, "seconds"), (wall - sampling, "seconds"))
    ]
    row(name, str(len(run)), f"{cpu:.3g}", f"{wall:.3g}", f"{sampling:.2g}" if sampling else "", *times)

print()
row("inner loss of a pair", "epoch", "user-item", "user-user", "item-item", "margin")
row(*["---"] * 6)
for at in range(max(map(len, runs.values()))):
    for name, run in runs.items():
        if at < len(run):
            epoch = run[at]
            row(name, str(at + 1), *(f"{x:.3f}" for x in epoch["inner"]), f"{epoch['margin']:.3f}")
