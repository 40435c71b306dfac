"""Tests the installed package in a folder with orders.csv and products.csv: test.py [python.md]

Frames are tested where pandas, polars and pyarrow are installed. The argument is a page whose Python is run in order.
"""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import pmlam

FRAMES = all(importlib.util.find_spec(name) for name in ("pandas", "polars", "pyarrow"))


def rows(frame: Any) -> list[dict[str, Any]]:
    if isinstance(frame, list):
        return frame
    assert FRAMES, "a frame without pandas"
    found: list[dict[str, Any]] = frame.to_dict("records")
    return found


def fails(want: str, call: Any, kind: type[Exception] = pmlam.PmlamError) -> None:
    try:
        call()
    except kind as error:
        assert re.search(want, str(error)), f"{error} does not match {want}"
    else:
        raise AssertionError(f"want an error like {want}")


def quiet(*arguments: Any, **settings: Any) -> pmlam.Model:
    return pmlam.train(*arguments, progress=False, **settings)


begin = time.monotonic()
model = pmlam.train("orders.csv", "products.csv")
first = rows(model.recommend(["Kettle", "Toaster"], k=3))
print(f"python: from import to the first list in {time.monotonic() - begin:.1f} s")

assert len(first) == 3 and first[0]["title"] not in ("Kettle", "Toaster"), first
assert model.info["items"] == 40 and model.training["users"] == 120, model.info
assert {"id", "title", "distance", "match", "chance", "certainty", "reasons"} <= set(first[0]), first
assert rows(model.recommend("Kettle", k=2)) == rows(model.recommend(["id:p1"], k=2))
own = rows(model.recommend((), user="c1", data="orders.csv", k=2))
assert own and own[0]["id"] not in ("p3", "p11", "p12"), own
left = rows(model.recommend(["Kettle"], k=3, dislikes="Rake", exclude=[first[0]["title"]]))
assert first[0]["id"] not in [row["id"] for row in left], left
assert len(rows(model.recommend(["Kettle"], k=40, genre="Kitchen"))) < 39
similar = rows(model.similar("Kettle", k=4))
assert len(similar) == 4 and "reasons" not in similar[0], similar
why = model.explain(["Kettle", "Rake"], "Pan")
assert why.title == "Pan" and {reason.title for reason in why.reasons} <= {"Kettle", "Rake"}, why
assert 0 < sum(reason.share for reason in why.reasons) + why.general <= 1 + 1e-6, why

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "kept.msgpack")
    model.save(path)
    again = pmlam.Model.load(path)
    assert again.info["sha256"] == model.info["sha256"]
    assert rows(again.recommend(["Kettle"])) == rows(model.recommend(["Kettle"]))
    again.map(["Kettle"]).save(Path(folder, "map.svg"))
    drawn = xml.etree.ElementTree.parse(Path(folder, "map.svg")).getroot()
    assert "Kettle" in [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
assert "40" in model._repr_html_() and "<svg" in model._repr_html_() and "40 items" in repr(model)

results = rows(pmlam.evaluate("orders.csv", baselines=["popularity", "ease:lambda=80"], k=[5], progress=False))
assert [row["method"] for row in results][:3] == ["popularity", "ease:lambda=80", "pmlam"], results
assert all(0 < row["ndcg@5"] <= 1 for row in results), results
held_out = quiet("orders.csv", fold=0, min_user=3, min_item=3)
measured = rows(pmlam.evaluate("orders.csv", model=held_out, min_user=3, min_item=3, k=5, progress=False))
assert measured[0]["ndcg@5"] == results[2]["ndcg@5"], (measured, results)
catalogue = quiet(None, "products.csv")
assert catalogue.info["items"] == 40, catalogue.info

fails('no column "buyer" for the user; .* "sku", .*user', lambda: quiet("orders.csv", user="buyer"))
fails("^none.csv: there is no such file", lambda: quiet("none.csv"))
fails("lower the minima .*min_user, min_item", lambda: quiet("orders.csv", min_user=100))
fails("unknown flag: dims", lambda: quiet("orders.csv", dims=3))
fails('no title .* like "Zeppelin"', lambda: model.recommend(["Zeppelin"]))
fails('no item .* id "7"', lambda: model.similar(7))
fails("^nothing is liked: pass likes", lambda: model.recommend([]))
fails("is itself a like", lambda: model.explain(["Kettle"], "Kettle"))
fails("missing.msgpack", lambda: pmlam.Model.load("missing.msgpack"))
fails("is a list; pass a path", lambda: quiet([1, 2]), TypeError)
fails("out is not a setting", lambda: quiet("orders.csv", out="x"), TypeError)
fails("epochs is a setting", lambda: pmlam.evaluate("orders.csv", model=model, epochs=3), TypeError)

if os.name != "nt":
    # A long training is stopped, and what it has learned so far is kept. A shell's background jobs ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        quiet("orders.csv", epochs=100_000_000, auto=False, calibrate=False)
    except pmlam.Stopped as stopped:
        assert stopped.model and len(rows(stopped.model.similar("id:p1", k=2))) == 2
    else:
        raise AssertionError("the training was not stopped")

if FRAMES:
    import pandas
    import polars
    import pyarrow.csv

    delimited = pyarrow.csv.ParseOptions(delimiter=";")
    frames: list[tuple[Any, Any]] = [
        (pandas.read_csv("orders.csv", sep=";"), pandas.read_csv("products.csv", sep=";")),
        (polars.read_csv("orders.csv", separator=";"), polars.scan_csv("products.csv", separator=";")),
        (
            pyarrow.csv.read_csv("orders.csv", parse_options=delimited),
            pyarrow.csv.read_csv("products.csv", parse_options=delimited),
        ),
    ]
    for orders, products in frames:
        other = quiet(orders, products)
        assert rows(other.recommend(["Kettle", "Toaster"], k=3)) == first, type(orders)
    orders = frames[0][0]
    orders["visitor"] = orders.pop("customer").str[1:].astype(int)
    orders["sku"] = orders["sku"].str[1:].astype(int)
    numbered = quiet(orders, user="visitor", item="sku")
    assert rows(numbered.similar(1, k=1)), numbered
    fails('^interactions: there is no column "buyer"', lambda: quiet(orders, user="buyer"))
    fails("^interactions.*", lambda: quiet(orders[:0]))
    fails("^interactions.*", lambda: quiet(pandas.DataFrame()))
    fails("^interactions.*", lambda: quiet(polars.DataFrame({"user": [], "item": []})))
    table = model.to_arrow()
    assert table.column_names == ["id", "title", "x", "y", "vector"] and table.num_rows == 40, table
    assert model.to_pandas().shape == (40, 5) and model.to_polars().shape == (40, 5)

if len(sys.argv) > 1:
    page = Path(sys.argv[1]).read_text("utf-8")
    scope: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S):
        exec(block, scope)
print(f"python: all well {'with' if FRAMES else 'without'} pandas, polars and pyarrow")
