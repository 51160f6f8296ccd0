#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make client/report/static/noble.js: the curves and hashes of the report page's checks, from npm, in one script.

The packages are pinned by version and by npm's integrity hash; the same input gives the same bytes, whose hash is
below. Only this script needs npm and a network.

    python3 scripts/bundle.py            write the file
    python3 scripts/bundle.py --check    build it elsewhere and compare
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

TARGET = Path(__file__).resolve().parent.parent / "client" / "report" / "static" / "noble.js"
SHA256 = "c41364b54670bf439bbcca933bc12c106cb118dc2701ba998544eac6637b8e9a"
PACKAGES = {
    "@noble/curves": (
        "2.4.0",
        "sha512-P4/62zrgfH33CneE3Dn4WhJVA22YUU0eR51wKIan4NVRvwsA0YnPTwWGpNbpuacSujmSFLvyzpyuR30+fbq2Ew==",
    ),
    "@noble/hashes": (
        "2.4.0",
        "sha512-X5XaVWZIBCT7HHZGm5I7ZQXDwLG+bGXuSrMQAW+7Zvl87h1kmc1ZB1VSRJcpUfoUrGQp4Fkoxm5kZ+Ms+aW+eA==",
    ),
    "esbuild": (
        "0.28.2",
        "sha512-HKVLS8dvII+xoKW9kmqxbRKrnWEXfJJr/FZhhJmiqIB0e053QNYFqOBouTMO/k5sID4MvCiUCvv8b9M4h32wIA==",
    ),
}
"""Name → version and integrity."""
ENTRY = """\
export {ed25519, ristretto255, ristretto255_hasher} from "@noble/curves/ed25519.js";
export {pippenger} from "@noble/curves/abstract/curve.js";
export {blake2b} from "@noble/hashes/blake2.js";
export {shake256} from "@noble/hashes/sha3.js";
export {sha512} from "@noble/hashes/sha2.js";
"""


def main() -> int:
    """Write or compare; returns the exit code."""
    parser = ArgumentParser(description="Make client/report/static/noble.js from npm.")
    parser.add_argument("--check", action="store_true", help="build it elsewhere and compare")
    check = parser.parse_args().check
    built = bundle()
    found = sha256(built).hexdigest()
    if check:
        same = built == TARGET.read_bytes() and found == SHA256
        print("The same bytes." if same else f"Another file: {found}")
        return 0 if same else 1
    TARGET.write_bytes(built)
    print(f"{TARGET.name}: {len(built)} bytes, sha256 {found}")
    return 0 if found == SHA256 else 1


def bundle() -> bytes:
    """The script, after the licences of its packages."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text('{"private": true}', "utf-8")
        (folder / "entry.js").write_text(ENTRY, "utf-8")
        wanted = [f"{package}@{version}" for package, (version, _) in PACKAGES.items()]
        run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", *wanted)
        check_integrity(folder)
        options = ("--bundle", "--minify", "--format=iife", "--global-name=noble", "--target=es2022", "--charset=ascii")
        run(folder, "npx", "--no-install", "esbuild", "entry.js", *options, "--legal-comments=none", "--outfile=out.js")
        return (licences(folder) + (folder / "out.js").read_text("utf-8")).encode()


def check_integrity(folder: Path) -> None:
    """End with a message unless npm has installed exactly these packages."""
    locked = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    for package, (_, integrity) in PACKAGES.items():
        got = locked[f"node_modules/{package}"]["integrity"]
        if got != integrity:
            raise SystemExit(f"{package} has the integrity {got}, not {integrity}")


def licences(folder: Path) -> str:
    """A comment with the licence of each package whose code is in the script."""
    texts = []
    for package, (version, _) in PACKAGES.items():
        if package.startswith("@noble/"):
            licence = (folder / "node_modules" / package / "LICENSE").read_text("utf-8").strip()
            texts.append(f"{package} {version}\n\n{licence}\n")
    return "/*\n" + "\n".join(texts) + "*/\n"


def run(folder: Path, *command: str) -> None:
    """Run a program in the folder; its output is shown only when it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:2])}: {done.stderr or done.stdout}")


if __name__ == "__main__":
    sys.exit(main())
