"""Draws titles for items 0 to N-1, as a file of items for pmlam: each word follows the one before as often as in
MovieLens' titles, and no two titles with their years are the same.

    python3 core/lab/bench/titles.py assets/data/ml-latest-small/movies.csv 1000000 > titles.csv
"""

import csv
import random
import re
import sys


def main(movies, n):
    following = {}
    with open(movies, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            words = re.sub(r"\s*\([^()]*\)", "", row["title"]).split()
            for before, after in zip([""] + words, words + [""]):
                following.setdefault(before, []).append(after)
    draw = random.Random(1)
    known = set()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["itemId", "title"])
    while len(known) < n:
        words = []
        while len(words) < 10:
            word = draw.choice(following[words[-1] if words else ""])
            if word == "":
                break
            words.append(word)
        title = f"{' '.join(words)} ({draw.randint(1920, 2025)})"
        if words and title not in known:
            out.writerow([len(known), title])
            known.add(title)


main(sys.argv[1], int(sys.argv[2]))
