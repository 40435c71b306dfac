#!/usr/bin/env bash
# The gain from drawing rows of rarely liked items towards their neighbours' (core/lab/docs/choices.md): NDCG@10 of
# whole trainings by the distance alone on a fifth of the training part. A row of comma-separated values for each.
#
#   PMLAM_DATA=FOLDER core/lab/bench/shrinkage.sh [DATA…]     all of those below, or some; folders in FOLDER
#   SHRINKAGE="0:0 10:10" …                               κ:K of each training
set -euo pipefail
cd "$(dirname "$0")/../../.."

SHRINKAGE=${SHRINKAGE:-0:0 10:10 40:10 10:5 10:20}
OUT=${OUT:-build/measure}
mkdir -p "$OUT"
if [ -z "${PMLAM:-}" ]; then
	PMLAM=$OUT/pmlam
	go build -o "$PMLAM" ./core/cmd/pmlam
fi

# Batches, rates and epochs are the default's on four fifths of each.
parts="--user-parts 5 --negatives 512 --part-discount 0.5 --user-weight 2.83"
declare -A settings=(
	[amazon-cds-pmlam-partial]="--fold 0 $parts --batch 7659 --lr 0.0294 --epochs 30"
	[dpq-electronics]="$parts --batch 5871 --lr 0.0257 --epochs 30"
	[gowalla-lightgcn]="$parts --batch 9705 --lr 0.03 --epochs 15"
	[yelp2018-lightgcn]="$parts --batch 9904 --lr 0.03 --epochs 10"
	[ml-1m-m1]="$parts --temperature 0.707 --batch 7644 --lr 0.0293 --epochs 12"
	[ml-latest-small]="--fold 0 --epochs 30"
	[ml-100k]="--fold 0 --epochs 30"
)
[ $# -gt 0 ] || set -- amazon-cds-pmlam-partial dpq-electronics gowalla-lightgcn yelp2018-lightgcn ml-1m-m1 \
	ml-latest-small ml-100k
echo "data,shrinkage,items,ndcg@10,seconds"
for data in "$@"; do
	for x in $SHRINKAGE; do
		epochs=${settings[$data]##* }
		"$PMLAM" train --data "$PMLAM_DATA/$data" --preset best --auto=false --calibrate=false --validation 0.2 \
			--every "$epochs" ${settings[$data]} --shrinkage "${x%:*}" --shrinkage-items "${x#*:}" \
			--curves "$OUT/curve" >>"$OUT/shrinkage.log" 2>&1
		awk -F , -v row="$data,${x%:*},${x#*:}" '{ ndcg = $9; took += $12 } END { print row "," ndcg "," took }' \
			"$OUT/curve/curve.csv"
	done
done
