#!/usr/bin/env bash
# Do the adaptive margin and the standard deviations earn their place? Every line is one setting, measured on validation
# parts (a fifth of each user's items) of the training part of fold 0, over several seeds, each with its own validation
# part and start: mean NDCG@10, standard deviation over the seeds, epochs and seconds of a training. The test fold is
# not used.
#
#   core/lab/bench/ablation.sh              MovieLens small, both questions
#   core/lab/bench/ablation.sh sigma        only: Gaussians or points
#   core/lab/bench/ablation.sh margin       only: adaptive or fixed margins
#   DATA=… SPLIT=… SEEDS="1 2 3" ARGS="--dim 100" core/lab/bench/ablation.sh
#
# Finished measurements in OUT are not repeated, so it can be stopped at any time.
set -euo pipefail
cd "$(dirname "$0")/../../.."

DATA=${DATA:-assets/data/ml-latest-small}
SPLIT=${SPLIT---fold 0}
SEEDS=${SEEDS:-1 2 3}
ARGS=${ARGS:-}
OUT=${OUT:-build/ablation}
mkdir -p "$OUT"
LAB=${LAB:-}
if [ -z "$LAB" ]; then
	LAB=$OUT/pmlam-lab
	go build -C core/lab -o "$PWD/$LAB" ./cmd/pmlam-lab
fi

# measure NAME FLAGS…: a study of one trial, the settings themselves, for each seed.
measure() {
	local name=$1 seed
	shift
	for seed in $SEEDS; do
		# shellcheck disable=SC2086 # several words are meant
		"$LAB" tune --data "$DATA" $SPLIT --validation 0.2 --trials 1 --seed "$seed" --json \
			--out "$OUT/${name//[^a-zA-Z0-9.]/-}-$seed" "$@" $ARGS 2>>"$OUT/log"
	done | sed -n 's/.*"best":{[^}]*}*,"ndcg":\([0-9.e-]*\),"epochs":\([0-9]*\),.*"seconds":\([0-9.]*\).*/\1 \2 \3/p' |
		awk -v name="$name" '{ n++; x += $1; xx += $1 * $1; e += $2; s += $3 }
			END { if (!n) { printf "%-44s nothing: see the log in the folder\n", name; exit }
				m = x / n; v = n > 1 ? (xx - n * m * m) / (n - 1) : 0
				printf "%-44s %.4f ± %.4f  %3d epochs  %6.1f s\n", name, m, sqrt(v > 0 ? v : 0), e / n, s / n }'
}

sigma() {
	echo "Gaussians or points (preset best, nothing chosen, each with the temperatures that could suit it):"
	local tau radius
	for tau in 0.7 1 1.4; do
		measure "Gaussians, radius 1, τ $tau" --preset best --temperature $tau
		for radius in 1 1.5 2; do
			measure "points, radius $radius, τ $tau" --preset best --temperature $tau --deterministic --radius $radius
		done
		# The same count of numbers per item as Gaussians.
		for radius in 1.5 2; do
			measure "points of dimension 100, radius $radius, τ $tau" --preset best --temperature $tau --deterministic --radius $radius --dim 100
		done
	done
}

margin() {
	echo "Adaptive or fixed margins (preset paper with 2 negatives and no relations, epochs by stopping early):"
	local alpha m
	local paper="--preset paper --relations none --negatives 2 --epochs 300 --every 10 --lr 0.003"
	for m in 0.5 1 2 4; do
		# shellcheck disable=SC2086
		measure "fixed margin $m" $paper --margin fixed --margin-value $m
	done
	for alpha in 0.001 0.01 0.1 1; do
		# shellcheck disable=SC2086
		measure "adaptive margin, α $alpha" $paper --alpha $alpha
	done
	for alpha in 0.1 1; do
		# shellcheck disable=SC2086
		measure "adaptive margin, α $alpha, outer rate 0.01" $paper --alpha $alpha --outer-lr 0.01
	done
}

case ${1:-all} in
sigma) sigma ;;
margin) margin ;;
all) sigma && echo && margin ;;
*) echo "ablation.sh: unknown study $1; use sigma, margin, or nothing for both" >&2 && exit 2 ;;
esac
