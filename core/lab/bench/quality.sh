#!/usr/bin/env bash
# Every preset on every data set, over several seeds: mean and standard deviation of Recall and NDCG on the test part,
# all users, all items outside the training part ranked. Settings are chosen once per data set, by --preset hybrid with
# seed 1 on a validation part of the training part, and reused for the other seeds. Preset best is hybrid without its
# item-item part, which is found after the training: the same Gaussians are ranked by the distance alone. Preset paper
# chooses its epochs on a validation part of each run, except on MovieLens small, where the preset's were chosen.
#
#   PMLAM_DATA=FOLDER core/lab/bench/quality.sh            everything: hours
#   PMLAM_DATA=FOLDER core/lab/bench/quality.sh cds dpq    these data sets only: ml, cds, dpq, gowalla
#   SEEDS="1 2 3" OUT=build/quality WITH="hybrid best paper" …
#
# Finished measurements in OUT are not repeated, and trainings resume from checkpoints, so it can be stopped at any time.
set -euo pipefail
cd "$(dirname "$0")/../../.."

SEEDS=${SEEDS:-1 2 3}
WITH=${WITH:-hybrid best paper}
OUT=${OUT:-build/quality}
mkdir -p "$OUT"
if [ -z "${PMLAM:-}" ]; then
	PMLAM=$OUT/pmlam
	go build -o "$PMLAM" ./core/cmd/pmlam
fi

# run NAME FLAGS…: one training. On success its JSON goes into OUT/NAME.json, with its model next to it; until then its
# checkpoints are in OUT/NAME.run.
run() {
	local name=$1
	shift
	[ -s "$OUT/$name.json" ] && return
	if "$PMLAM" train "$@" --calibrate=false --precision float32 --checkpoint "$OUT/$name.run" --out \
		"$OUT/$name.msgpack" --json 2>>"$OUT/log" | tail -n 1 >"$OUT/$name.part"; then
		mv "$OUT/$name.part" "$OUT/$name.json"
		rm -rf "$OUT/$name.run"
	else
		printf '%s failed: see %s\n' "$name" "$OUT/log" >&2
	fi
}

# alone OUT-NAME MODEL-NAME FLAGS…: the model ranked without its item-item part.
alone() {
	local name=$1 model=$2
	shift 2
	[ -s "$OUT/$name.json" ] && return
	"$PMLAM" evaluate "$@" --model "$OUT/$model.msgpack" --json 2>>"$OUT/log" | tail -n 1 |
		sed -n 's/.*\({[^{]*without its item-item part[^}]*}\).*/\1/p' >"$OUT/$name.part"
	mv "$OUT/$name.part" "$OUT/$name.json"
}

# summary NAME K: the seeds' mean ± standard deviation.
summary() {
	local name=$1 k=$2 file
	for file in "$OUT/$name"-[0-9]*.json; do
		[ -s "$file" ] && printf '%s %s %s\n' "$(figure "recall@$k" "$file")" "$(figure "ndcg@$k" "$file")" \
			"$(figure seconds "$file")"
	done | awk -v name="$name" -v k="$k" '{ n++; r += $1; rr += $1 * $1; d += $2; dd += $2 * $2; s += $3 }
		function deviation(x, xx) { x = n > 1 ? (xx - x * x / n) / (n - 1) : 0; return sqrt(x > 0 ? x : 0) }
		END { if (n) printf "%-16s %d seeds  Recall@%d %.4f ± %.4f  NDCG@%d %.4f ± %.4f%s\n",
			name, n, k, r / n, deviation(r, rr), k, d / n, deviation(d, dd),
			s ? sprintf("  %6.0f s a training", s / n) : "" }'
}

figure() { sed -n "s/.*\"$1\":\([0-9.e-]*\).*/\1/p" "$2"; }

# measure NAME K PAPER-FLAGS -- DATA-FLAGS
measure() {
	local name=$1 k=$2 paper=() seed
	shift 2
	while [ "$1" != -- ]; do
		paper+=("$1")
		shift
	done
	shift
	run "$name-hybrid-1" "$@" --preset hybrid --seed 1
	"$PMLAM" inspect --config "$OUT/$name-hybrid-1.msgpack" >"$OUT/$name.config"
	for seed in $SEEDS; do
		case " $WITH " in *" hybrid "* | *" best "*)
			run "$name-hybrid-$seed" "$@" --config "$OUT/$name.config" --auto=false --seed "$seed" ;;
		esac
		case " $WITH " in *" best "*) alone "$name-best-$seed" "$name-hybrid-$seed" "$@" ;; esac
	done
	for seed in $SEEDS; do
		case " $WITH " in *" paper "*) run "$name-paper-$seed" "$@" --preset paper "${paper[@]}" --seed "$seed" ;; esac
	done
	for preset in $WITH; do summary "$name-$preset" "$k"; done
}

BY_VALIDATION=(--validation 0.1 --every 10 --patience 2 --epochs 100)
for name in ${*:-ml cds dpq gowalla}; do
	case $name in
	ml) measure ml 10 -- --data assets/data/ml-latest-small --fold 0 ;;
	cds) measure cds 10 "${BY_VALIDATION[@]}" -- --data "$PMLAM_DATA/amazon-cds-pmlam-partial" --fold 0 ;;
	dpq) measure dpq 10 "${BY_VALIDATION[@]}" -- --data "$PMLAM_DATA/dpq-electronics" ;;
	gowalla) measure gowalla 20 "${BY_VALIDATION[@]}" -- --data "$PMLAM_DATA/gowalla-lightgcn" ;;
	*) printf 'unknown data set %s: ml, cds, dpq or gowalla\n' "$name" >&2 && exit 2 ;;
	esac
done
