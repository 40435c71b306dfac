#!/bin/bash
# Measures models and plain methods on users outside the training: core/lab/docs/unseen.md. Results and models are kept in
# build/measure/unseen, and results are not measured again.
#
#   unseen.sh small     MovieLens small, three draws of the users (minutes)
#   unseen.sh SET       gowalla-strong, yelp2018-strong or ml-1m-m1 in PMLAM_DATA (half an hour on two quiet cores)
#   unseen.sh PATH      any other data, such as an owner's orders, three draws of the users
set -euo pipefail
out=build/measure/unseen
mkdir -p "$out"
plain=popularity,itemknn:neighbours=50,itemknn:neighbours=200,weighted,ials,slim

# measure NAME DATA SEED [--by-user SHARE]: with the inverses and the values of alpha and relax to try.
measure() {
	local name=$1 data=$2 seed=$3 share=${4:-}
	local model=$out/$name-$seed.msgpack split=()
	if [ -n "$share" ]; then split=(--by-user "$share" --split-seed "$seed"); fi
	build/measure/pmlam train --data "$data" "${split[@]}" --seed "$seed" --out "$model" --replace >"$out/$name-$seed.log" 2>&1
	build/measure/bin/unseen -data "$data" ${share:+-by-user "$share"} -seed "$seed" -keep "$out/$name-$seed.results" \
		-inverses "$inverses" -iterated "$iterated" -alpha "$alpha" -relax "$relax" -baselines "$plain" -models "$model"
}

inverses=$(for l in 10 30 100 300 1000; do for p in 0 0.3 0.6; do for b in 0 0.3 0.6; do echo "$l/$p/$b"; done; done; done)
alpha=0,0.1,0.2,0.3
iterated=
relax=0,0.1,0.5,1
case ${1:-small} in
small) for seed in 1 2 3; do measure small assets/data/ml-latest-small "$seed" 0.1; done ;;
ml-1m-m1) for seed in 1 2 3; do measure ml-1m "$PMLAM_DATA/ml-1m-m1" "$seed" 0.1; done ;;
gowalla-strong) # by the settings of DAN's authors
	inverses= iterated="20/0.5/1/0.2/0.3 20/0.6/0/0.2/0.3" plain=popularity,weighted
	measure gowalla "$PMLAM_DATA/gowalla-strong" 1 ;;
yelp2018-strong)
	inverses= iterated="50/0.7/1/0.3/0.2 20/0.7/0/0.3/0.3" plain=popularity,weighted
	measure yelp2018 "$PMLAM_DATA/yelp2018-strong" 1 ;;
*) for seed in 1 2 3; do measure "$(basename "$1" | tr -c 'a-z0-9\n' -)" "$1" "$seed" 0.1; done ;;
esac
