"""Trains PMLAM with the paper's settings in a mainstream array framework and prints a JSON object for each epoch.

    python epoch.py --framework jax|torch|torch-compile --start FOLDER [--epochs 3]
        [--seed 1] [--threads 2] [--device cpu|cuda]

FOLDER holds the training pairs and the initial rows and networks, as epoch.go writes them with -write. The
lines are those of epoch.go. See README.md.
"""

import argparse
import json
import os
import resource
import time

parser = argparse.ArgumentParser()
parser.add_argument("--framework", choices=["jax", "torch", "torch-compile"], required=True)
parser.add_argument("--start", required=True)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
arguments = parser.parse_args()
# Before the frameworks are imported, which read these once. XLA takes as many threads as it may use processors.
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(arguments.threads)
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait sleep: spinning would count as work
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.threads])

import numpy as np  # noqa: E402  (after the threads)

import paper  # noqa: E402
from sampling import Sampler  # noqa: E402

if arguments.framework == "jax":
    from in_jax import Training
else:
    from in_torch import Training


def spent(since=[time.perf_counter(), 0.0]):
    """Wall and CPU seconds since the last call, of all threads."""
    use = resource.getrusage(resource.RUSAGE_SELF)
    now = [time.perf_counter(), use.ru_utime + use.ru_stime]
    out = [b - a for a, b in zip(since, now)]
    since[:] = now
    return out


def show(**line):
    print(json.dumps(line), flush=True)


def main():
    pairs, theta, phis = paper.read(arguments.start)
    sampler = Sampler(pairs, paper.BATCH, paper.NEGATIVES, arguments.seed)
    options = {"compiled": True} if arguments.framework == "torch-compile" else {}
    training = Training(theta, phis, sampler, device=arguments.device, **options)
    training.compile(sampler.epoch()[0])
    sampler.epochs = 0
    wall, cpu = spent()
    show(by=arguments.framework, preparing=wall, cpu=cpu)
    for epoch in range(1, arguments.epochs + 1):
        losses, counts, start = [], np.zeros(3), time.perf_counter()
        drawn = sampler.epoch()
        sampling = time.perf_counter() - start
        for batches in drawn:
            losses.append(training.step(batches))
            counts += [len(b[0]) for b in batches]
        training.wait()
        inner = np.array([[float(value) for value, _ in step] for step in losses]).sum(axis=0) / counts
        margin = float(losses[-1][0][1]) / (len(batches[0][0]) * paper.NEGATIVES)
        wall, cpu = spent()
        show(epoch=epoch, seconds=wall, sampling=sampling, cpu=cpu, inner=inner.tolist(), margin=margin)


main()
