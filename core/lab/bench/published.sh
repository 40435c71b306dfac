#!/bin/sh
# Trains the methods that PMLAM is compared with on published splits, with the settings of core/lab/docs/baselines.md,
# and prints their Recall@20 and NDCG@20 next to the published ones.
#
#   published.sh PMLAM-LAB DATA FOLDER [NAME...]
#
# PMLAM-LAB is the command, DATA the folder with the data, FOLDER takes results and checkpoints, and NAMEs select
# methods, all by default. Finished results are not repeated, and stopped trainings resume. SLICE=8m stops each command
# after that time; run it again to resume.
set -eu
lab=$1 folders=$2 folder=$3
shift 3
mkdir -p "$folder"

# name, data, published Recall@20 and NDCG@20 (- where none is known), method with its settings
methods='
popularity gowalla-lightgcn - - popularity
itemknn gowalla-lightgcn .1570 .1214 itemknn:neighbours=100:normalise=1:centre=1
ease gowalla-lightgcn .1765 .1467 ease:lambda=80
turbocf gowalla-lightgcn .1835 .1531 turbocf:alpha=0.6:power=0.7
slim gowalla-lightgcn .1699 .1382 slim:l1=0.25:l2=20
ials gowalla-lightgcn - - ials:dim=64:epochs=8:unobserved=0.003:lambda=0.01
bprmf gowalla-lightgcn .1627 .1378 bprmf:dim=64:epochs=33:lr=0.002:decay=1:batch=1024:negatives=300:candidates=0:regularizer=0:whole=0.0000001
cml gowalla-lightgcn .1670 .1292 cml:dim=100:epochs=74:lr=0.001:batch=50000:negatives=100:candidates=0:margin=1.9:covariance=0
simplex yelp2018-lightgcn .0701 .0575 simplex:dim=64:epochs=25:lr=0.125:decay=1:batch=512:negatives=1000:margin=0.9:weight=150
bsl ml-1m-m1 .2804 .2681 bsl:dim=64:epochs=20:lr=0.01:decay=1:batch=2048:negatives=800:temperature=0.17:power=1.06
lightgcn-5 gowalla-lightgcn .1071 .0894 lightgcn:dim=64:layers=3:epochs=5:lr=0.001:batch=2048:negatives=1:candidates=0:byuser=1:regularizer=0.0001
lightgcn gowalla-lightgcn .1820 .1547 lightgcn:dim=64:layers=3:epochs=1000:lr=0.03:decay=1:batch=131072:negatives=1:candidates=0:byuser=1:regularizer=0.0001
'

figure() { # of the result $1
	sed -n 's/.*"'"$2"'":\([0-9.]*\).*/\1/p' "$folder/$1.json"
}

echo "$methods" | while read -r name data recall ndcg spec; do
	[ -n "$name" ] || continue
	if [ $# -gt 0 ]; then
		case " $* " in *" $name "*) ;; *) continue ;; esac
	fi
	# A result belongs to exactly these data and settings.
	if [ -e "$folder/$name.json" ] && [ "$(cat "$folder/$name.spec")" = "$data $spec" ]; then
		continue
	fi
	case ${spec%%:*} in
	popularity | itemknn | ease | slim | turbocf | ials) keep= ;;
	*) keep="--checkpoint $folder/$name --checkpoint-every 1m --curves $folder/$name" ;;
	esac
	echo "$name, $data: $spec"
	# A training that is interrupted keeps a checkpoint and measures nothing.
	# shellcheck disable=SC2086 # the words of $keep and of the time limit are meant to be split
	code=0
	${SLICE:+timeout -s INT $SLICE} "$lab" train-baseline --data "$folders/$data" --method "$spec" --json $keep \
		>"$folder/$name.now" || code=$?
	case $code in
	0) ;;
	124) echo "$name: not finished yet; run this again" && continue ;;
	*) exit $code ;;
	esac
	echo "$data $spec" >"$folder/$name.spec"
	mv "$folder/$name.now" "$folder/$name.json"
done

printf '\n%-12s %-18s %-23s %-23s %s\n' method data 'recall@20 (published)' 'ndcg@20 (published)' 'off by'
echo "$methods" | while read -r name data recall ndcg spec; do
	[ -n "$name" ] && [ -e "$folder/$name.json" ] || continue
	r=$(figure "$name" recall@20) n=$(figure "$name" ndcg@20)
	awk -v name="$name" -v data="$data" -v r="$r" -v n="$n" -v pr="$recall" -v pn="$ndcg" 'BEGIN {
		off = pr == "-" ? "" : sprintf("%+.1f%%, %+.1f%%", 100 * (r / pr - 1), 100 * (n / pn - 1))
		printf "%-12s %-18s %.4f (%s) %10s %.4f (%s) %10s %s\n", name, data, r, pr, "", n, pn, "", off
	}'
done
