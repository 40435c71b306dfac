#!/usr/bin/env bash
# pmlam with its defaults and methods of other libraries on the same drawn interactions, by default of MovieLens-20M's
# shape. A row of comma-separated values for each: wall-clock and CPU seconds, peak memory in MiB, Recall@20, NDCG@20.
# pmlam's seconds cover the whole command, from the text to the model file with map and calibration; the others' cover
# the fitting alone.
#
#   PYTHON=venv/bin/python core/lab/bench/peers/peers.sh [METHOD…]
#   venv: pip install implicit==0.7.3 torch==2.15.0 scipy
#   USERS=138000 ITEMS=27000 INTERACTIONS=20000000 OUT=build/measure/peers …
set -euo pipefail
cd "$(dirname "$0")/../../../.."

OUT=${OUT:-build/measure/peers} PYTHON=${PYTHON:-python3}
data=$OUT/${INTERACTIONS:-20000000}
mkdir -p "$data"
go build -o "$OUT/pmlam" ./core/cmd/pmlam
if [ ! -s "$data/test.txt" ]; then
  "$OUT/pmlam" data synth --users "${USERS:-138000}" --items "${ITEMS:-27000}" \
    --interactions "${INTERACTIONS:-20000000}" --out "$data/drawn.csv"
  "$PYTHON" core/lab/bench/peers/peers.py split "$data/drawn.csv" "$data"
fi
[ $# -gt 0 ] || set -- pmlam popularity als als-alpha ease torch-bpr bpr

# figure NAME: a number in the JSON object at the end of pmlam's output.
figure() { tail -n 1 "$OUT/pmlam.json" | sed -n "s/.*\"$1\":\([-0-9.e]*\).*/\1/p"; }

echo "method,seconds,cpu_seconds,mib,recall@20,ndcg@20"
for method; do
  if [ "$method" = pmlam ]; then
    "$PYTHON" - "$OUT/pmlam" train --data "$data" --out "$OUT/pmlam.msgpack" --json >"$OUT/pmlam.took" <<'END'
import resource, subprocess, sys, time
began = time.time()
with open(sys.argv[1] + ".json", "w") as out:
    subprocess.run(sys.argv[1:], check=True, stdout=out)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{time.time() - began:.0f},{used.ru_utime + used.ru_stime:.0f},{used.ru_maxrss / 1024:.0f}")
END
    LC_ALL=C printf 'pmlam,%s,%.4f,%.4f\n' "$(cat "$OUT/pmlam.took")" "$(figure recall@20)" "$(figure ndcg@20)"
    continue
  fi
  threads=1 # as implicit asks; the inverse of EASE is a matter of BLAS alone
  if [ "$method" = ease ]; then threads=$(nproc); fi
  OPENBLAS_NUM_THREADS=$threads "$PYTHON" core/lab/bench/peers/peers.py "$method" "$data"
done
