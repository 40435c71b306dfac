#!/usr/bin/env bash
# Measures the training on an NVIDIA GPU, part by part. docs/gpu.md has the results.
#
#     PMLAM_DATA=FOLDER [PYTHON=python3] [OUT=build/measure/gpu] [BUILT=build/gpu] core/lab/bench/gpu.sh [PART…]
#
# FOLDER holds amazon-cds-pmlam-partial. PYTHON has torch and jax. `make measure-gpu-build` builds the
# programs into BUILT, so that the machine with the GPU needs no Go. Parts: tests, sanitizer (compute-sanitizer), epochs
# (PyTorch, JAX, this project on the GPU and on all cores), kernels (ncu), books, cds, hybrid.
set -uo pipefail
cd "$(dirname "$0")/../../.."

built=$(realpath "${BUILT:-build/gpu}") out=$(realpath -m "${OUT:-build/measure/gpu}") python=${PYTHON:-python3}
data=$(realpath "${PMLAM_DATA:?it names the folder that holds amazon-cds-pmlam-partial}")
cds=$data/amazon-cds-pmlam-partial
export PMLAM_GPU=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# said PART: prints the time, to find slow parts.
said() { echo; echo "== $1 ($(date +%T))"; }

tests() { # the comparisons with the processor, and of the bits with the stand-in's
	(cd core/internal/cuda && "$built/cuda.test" -test.run Noise) || return
	(cd core/pmlam && "$built/pmlam.test" -test.v \
		-test.run 'DeviceLearns|DeviceBits|DeviceRanksAs|DeviceCheckpoints|DeviceValidates|DeviceThatDiverges') \
		>"$out/tests.log" 2>&1
	local code=$?
	grep -E '^(---|ok|FAIL|PASS)' "$out/tests.log"
	return $code
}

sanitizer() { # a step of every configuration that the tests have, and a ranking
	local tool failed=0
	for tool in memcheck racecheck synccheck initcheck; do
		(cd core/pmlam && compute-sanitizer --error-exitcode 1 --print-limit 100000 --tool "$tool" "$built/pmlam.test" \
			-test.short -test.run 'DeviceLearns|DeviceRanksAs') >"$out/$tool.log" 2>&1 || failed=1
		echo "$tool: $(tail -n 1 "$out/$tool.log")"
		sed -n 's/^=* *at \([a-z_]*\)+.*/\1/p' "$out/$tool.log" | sort | uniq -c # findings by kernel
	done
	return $failed
}

epochs() {
	BENCH=$built/bench DEVICE=cuda:0 EPOCHS=${EPOCHS:-3} PYTHON=$python PMLAM_DATA=$data core/lab/bench/epoch.sh
}

# measured NAME LAUNCHES COMMAND…: the kernels of two steps, by ncu, in the middle of a training; and their table.
measured() {
	local name=$1 launches=$2
	shift 2
	local metrics=gpu__time_duration.sum,dram__bytes.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
	metrics+=,sm__throughput.avg.pct_of_peak_sustained_elapsed,launch__registers_per_thread,launch__grid_size
	ncu --clock-control none --cache-control none --csv --page raw --print-units base --launch-skip 1000 \
		--launch-count "$launches" --metrics "$metrics" "$@" >"$out/$name.csv" 2>"$out/$name.log"
	"$python" core/lab/bench/kernels.py "$out/$name.csv"
}
kernels() {
	echo "preset paper on CDs:"
	measured kernels-paper 74 "$built/bench" -data "$cds" -device cuda:0 -epochs 1 || return
	drawn 2000000
	echo "preset best with the schedule for large data, 2 million drawn interactions:"
	measured kernels-best 64 "$built/pmlam" train --data "$drawn" --no-ratings --preset best --auto=false \
		--calibrate=false --dim 100 --user-parts 5 --negatives 512 --user-weight 2.83 --batch 20000 --lr .03 --epochs 1 \
		--device cuda:0
}

books() { # the size of the paper's Books
	"$built/bench" -data books -epochs 10 -device cuda:0
}

cds() { # all epochs of the preset, and a ranking of all users
	"$built/pmlam" train --data "$cds" --fold 0 --preset paper --device cuda:0
}

# drawn N: draws interactions of MovieLens-20M's shape into the file named by $drawn.
drawn() {
	drawn=$work/$1.csv
	"$built/pmlam" data synth --users $(($1 * 69 / 10000)) --items "$("$python" -c "print(int(27000*($1/2e7)**.5))")" \
		--interactions "$1" --out "$drawn" >/dev/null
}
hybrid() { # everything that `pmlam train` does with defaults, on 20 million interactions
	drawn "${INTERACTIONS:-20000000}"
	local device
	for device in ${DEVICES:-cuda:0 cpu}; do
		local name=hybrid-${device%:*}
		SECONDS=0
		"$built/pmlam" train --data "$drawn" --no-ratings --device "$device" --out "$work/model" --json \
			2>"$out/$name.log" | tail -n 1 >"$out/$name.json" || return
		echo "$device: $SECONDS s; $(grep -o '"seconds_of":{[^}]*}' "$out/$name.json")"
	done
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
[ $# -gt 0 ] || set -- tests sanitizer epochs kernels books cds hybrid
failed=0
for part; do
	said "$part"
	"$part" || { failed=1; echo "$part failed"; }
done
exit $failed
