#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the verifier page, client/report/verifier/verifier.html, which `starlock verifier` writes and every wheel holds.

Python for browsers (Pyodide) and libsodium come from npm and cbor2 from PyPI, all pinned by hash in scripts/pyodide;
they are kept in .venv/pyodide, and only the first run needs a network. The same sources give the same bytes everywhere:
names are in order, nothing has a time, and one program each compresses, and compiles Python's library.

    .venv/bin/python scripts/verifier.py            make the page
    .venv/bin/python scripts/verifier.py --check    make it again and compare, also with the README: before a release
    .venv/bin/python scripts/verifier.py --record   make it, and write its hash into the README, as for a release
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from catalogues import compile_all  # noqa: E402

from client import __version__  # noqa: E402
from client.report.verifier.held import NAME, digest, packed_sources  # noqa: E402
from client.report.verifier.made import assembled  # noqa: E402

LOCKS: Final = ROOT / "scripts" / "pyodide"
KEPT: Final = ROOT / ".venv" / "pyodide"
TARGET: Final = ROOT / "client" / "report" / "verifier" / NAME
README: Final = ROOT / "README.md"
RECORD: Final = re.compile(r"version \S+, sources `[0-9a-f]*`, SHA-256\s+`[0-9a-f]*`")
"""The place in the README that names a page."""
FROM_NPM: Final = {
    "pyodide.mjs": "pyodide/pyodide.mjs",
    "pyodide.asm.mjs": "pyodide/pyodide.asm.mjs",
    "pyodide.asm.wasm": "pyodide/pyodide.asm.wasm",
    "libsodium.mjs": "libsodium-sumo/dist/modules-sumo-esm/libsodium-sumo.mjs",
}
"""Part of the page → file of a package."""
UNUSED: Final = frozenset(
    {
        "_pydatetime.py", "_pyio.py", "_pyrepl", "argparse.py", "bdb.py", "compileall.py",
        "csv.py", "doctest.py", "email", "ftplib.py", "http", "imaplib.py", "mailbox.py",
        "mimetypes.py", "modulefinder.py", "multiprocessing", "optparse.py", "pdb.py", "pickletools.py",
        "plistlib.py", "profile.py", "pstats.py", "pydoc.py", "smtplib.py", "socketserver.py",
        "symtable.py", "tarfile.py", "trace.py", "tracemalloc.py", "unittest", "uuid.py", "wave.py", "wsgiref",
        "xml", "xmlrpc",
    }
)  # fmt: skip
"""Files and folders of Python's library that judging does not need."""
CODECS: Final = frozenset(
    {"__init__", "aliases", "ascii", "charmap", "cp437", "idna", "latin_1", "unicode_escape", "utf_8"}
)
EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def main() -> int:
    """Make the page, compare it, or record it; returns the exit code."""
    parser = ArgumentParser(description="Make the verifier page, client/report/verifier/verifier.html.")
    wish = parser.add_mutually_exclusive_group()
    wish.add_argument("--check", action="store_true", help="make it again and compare, also with the README")
    wish.add_argument("--record", action="store_true", help="write its hash into the README too, as for a release")
    said = parser.parse_args()
    fetch()
    compile_all()
    page = made()
    found = sha256(page).hexdigest()
    if said.check:
        same = TARGET.is_file() and TARGET.read_bytes() == page
        told = README.read_text("utf-8")
        print(f"{'The same bytes' if same else 'Other bytes'}: sha256 {found}")
        print("The README names it." if recorded(told, found) == told else "The README names another page.")
        return 0 if same and recorded(told, found) == told else 1
    TARGET.write_bytes(page)
    print(f"{TARGET.relative_to(ROOT)}: {len(page)} bytes, sha256 {found}")
    if said.record:
        README.write_text(recorded(README.read_text("utf-8"), found), "utf-8")
    return 0


def locks() -> bytes:
    """What the packages are pinned by, and what is made of them."""
    return b"".join(path.read_bytes() for path in sorted(LOCKS.iterdir()))


def fetched() -> bool:
    """True if the pinned packages are here."""
    return (KEPT / "locks").is_file() and (KEPT / "locks").read_bytes() == locks()


