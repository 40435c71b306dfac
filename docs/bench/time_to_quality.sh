#!/usr/bin/env bash
# Quality against time, from the command to the figures, by commands that anyone can type: the default training with
# everything it does for a model file, the same settings without a choice for fewer epochs, and plain methods. A row of
# comma-separated values for each; CPU seconds are those of all processors.
#
#   PMLAM_DATA=FOLDER docs/bench/time_to_quality.sh [DATA…]     ml-1m-m1 and gowalla-lightgcn, or folders in FOLDER
#   OUT=build/measure/time-to-quality METHODS="ease ials weighted" …
set -euo pipefail
cd "$(dirname "$0")/../.."

OUT=${OUT:-build/measure/time-to-quality}
METHODS=${METHODS:-weighted ials ease}
mkdir -p "$OUT"
if [ -z "${PMLAM:-}" ]; then
	PMLAM=$OUT/pmlam
	go build -o "$PMLAM" ./core/cmd/pmlam
fi

# figure NAME FILE: a number in a JSON object.
figure() { sed -n "s/.*\"$1\":\([-0-9.e]*\).*/\1/p" "$2"; }

# row DATA NAME FLAGS…: one training.
row() {
	local data=$1 name=$2 took
	shift 2
	TIMEFORMAT='%U %R'
	took=$({ time "$PMLAM" train --data "$PMLAM_DATA/$data" "$@" --json 2>>"$OUT/log" | tail -n 1 >"$OUT/row.json"; } \
		2>&1)
	printf '%s,%s,%s,%s,%s,%s\n' "$data" "$name" "${took% *}" "${took#* }" "$(figure recall@20 "$OUT/row.json")" \
		"$(figure ndcg@20 "$OUT/row.json")"
}

[ $# -gt 0 ] || set -- ml-1m-m1 gowalla-lightgcn
echo "data,method,cpu_seconds,seconds,recall@20,ndcg@20"
for data in "$@"; do
	row "$data" pmlam --out "$OUT/$data.msgpack"
	for epochs in 1 2 4; do
		row "$data" "pmlam with $epochs epochs" --auto=false --user-pairs 8 --batch 2000 --lr 0.02 --epochs "$epochs"
	done
	for method in $METHODS; do
		row "$data" "$method" --method "$method"
	done
done
