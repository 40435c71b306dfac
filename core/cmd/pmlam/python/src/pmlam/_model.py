"""Training, evaluation, and the model."""

from __future__ import annotations

import csv
import html
import numbers
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Literal, Sequence, Union

from ._command import PmlamError, Stopped, call, flags
from ._map import Map, draw

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Data = Union[str, "os.PathLike[str]", "pandas.DataFrame", "polars.DataFrame", "polars.LazyFrame", "pyarrow.Table"]
"""A path, or a frame."""
Item = Union[str, int]
"""A title, or an item's id: a number, or text after "id:", such as "id:p11"."""
Frame = Any
"""A pandas DataFrame where pandas is installed, else a list of dicts."""

# Flags that only evaluate has, and those that it shares with train.
_MEASURED = {"k", "diversity"}
_DATA = {
    *("user", "item", "rating", "time", "title", "event", "events", "format", "no_ratings", "delimiter", "encoding"),
    *("header", "no_header", "min_rating", "skip_bad_lines"),
}
_SPLIT = {
    *("min_user", "min_item", "one_pass", "test", "fold", "folds", "split_seed", "test_min_item", "by_time"),
    *("split_time", "workers", "device"),
}


@dataclass(frozen=True)
class Reason:
    """A like that an item is recommended for, and its share of the item's score, 0 to 1."""

    id: str
    title: str
    share: float


@dataclass(frozen=True)
class Explanation:
    """An item's place for a visitor, and the reasons for it."""

    id: str
    title: str
    rank: int
    """Its place among all items that are not liked or excluded, from 1."""
    match: float
    """The share of the catalogue that is farther from the visitor."""
    chance: float | None
    """The calibrated chance of liking it; None without calibration."""
    certainty: str | None
    """The chance in a word, such as "fairly sure"."""
    reasons: list[Reason]
    """The likes with the largest shares, three at most."""
    general: float
    """The share of general popularity."""


