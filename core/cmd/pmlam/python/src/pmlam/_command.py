"""Runs the program and reads its JSON."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Mapping, Sequence

if TYPE_CHECKING:
    from ._model import Model

# Arguments of Python whose flags have longer names.
COLUMNS = ("user", "item", "rating", "time", "title", "event")

# Flags that have another name in Python.
_PYTHON = {
    "no_ratings": "rating=False",
    "like": "likes",
    "dislike": "dislikes",
    "seen": "exclude",
    "number": "k",
    "from": "from_",
}


class PmlamError(Exception):
    """The program failed. The text says what is wrong, where, and what to do."""

    def __init__(self, message: str, code: int = 1, stderr: str = "") -> None:
        super().__init__(message)
        self.code = code
        """The exit code: 1 if the work failed, 2 if an argument is wrong."""
        self.stderr = stderr
        """The complete standard error."""


class Stopped(KeyboardInterrupt):
    """A training was interrupted."""

    model: Model | None = None
    """The best model so far, if the training had begun."""


def program() -> str:
    """Returns the path of the program pmlam."""
    path = Path(__file__).with_name("bin") / ("pmlam.exe" if os.name == "nt" else "pmlam")
    if not path.exists():
        raise PmlamError(f"{path} is missing; install pmlam from a wheel for this platform")
    return str(path)


def flags(settings: Mapping[str, Any]) -> list[str]:
    """Returns settings as flags: min_user=3 as --min-user=3. None is left out."""
    given = []
    for name, value in settings.items():
        if value is None:
            continue
        flag = "--" + name.strip("_").replace("_", "-")
        if name in COLUMNS:
            if name == "rating" and value is False:
                given.append("--no-ratings")
                continue
            flag += "-column"
        if isinstance(value, bool):
            given.append(f"{flag}={str(value).lower()}")
        elif isinstance(value, (list, tuple)):
            given.append(f"{flag}={','.join(map(str, value))}")
        else:
            given.append(f"{flag}={getattr(value, 'path', value)}")
    return given


def call(
    command: str,
    *arguments: str,
    progress: bool = False,
    names: Mapping[str, str] | None = None,
    folder: str | None = None,
) -> dict[str, Any]:
    """Runs a command and returns its JSON object. names replace paths in messages.

    The child has a process group of its own, and an interruption is passed on once: a second one would end it before
    it saves anything.
    """
    group: dict[str, Any] = {"start_new_session": True}
    stop = signal.SIGINT
    if sys.platform == "win32":
        group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        stop = signal.CTRL_BREAK_EVENT
    child = subprocess.Popen(
        [program(), command, "--json", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        cwd=folder,
        **group,
    )
    printer = _Printer() if progress else None
    lines: queue.Queue[tuple[str, str] | None] = queue.Queue()
    for name, stream in (("out", child.stdout), ("err", child.stderr)):
        threading.Thread(target=_pump, args=(name, stream, lines), daemon=True).start()
    out, err = "", []
    interrupted = False
    open_streams = 2
    while open_streams:
        try:
            line = lines.get(timeout=0.2)
            if line is None:
                open_streams -= 1
            elif line[0] == "out":
                out = line[1]
            else:
                text = line[1].rstrip()
                for path, name in (names or {}).items():
                    text = text.replace(path, name)
                err.append(text)
                if printer and not text.startswith("pmlam: see "):
                    printer.show(text)
        except queue.Empty:
            pass
        except KeyboardInterrupt:
            if interrupted:
                child.kill()
            else:
                interrupted = True
                child.send_signal(stop)
    code = child.wait()
    answer: dict[str, Any] = json.loads(out) if out.startswith("{") else {}
    if printer:
        printer.end(answer if code == 0 else {})
    if interrupted or code == 130:
        stopped = Stopped()
        stopped.args = (answer,)
        raise stopped
    if code:
        raise PmlamError(_message(err, answer), code, "\n".join(err))
    return answer


def _pump(name: str, stream: IO[str], lines: queue.Queue[tuple[str, str] | None]) -> None:
    for line in stream:
        lines.put((name, line))
    stream.close()
    lines.put(None)


def _message(err: Sequence[str], answer: Mapping[str, Any]) -> str:
    """Returns the last line of an error, with Python's names of the flags."""
    said = [line for line in err if not re.fullmatch(r"pmlam: see pmlam .*--help", line)]
    text = said[-1] if said else str(answer.get("error", "pmlam failed without a message"))
    if text.startswith("pmlam: "):
        text = text[len("pmlam: ") :]

    def rename(flag: re.Match[str]) -> str:
        name = flag[1].replace("-", "_")
        return _PYTHON.get(name) or (name[: -len("_column")] if name.endswith("_column") else name)

    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)", rename, text)


class _Printer:
    """Shows progress: on standard error, in a notebook as one line that changes."""

    def __init__(self) -> None:
        self.notebook = type(sys.stderr).__module__.startswith("ipykernel")
        self.width = 0

    def show(self, text: str) -> None:
        if not self.notebook:
            print(text, file=sys.stderr, flush=True)
        elif re.match(r"[a-z ]+: \d+ of |pmlam: ", text):
            print("\r" + text.ljust(self.width), end="", flush=True)
            self.width = len(text)

    def end(self, answer: Mapping[str, Any]) -> None:
        if "trained_interactions" in answer and "seconds" in answer:
            self.show(
                f"pmlam: learned {answer['items']:,} items from {answer['trained_interactions']:,} interactions "
                f"in {answer['seconds']:.1f} s"
            )
        if self.width:
            print()
