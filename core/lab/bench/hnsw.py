"""Recall and latency of Faiss' HNSW on the vectors that `pmlam-postgres measure --vectors FOLDER` wrote.

    pip install faiss-cpu==1.15.1
    python core/lab/bench/hnsw.py FOLDER/1000000

Items and visitors are rows [mean; stddev], so that squared L2 is W2 squared. It has the ten nearest items alone: no
links, no popularity, nothing excluded, no filter. One visitor at a time on one thread, beside Faiss' exact scan; the
index has pgvector's default shape (m = 16, ef_construction = 64). Prints a row of a table in Markdown for each
ef_search.
"""

import re
import sys
import time
from pathlib import Path

import faiss
import numpy as np

K = 10


def rows(folder, name):
    """The float32 rows of the file whose name says their number and width, as in items-1000000x100.f32."""
    (path,) = Path(folder).glob(f"{name}-*.f32")
    return np.fromfile(path, "<f4").reshape([int(n) for n in re.findall(r"\d+", path.stem)])


def timed(index, visitors):
    """The ten nearest of every visitor, and the milliseconds that each took, sorted."""
    index.search(visitors[:1], K)  # warms up
    found, times = [], []
    for v in visitors:
        began = time.perf_counter()
        _, ids = index.search(v[None], K)
        times.append(1000 * (time.perf_counter() - began))
        found.append(set(ids[0]))
    return found, sorted(times)


def quantile(times, q):
    return times[int(q * (len(times) - 1))]


def main(folder):
    items, visitors = rows(folder, "items"), rows(folder, "visitors")
    faiss.omp_set_num_threads(1)
    exact = faiss.IndexFlatL2(items.shape[1])
    exact.add(items)
    want, exact_times = timed(exact, visitors)
    index = faiss.IndexHNSWFlat(items.shape[1], 16)
    index.hnsw.efConstruction = 64
    faiss.omp_set_num_threads(2)
    began = time.perf_counter()
    index.add(items)
    built = time.perf_counter() - began
    faiss.omp_set_num_threads(1)
    print("| items | build s | ef_search | recall@10 | p50 ms | p99 ms | exact p50 ms |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for ef in (40, 100, 200, 400, 800):
        index.hnsw.efSearch = ef
        found, times = timed(index, visitors)
        recall = sum(len(f & w) for f, w in zip(found, want)) / (K * len(want))
        print(f"| {len(items)} | {built:.0f} | {ef} | {recall:.4f} | {quantile(times, .5):.2f} | "
              f"{quantile(times, .99):.2f} | {quantile(exact_times, .5):.2f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