def fetch() -> None:
    """Install the pinned packages, unless they are there."""
    if fetched():
        return
    shutil.rmtree(KEPT, ignore_errors=True)
    shutil.copytree(LOCKS, KEPT)
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--no-deps", "--require-hashes"]
    pure = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
    run(*pip, *pure, "--dest", "wheels", "-r", "cbor2.lock")
    (KEPT / "locks").write_bytes(locks())


def made() -> bytes:
    """The page, from what is installed and the sources as they are."""
    modules = KEPT / "node_modules"
    parts = {name: (modules / path).read_bytes() for name, path in FROM_NPM.items()}
    sources = library((modules / "pyodide" / "python_stdlib.zip").read_bytes())
    parts["python_stdlib.zip"] = run("node", "compiled.mjs", given=sources)
    about = json.loads((modules / "pyodide" / "pyodide-lock.json").read_text("utf-8"))["info"]
    parts["lock.json"] = json.dumps({"info": about, "packages": {}}, sort_keys=True).encode()
    parts |= {f"lib/{name}": data for name, data in {**wheel(), **packed_sources()}.items()}
    packed = run("node", "packed.mjs", given=container(parts))
    return assembled(b64encode(packed).decode(), notice())


def container(parts: Mapping[str, bytes]) -> bytes:
    """Names and sizes behind their length, then the bytes of each part, as python.js reads them."""
    names = json.dumps([[name, len(data)] for name, data in parts.items()], separators=(",", ":")).encode()
    return len(names).to_bytes(4, "big") + names + b"".join(parts.values())


def library(archive: bytes) -> bytes:
    """Python's library without what judging does not need, uncompressed, since the whole is compressed later."""
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        kept = {name: source.read(name) for name in sorted(source.namelist()) if needed(name)}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as out:
        for name, data in kept.items():
            out.writestr(zipfile.ZipInfo(name, EPOCH), data)
    return target.getvalue()


def needed(name: str) -> bool:
    """True if a file of Python's library belongs to the page."""
    top, _, rest = name.partition("/")
    codec = top != "encodings" or rest.removesuffix(".py") in CODECS
    return codec and top not in UNUSED and not name.endswith("/")


def wheel() -> dict[str, bytes]:
    """The modules of cbor2."""
    (path,) = (KEPT / "wheels").glob("cbor2-*.whl")
    with zipfile.ZipFile(path) as source:
        return {name: source.read(name) for name in sorted(source.namelist()) if name.startswith("cbor2/")}


def notice() -> str:
    """Whose work the page contains, and under which licence."""
    versions = json.loads((LOCKS / "package.json").read_text("utf-8"))["dependencies"]
    with zipfile.ZipFile(next((KEPT / "wheels").glob("cbor2-*.whl"))) as source:
        cbor2 = next(source.read(name).decode() for name in source.namelist() if name.endswith("LICENSE.txt"))
    sodium = (KEPT / "node_modules" / "libsodium-sumo" / "LICENSE").read_text("utf-8")
    return "\n\n".join(
        (
            f"Pyodide {versions['pyodide']}: Mozilla Public License 2.0, mozilla.org/MPL/2.0",
            "CPython: PSF License Agreement, docs.python.org/license.html; Copyright (c) Python Software Foundation",
            f"libsodium-sumo {versions['libsodium-sumo']}\n\n{sodium.strip()}",
            f"cbor2\n\n{cbor2.strip()}",
        )
    )


def recorded(readme: str, found: str) -> str:
    """The README with this hash."""
    line = f"version {__version__}, sources `{digest()[:16]}`, SHA-256\n`{found}`"
    text, count = RECORD.subn(line, readme)
    if count != 1:
        raise SystemExit("README.md has no place for the hash of the verifier page, or several")
    return text


def run(*command: str, given: bytes | None = None) -> bytes:
    """What a program answers that runs where the packages are; its errors are shown when it fails."""
    done = subprocess.run(command, cwd=KEPT, input=given, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:3])}: {(done.stderr or done.stdout).decode()}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
