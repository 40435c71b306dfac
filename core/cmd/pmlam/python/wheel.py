#!/usr/bin/env python3
"""Builds the wheel of one platform: wheel.py VERSION GOOS/GOARCH PROGRAM LICENCES FOLDER prints its name.

LICENCES is a folder with LICENSE, NOTICE and THIRD-PARTY-LICENSES. The same files give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import sys
import zipfile
from pathlib import Path

TAGS = {
    # The program is linked statically, so it runs with any C library.
    "linux/amd64": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_11_0_x86_64",
    "darwin/arm64": "macosx_11_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}
METADATA = """\
Metadata-Version: 2.4
Name: pmlam
Version: {version}
Summary: Train a recommender on your orders or ratings, in Python or as a static site: private, offline, no server
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
License-File: THIRD-PARTY-LICENSES
Project-URL: Source, https://github.com/pmlam/pmlam
Project-URL: Documentation, https://github.com/pmlam/pmlam/blob/main/docs/python.md
Keywords: recommender,recommendations,collaborative filtering,static site
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Requires-Dist: pyarrow; extra == "pandas"
Provides-Extra: polars
Requires-Dist: polars; extra == "polars"
Requires-Dist: pyarrow; extra == "polars"
Description-Content-Type: text/markdown

{readme}"""


def main(version: str, platform: str, program: str, licences: str, out: str) -> None:
    here = Path(__file__).parent
    tags = [f"py3-none-{tag}" for tag in TAGS[platform].split(".")]
    info = f"pmlam-{version}.dist-info"
    files: dict[str, bytes] = {}
    for source in sorted((here / "src/pmlam").glob("*.py")):
        files[f"pmlam/{source.name}"] = source.read_bytes()
    files["pmlam/py.typed"] = b""
    init = files["pmlam/__init__.py"]
    files["pmlam/__init__.py"] = init.replace(b'__version__ = "0.0.0"', f'__version__ = "{version}"'.encode())
    binary = "pmlam/bin/pmlam" + (".exe" if platform.startswith("windows/") else "")
    files[binary] = Path(program).read_bytes()
    for name in ("LICENSE", "NOTICE", "THIRD-PARTY-LICENSES"):
        files[f"{info}/licenses/{name}"] = Path(licences, name).read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version, readme=(here / "README.md").read_text("utf-8")).encode()
    files[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: pmlam\nRoot-Is-Purelib: false\n" + "".join(f"Tag: {tag}\n" for tag in tags)
    ).encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\npmlam = pmlam.__main__:main\n"
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}\n")
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()

    wheel = f"pmlam-{version}-py3-none-{TAGS[platform]}.whl"
    with zipfile.ZipFile(os.path.join(out, wheel), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = (0o100755 if name == binary else 0o100644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    print(wheel)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