class Model:
    """A trained model. recommend, similar and explain start the program once or twice and keep no state."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        """The model file."""
        self.info: dict[str, Any] = call("inspect", str(path))
        """What `pmlam inspect --json` says: items, dim, metrics, reliability, sha256 and more."""
        self.training: dict[str, Any] = {}
        """What `pmlam train --json` said, if this process trained the model."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Opens a model file, which `save` or `pmlam train` wrote."""
        return cls(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, which the command and a site read too."""
        shutil.copyfile(self.path, path)

    def recommend(
        self,
        likes: Item | Iterable[Item],
        k: int = 10,
        *,
        dislikes: Item | Iterable[Item] = (),
        exclude: Item | Iterable[Item] = (),
        **request: Any,
    ) -> Frame:
        """Returns the k best items for somebody with these likes, the best first.

        The columns are those of `pmlam recommend --json`: id, title, distance, match, chance, certainty, reasons and
        general. exclude names items to leave out. Further arguments are the command's flags, such as genre, from_year,
        mode, diversity and where. Instead of likes, user and data name a user of the data: recommend((), user=42,
        data="ratings.csv").
        """
        return _frame(self._recommend(likes, k, dislikes, exclude, request))

    def similar(self, item: Item, k: int = 10) -> Frame:
        """Returns the k items most similar to one: id, title, distance and match."""
        rows = call("similar", "--model", str(self.path), f"--number={k}", "--", _name(item))["similar"]
        return _frame([{name: value for name, value in row.items() if name != "reasons"} for row in rows])

    def explain(
        self,
        likes: Item | Iterable[Item],
        item: Item,
        *,
        dislikes: Item | Iterable[Item] = (),
    ) -> Explanation:
        """Returns an item's rank for somebody with these likes, and the reasons.

        Ranks the whole catalogue, which takes half a second for 4,000 items.
        """
        wanted = call("similar", "--model", str(self.path), "--number=1", "--", _name(item))
        rows = self._recommend(likes, self.info["items"], dislikes, (), {})
        for rank, row in enumerate(rows, 1):
            if row["id"] == wanted["id"]:
                return Explanation(
                    id=row["id"],
                    title=row["title"],
                    rank=rank,
                    match=row["match"],
                    chance=row.get("chance"),
                    certainty=row.get("certainty"),
                    reasons=[Reason(r["id"], r["title"], r["share"]) for r in row["reasons"]],
                    general=row["general"],
                )
        raise PmlamError(f'"{wanted["title"]}" is itself a like or a dislike, so it is not recommended')

    def to_arrow(self) -> pyarrow.Table:
        """Returns id, title, x, y (the place on the map, 0 to 1) and vector of all items.

        The Euclidean distance of two vectors is the Wasserstein distance of the items. Needs pyarrow.
        """
        import pyarrow.parquet

        with tempfile.TemporaryDirectory(prefix="pmlam-") as folder:
            call("export", "--model", str(self.path), "--as", "parquet", "--out", folder)
            # Read as bytes, so that Windows can delete the file.
            return pyarrow.parquet.read_table(pyarrow.BufferReader(Path(folder, "items.parquet").read_bytes()))

    def to_pandas(self) -> pandas.DataFrame:
        """Returns to_arrow() as a pandas DataFrame. Needs pandas and pyarrow."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Returns to_arrow() as a polars DataFrame. Needs polars and pyarrow."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def map(self, likes: Item | Iterable[Item] = (), k: int = 10) -> Map:
        """Returns a picture of the map of titles, which notebooks show, with likes and their k best marked."""
        with tempfile.TemporaryDirectory(prefix="pmlam-") as folder:
            call("export", "--model", str(self.path), "--as", "npy", "--out", folder)
            with open(Path(folder, "items.ids.csv"), encoding="utf-8", newline="") as file:
                titles = [
                    (_plain(row["id"]), _plain(row["title"]), float(row["x"]), float(row["y"]))
                    for row in csv.DictReader(file)
                ]
        likes = _names(likes)
        if not likes:
            return draw(titles)
        liked = [call("similar", "--model", str(self.path), "--number=1", "--", like)["id"] for like in likes]
        return draw(titles, liked, [row["id"] for row in self._recommend(likes, k, (), (), {})])

    def _recommend(
        self,
        likes: Item | Iterable[Item],
        k: int,
        dislikes: Item | Iterable[Item],
        exclude: Item | Iterable[Item],
        request: dict[str, Any],
    ) -> list[dict[str, Any]]:
        given = ["--model", str(self.path), f"--number={k}"]
        for flag, items in (("like", likes), ("dislike", dislikes), ("seen", exclude)):
            given += [f"--{flag}={name}" for name in _names(items)]
        if "user" in request:
            given.append(f"--user={request.pop('user')}")
        for flag in ("genre", "where"):
            texts = request.pop(flag, ())
            given += [f"--{flag}={text}" for text in ([texts] if isinstance(texts, str) else texts)]
        rows: list[dict[str, Any]] = call("recommend", *given, *flags(request))["recommendations"]
        for row in rows:
            row.setdefault("general", 0.0)
        return rows

    def __repr__(self) -> str:
        return f"<pmlam.Model of {self.info['dataset'] or 'items'}: {self.info['items']} items>"

    def _repr_html_(self) -> str:
        metrics = self.info.get("metrics") or {}
        facts = {
            "Data": f"{self.info['dataset']}: {self.info['trained_users']} users, "
            f"{self.info['interactions']} interactions",
            "Items": self.info["items"],
            **{name: f"{metrics[name]:.3f}" for name in ("recall@10", "ndcg@10") if name in metrics},
            "File": f"{self.info['bytes']:,} bytes",
        }
        rows = "".join(f"<tr><th>{name}</th><td>{html.escape(str(value))}</td></tr>" for name, value in facts.items())
        return f"<table>{rows}</table>{self.map().svg}"


def train(
    interactions: Data | None,
    items: Data | None = None,
    *,
    user: str | None = None,
    item: str | None = None,
    rating: str | Literal[False] | None = None,
    time: str | None = None,
    progress: bool = True,
    **settings: Any,
) -> Model:
    """Learns a model from interactions and returns it.

    interactions and items are files or folders in any form that the command reads, or frames of pandas, polars or
    pyarrow. Columns are recognised by their names; user, item, rating and time name them otherwise. rating=False makes
    every interaction a like. settings are the flags of `pmlam train`: epochs=10 is --epochs 10, auto=False is
    --auto=false. If neither min_user nor min_item is given, both are chosen as `pmlam init` chooses them. With
    interactions=None the model is made from the catalogue alone.

    Ctrl-C raises Stopped, whose attribute model is the best model so far.
    """
    settings.update(user=user, item=item, rating=rating, time=time)
    with _Files() as files:
        data = files.interactions(interactions, items, settings)
        return files.train(data, settings, progress)


def evaluate(
    interactions: Data,
    items: Data | None = None,
    *,
    baselines: Sequence[str] = (),
    model: Model | None = None,
    user: str | None = None,
    item: str | None = None,
    rating: str | Literal[False] | None = None,
    time: str | None = None,
    progress: bool = True,
    **settings: Any,
) -> Frame:
    """Measures pmlam and plain methods on held-out interactions, and returns a row of metrics for each method.

    Holds out a fifth of each user's likes, fold=0, unless test, fold, by_time or split_time says otherwise. Without
    model, trains one on the rest with the given settings; a given model must have been trained with the same split.
    baselines are names from `pmlam methods`, such as "popularity", "itemknn" or "ease:lambda=80". k is the list of
    lengths, [10, 20] by default.
    """
    settings.update(user=user, item=item, rating=rating, time=time)
    if not any(settings.get(name) is not None for name in ("test", "fold", "by_time", "split_time")):
        settings["fold"] = 0
    with _Files() as files:
        data = files.interactions(interactions, items, settings)
        measured = {name: value for name, value in settings.items() if name in _MEASURED}
        rest = {name: value for name, value in settings.items() if name not in _MEASURED}
        if model is None:
            model = files.train(data, rest, progress)
        else:
            unknown = [name for name in rest if name not in _DATA | _SPLIT]
            if unknown:
                raise TypeError(f"{unknown[0]} is a setting of the training, and the model is already trained")
        shared = {name: value for name, value in rest.items() if name in _DATA | _SPLIT}
        given = [*data, "--model", str(model.path), *flags({**shared, **measured})]
        if baselines:
            given += ["--baselines", ",".join([baselines] if isinstance(baselines, str) else baselines)]
        rows = []
        for row in call("evaluate", *given, progress=progress, names=files.names)["results"]:
            row.pop("slices", None)
            row["method"] = row["method"].replace(str(model.path), "pmlam")
            rows.append(row)
        return _frame(rows)


class _Files:
    """Temporary files of frames, and what messages call them."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="pmlam-")
        self.names: dict[str, str] = {}

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()

    def path(self, data: Data, name: str) -> str:
        """Returns the path of data, after writing a frame to a file."""
        if isinstance(data, (str, os.PathLike)):
            return os.fspath(data)
        path = os.path.join(self.folder.name, name)
        kind = type(data).__module__.split(".")[0]
        frame: Any = data
        if kind == "polars":
            path += ".parquet"
            (frame.collect() if hasattr(frame, "collect") else frame).write_parquet(path)
        elif kind == "pandas":
            try:
                frame.to_parquet(path + ".parquet", index=False)
                path += ".parquet"
            except ImportError:  # without pyarrow
                path += ".csv"
                frame.to_csv(path, index=False)
        elif hasattr(frame, "__arrow_c_stream__"):
            import pyarrow.parquet

            path += ".parquet"
            pyarrow.parquet.write_table(pyarrow.table(frame), path)
        else:
            raise TypeError(f"{name} is a {type(data).__name__}; pass a path, or a frame of pandas, polars or pyarrow")
        self.names[path] = name
        return path

    def interactions(self, interactions: Data | None, items: Data | None, settings: dict[str, Any]) -> list[str]:
        """Returns the flags of the data, and sets the minima if none are given."""
        given = [] if interactions is None else ["--data", self.path(interactions, "interactions")]
        if items is not None:
            given += ["--items", self.path(items, "items")]
        if interactions is None:
            settings.setdefault("cold_items", True)
            return given
        fixed = ("min_user", "min_item", "test", "split_time", "refresh", "from_", "config", "project")
        if not any(settings.get(name) is not None for name in fixed):
            shared = {name: value for name, value in settings.items() if name in _DATA}
            paths = [os.path.abspath(path) for path in given[1::2]]
            try:
                found = call("init", *flags(shared), "--", *paths, folder=self.folder.name)
                settings.update(min_user=found.get("min_user"), min_item=found.get("min_item"))
            except PmlamError:
                pass  # The training says what is wrong.
        return given

    def train(self, data: list[str], settings: dict[str, Any], progress: bool) -> Model:
        for name in ("data", "items", "out"):
            if name in settings:
                raise TypeError(f"{name} is not a setting; save() writes the model")
        kept = tempfile.TemporaryDirectory(prefix="pmlam-")
        out = os.path.join(kept.name, "model.msgpack")
        given = [*data, *flags(settings), "--out", out]

        def opened(training: dict[str, Any]) -> Model:
            model = Model(out)
            model._folder, model.training = kept, training
            return model

        try:
            training = call("train", *given, progress=progress, names=self.names)
        except Stopped as stopped:
            if os.path.exists(out):
                stopped.model = opened(stopped.args[0])
            stopped.args = ("the training was stopped; the attribute model is the best model so far",)
            raise
        return opened(training)


def _frame(rows: list[dict[str, Any]]) -> Frame:
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _name(item: Item) -> str:
    return f"id:{int(item)}" if isinstance(item, numbers.Integral) else str(item)


def _names(items: Item | Iterable[Item]) -> list[str]:
    if isinstance(items, (str, numbers.Integral)):
        return [_name(items)]
    return [_name(item) for item in items]  # type: ignore[union-attr]


def _plain(text: str) -> str:
    """Removes the apostrophe that protects spreadsheets from formulas."""
    rest = text.lstrip("'")
    return text[1:] if text.startswith("'") and rest[:1] in tuple("=+-@\t\r\n") and rest else text
