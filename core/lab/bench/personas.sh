#!/bin/sh
# The lists of seven people who come for one thing, by the given command and model: core/lab/docs/ways.md has results.
set -eu
pmlam=$1 model=$2
shift 2
list() {
	echo "$1:"
	shift
	for title; do
		set -- "$@" --like "$title"
		shift
	done
	"$pmlam" recommend --model "$model" $mode "$@" | sed -n 's/^ *\([0-9]*\. .* ([0-9]*)\) .*/  \1/p'
}
mode="${MODE:+--mode $MODE}"
list Horror "Halloween (1978)" "The Shining" "A Nightmare on Elm Street (1984)" "Scream (1996)"
list Ghibli "My Neighbor Totoro" "Spirited Away" "Princess Mononoke" "Kiki's Delivery Service"
list "Romantic comedy" "When Harry Met Sally..." "Sleepless in Seattle" "Notting Hill" "Pretty Woman"
list "Bergman and Tarkovsky" "The Seventh Seal" "Persona (1966)" "Stalker" "Solaris (1972)"
list "Frozen, Shrek, Nemo" "Frozen (2013)" "Shrek (2001)" "Finding Nemo"
list "1980s action" "Die Hard (1988)" "Predator (1987)" "The Terminator (1984)" "Lethal Weapon (1987)"
list "Star Wars and The Lord of the Rings" "Star Wars: Episode IV - A New Hope" \
	"Star Wars: Episode V - The Empire Strikes Back" "The Lord of the Rings: The Fellowship of the Ring" \
	"The Lord of the Rings: The Two Towers"
