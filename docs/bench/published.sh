#!/bin/sh
# Trains the methods that PMLAM is compared with on the standard Gowalla split, with the settings of docs/baselines.md,
# and prints their Recall@20 and NDCG@20 beside the published ones.
#
#   published.sh PMLAM DATA FOLDER [NAME...]
#
# PMLAM is the command, DATA the folder gowalla-lightgcn, FOLDER takes results and checkpoints, and NAMEs are those to
# train, all by default. What is there already is not done again, and a training that was stopped goes on. SLICE=8m
# stops each command after that time; run it again to go on.
set -eu
pmlam=$1 data=$2 folder=$3
shift 3
mkdir -p "$folder"

# name, published Recall@20 and NDCG@20 (- where none is known), method with its settings
methods='
popularity - - popularity
itemknn .1570 .1214 itemknn:neighbours=100:normalise=1:centre=1
ease .1765 .1467 ease:lambda=80
turbocf .1835 .1531 turbocf:alpha=0.6:power=0.7
slim .1699 .1382 slim:l1=2:l2=20
ials - - ials:dim=64:epochs=8:unobserved=0.003:lambda=0.01
bprmf .1627 .1378 bprmf:dim=64:epochs=33:lr=0.002:decay=1:batch=1024:negatives=300:candidates=0:regularizer=0:whole=0.0000001
cml .1670 .1292 cml:dim=100:epochs=74:lr=0.001:batch=50000:negatives=100:candidates=0:margin=1.9:covariance=0
lightgcn-5 .1071 .0894 lightgcn:dim=64:layers=3:epochs=5:lr=0.001:batch=2048:negatives=1:candidates=0:byuser=1:regularizer=0.0001
lightgcn .1820 .1547 lightgcn:dim=64:layers=3:epochs=1000:lr=0.03:decay=1:batch=131072:negatives=1:candidates=0:byuser=1:regularizer=0.0001
'

figure() { # of the result $1
	sed -n 's/.*"'"$2"'":\([0-9.]*\).*/\1/p' "$folder/$1.json"
}

echo "$methods" | while read -r name recall ndcg spec; do
	[ -n "$name" ] || continue
	if [ $# -gt 0 ]; then
		case " $* " in *" $name "*) ;; *) continue ;; esac
	fi
	# A result is of these very settings.
	if [ -e "$folder/$name.json" ] && [ "$(cat "$folder/$name.spec")" = "$spec" ]; then
		continue
	fi
	case $name in
	popularity | itemknn | ease | slim | turbocf | ials) keep= ;;
	*) keep="--checkpoint $folder/$name --checkpoint-every 1m --curves $folder/$name" ;;
	esac
	echo "$name: $spec"
	# A training that is interrupted keeps a checkpoint and measures nothing.
	# shellcheck disable=SC2086 # the words of $keep and of the time limit are meant to be split
	code=0
	${SLICE:+timeout -s INT $SLICE} "$pmlam" train --data "$data" --method "$spec" --json $keep \
		>"$folder/$name.now" || code=$?
	case $code in
	0) ;;
	124) echo "$name: not at its end yet; run this again" && continue ;;
	*) exit $code ;;
	esac
	echo "$spec" >"$folder/$name.spec"
	mv "$folder/$name.now" "$folder/$name.json"
done

printf '\n%-12s %-23s %-23s %s\n' method 'recall@20 (published)' 'ndcg@20 (published)' 'off by'
echo "$methods" | while read -r name recall ndcg spec; do
	[ -n "$name" ] && [ -e "$folder/$name.json" ] || continue
	r=$(figure "$name" recall@20) n=$(figure "$name" ndcg@20)
	awk -v name="$name" -v r="$r" -v n="$n" -v pr="$recall" -v pn="$ndcg" 'BEGIN {
		off = pr == "-" ? "" : sprintf("%+.1f%%, %+.1f%%", 100 * (r / pr - 1), 100 * (n / pn - 1))
		printf "%-12s %.4f (%s) %12s %.4f (%s) %12s %s\n", name, r, pr, "", n, pn, "", off
	}'
done
