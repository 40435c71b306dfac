"""The command pmlam."""

from __future__ import annotations

import os
import subprocess
import sys

from ._command import program


def main() -> None:
    """Runs the program of this package with the arguments of this one, and ends as it ends."""
    command = [program(), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            sys.exit(child.wait())
        except KeyboardInterrupt:
            pass  # Ctrl-C reaches the child too, which decides when it ends.


if __name__ == "__main__":
    main()
