"""Prints a table of ncu's raw CSV: the kernels of a training on a GPU, the longest first.

    python kernels.py FILE.csv
"""

import csv
import sys
from collections import defaultdict

TIME, BYTES = "gpu__time_duration.sum", "dram__bytes.sum"
MEMORY, MULTIPROCESSORS = (
    f"{unit}__throughput.avg.pct_of_peak_sustained_elapsed" for unit in ("dram", "sm")
)


def number(text):
    return float(text.replace(",", ""))


def read(path):
    """The launches, by column; ncu prints the program's own output before the header, and units behind it."""
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    header = next(i for i, line in enumerate(lines) if line[:1] == ["ID"])
    units = dict(zip(lines[header], lines[header + 1]))
    if (units[TIME], units[BYTES]) not in {("ns", "byte")}:
        raise SystemExit(f"{path}: ncu gave {units[TIME]} and {units[BYTES]} where ns and byte were expected")
    return [dict(zip(lines[header], line)) for line in lines[header + 2 :] if len(line) == len(lines[header])]


def main(path):
    launches = read(path)
    by_kernel = defaultdict(list)
    for launch in launches:
        by_kernel[launch["Kernel Name"]].append(launch)
    steps = len(by_kernel.get("update", ()))
    total = sum(number(launch[TIME]) for launch in launches) / 1e3
    print(f"{len(launches)} launches, {steps} of update, {total:.0f} µs")
    print("| kernel | launches | µs each | share | MB each | memory, % of peak | SMs, % of peak | registers |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, all_ in sorted(by_kernel.items(), key=lambda x: -sum(number(one[TIME]) for one in x[1])):
        mean = {key: sum(number(one[key]) for one in all_) / len(all_) for key in (TIME, BYTES, MEMORY, MULTIPROCESSORS)}
        print(
            f"| `{name}` | {len(all_)} | {mean[TIME] / 1e3:.1f} | {mean[TIME] * len(all_) / 1e3 / total:.0%} | "
            f"{mean[BYTES] / 1e6:.1f} | {mean[MEMORY]:.0f} | {mean[MULTIPROCESSORS]:.0f} | "
            f"{all_[0]['launch__registers_per_thread']} |"
        )


main(sys.argv[1])
