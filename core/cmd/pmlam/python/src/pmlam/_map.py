"""Draws the map of titles."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Iterable, Sequence

_SIZE = 640
_MARGIN = 16
_LABELS = 30
_DOTS = 20_000


class Map:
    """A picture of the map, as SVG. Notebooks show it. Similar titles lie near each other."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | Path) -> None:
        """Writes the picture to a file, such as map.svg."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg


def draw(
    titles: Sequence[tuple[str, str, float, float]],
    liked: Iterable[str] = (),
    listed: Iterable[str] = (),
) -> Map:
    """Draws titles (id, title, x, y). Liked and recommended ids are marked and named first.

    Of the others, about 20,000 at most are drawn, evenly chosen.
    """
    liked, listed = set(liked), set(listed)
    scale = _SIZE - 2 * _MARGIN

    def place(x: float, y: float) -> tuple[float, float]:
        return _MARGIN + x * scale, _MARGIN + y * scale

    def dots(chosen: Iterable[tuple[str, str, float, float]]) -> str:
        places = [place(x, y) for _, _, x, y in chosen]
        return "".join(f"M{left:.1f} {top:.1f}h0" for left, top in places)

    others = [row for row in titles if row[0] not in liked and row[0] not in listed]
    others = others[:: len(others) // _DOTS + 1]

    size = 7 if len(titles) < 200 else 4 if len(titles) < 5000 else 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" width="{_SIZE}" height="{_SIZE}" '
        f'role="img" aria-label="Map of {len(titles)} titles" font-family="system-ui, sans-serif" font-size="11">',
        f'<rect width="{_SIZE}" height="{_SIZE}" rx="8" fill="#fff"/>',
        '<g fill="none" stroke-linecap="round">',
        f'<path d="{dots(others)}" stroke="#8aa0b8" stroke-width="{size}"/>',
        f'<path d="{dots(row for row in titles if row[0] in listed)}" stroke="#1f6feb" stroke-width="{size + 3}"/>',
        f'<path d="{dots(row for row in titles if row[0] in liked)}" stroke="#b23a12" stroke-width="{size + 4}"/>',
        "</g>",
        '<g stroke="#fff" stroke-width="3" stroke-linejoin="round" paint-order="stroke">',
    ]
    taken: list[tuple[float, float, float, float]] = []
    order = sorted(titles, key=lambda row: 0 if row[0] in liked else 1 if row[0] in listed else 2)
    for id, title, x, y in order:
        if len(taken) == _LABELS:
            break
        text = title if len(title) <= 28 else title[:27] + "…"
        left, top = place(x, y)
        width = 6.2 * len(text)
        left = max(2.0, min(left + size, _SIZE - width - 2))
        box = (left, top - 9, left + width, top + 5)
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            continue
        taken.append(box)
        weight = ' font-weight="bold"' if id in liked else ""
        parts.append(f'<text x="{left:.1f}" y="{top + 4:.1f}" fill="#24292f"{weight}>{html.escape(text)}</text>')
    parts.append("</g></svg>")
    return Map("".join(parts))
