#!/usr/bin/env bash
# Trains with the paper's settings three times on the same data from the same start, with this project and with JAX and
# PyTorch, one after the other, and prints a table. See README.md.
#
#     PMLAM_DATA=FOLDER [PYTHON=python3] [EPOCHS=3] [FRAMEWORKS="torch-compile jax torch"] [LIMIT=1h] \
#         core/lab/bench/epoch.sh
#
# With DEVICE=cuda:0 all of them train on that GPU, and this project also on all cores of the processor. BENCH names the
# program of epoch.go if it is built already.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
data=${PMLAM_DATA:?it names the folder that holds amazon-cds-pmlam-partial}/amazon-cds-pmlam-partial
python=${PYTHON:-python3}
epochs=${EPOCHS:-3}
device=${DEVICE:-cpu}
if [ "$device" = cpu ]; then
	tags="" theirs=cpu threads=2
else
	tags=gpu theirs=cuda threads=$(nproc)
	IFS=, read -ra visible <<<"${CUDA_VISIBLE_DEVICES:-}"
	n=${device#cuda:}
	export CUDA_VISIBLE_DEVICES=${visible[n]:-$n}
	device=cuda:0
fi
read -ra frameworks <<<"${FRAMEWORKS:-torch-compile jax torch}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Huge pages save a fifth of the frameworks' time: they allocate large temporaries at every step.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1

if [ -n "${BENCH:-}" ]; then
	cp "$BENCH" "$work/pmlam"
else
	(cd "$here" && go build -tags "$tags" -o "$work/pmlam" .)
fi
"$work/pmlam" -data "$data" -write "$work"
ran=()
for framework in "${frameworks[@]}"; do
	echo "$framework …" >&2
	if timeout "${LIMIT:-1h}" "$python" "$here/epoch.py" --framework "$framework" --device "$theirs" --start "$work" \
		--epochs "$epochs" --threads "$threads" >"$work/$framework.json"; then
		ran+=("$framework")
	else
		echo "$framework failed, or took longer than ${LIMIT:-1h}" >&2
	fi
done
echo "pmlam, twice …" >&2
"$work/pmlam" -data "$data" -epochs "$epochs" -device "$device" >"$work/pmlam.json"
"$work/pmlam" -data "$data" -epochs "$epochs" -device "$device" -seed 2 >"$work/pmlam-seed-2.json"
if [ "$device" != cpu ]; then
	echo "pmlam on all cores …" >&2
	"$work/pmlam" -data "$data" -epochs "$epochs" -workers 0 >"$work/pmlam-processor.json"
	ran+=(pmlam-processor)
fi
echo
files=("${ran[@]/#/$work/}")
"$python" "$here/table.py" "$work/pmlam.json" "$work/pmlam-seed-2.json" "${files[@]/%/.json}"
echo
uptime
