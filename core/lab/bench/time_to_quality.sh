#!/usr/bin/env bash
# Quality against time, by ordinary commands: the default training with everything in a model file, the same without a
# choice of settings for a few epochs, other methods of this program, and ALS of `implicit` if the Python has it. A row
# of comma-separated values for each. Seconds cover the whole command, except ALS's, which cover the fitting alone; CPU
# seconds are over all cores.
#
#   PMLAM_DATA=FOLDER core/lab/bench/time_to_quality.sh [DATA…]     ml-1m-m1 and gowalla-lightgcn, or folders in FOLDER
#   PYTHON=venv/bin/python …                                    venv: pip install implicit==0.7.3 scipy
#   build/measure/bin/quality build/measure/time-to-quality.csv     plots its output (make measure-time-to-quality)
set -euo pipefail
cd "$(dirname "$0")/../../.."

OUT=${OUT:-build/measure/time-to-quality}
mkdir -p "$OUT"
if [ -z "${PMLAM:-}" ]; then
	PMLAM=$OUT/pmlam
	go build -o "$PMLAM" ./core/cmd/pmlam
fi
LAB=$OUT/pmlam-lab
go build -C core/lab -o "$PWD/$LAB" ./cmd/pmlam-lab

# figure NAME FILE: a number in a JSON object.
figure() { sed -n "s/.*\"$1\":\([-0-9.e]*\).*/\1/p" "$2"; }

# row DATA NAME FLAGS…: one training; baseline: the same for another method.
row() { measured "$PMLAM train" "$@"; }
baseline() { measured "$LAB train-baseline" "$@"; }
measured() {
	local command=$1 data=$2 name=$3 took
	shift 3
	TIMEFORMAT='%U %R'
	# shellcheck disable=SC2086 # two words
	took=$({ time $command --data "$PMLAM_DATA/$data" "$@" --json 2>>"$OUT/log" | tail -n 1 >"$OUT/row.json"; } \
		2>&1)
	printf '%s,%s,%s,%s,%s,%s\n' "$data" "$name" "${took% *}" "${took#* }" "$(figure recall@20 "$OUT/row.json")" \
		"$(figure ndcg@20 "$OUT/row.json")"
}

# als DATA N: implicit's ALS after N iterations.
als() {
	OPENBLAS_NUM_THREADS=1 "$PYTHON" core/lab/bench/peers/peers.py "als-alpha:$2" "$PMLAM_DATA/$1" |
		awk -F , -v data="$1" '{ print data ",implicit ALS," $3 "," $2 "," $5 "," $6 }'
}

[ $# -gt 0 ] || set -- ml-1m-m1 gowalla-lightgcn
parts="--auto=false --calibrate=false --user-parts 5 --negatives 512 --part-discount 0.5 --user-weight 2.83"
echo "data,method,cpu_seconds,seconds,recall@20,ndcg@20"
for data in "$@"; do
	row "$data" "the default" --out "$OUT/$data.msgpack"
	for epochs in 1 2 4 8; do
		row "$data" "pmlam without choice" $parts --batch 4000 --lr 0.03 --epochs "$epochs"
	done
	baseline "$data" weighted --method weighted
	baseline "$data" EASE --method ease
	for epochs in 1 2 4 8; do
		baseline "$data" iALS --method "ials:epochs=$epochs"
	done
	for epochs in ${LIGHTGCN:-1 2 4 8}; do
		baseline "$data" LightGCN --method "lightgcn:epochs=$epochs"
	done
	if [ -n "${PYTHON:-}" ]; then
		for n in 1 2 4 15; do
			als "$data" "$n"
		done
	fi
done
