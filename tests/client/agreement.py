"""Saved games judged three times: by our audit, by the checks of the page under node, and by the second verifier."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from second.verdict import Verdict, judge

from client.report.facts import hints
from client.report.page import checks
from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import Machine
from p2p.lockstep.replay import Problem
from p2p.log.records import FileError
from p2p.log.starfile import pack_star, read_star
from p2p.wire.codec import decode, encode
from p2p.wire.entry import Attachment, Entry

NODE: Final = shutil.which("node")


class Game(NamedTuple):
    """star: the file as it is to be judged; machine: the game at its start; written: the file before it was altered,
    empty when it was not. The hints are those of the file as it was written, or others."""

    star: bytes
    machine: Machine
    written: bytes = b""
    hints: Mapping[str, Any] | None = None


class Judged(NamedTuple):
    """The verdicts over one saved game. ours: None where it is intact, else the code of what is wrong first; faults:
    the numbers of the entries that are wrong for us, each with a code; found: our account, None for a damaged file;
    theirs: the report of the page; second: what the second verifier finds."""

    ours: str | None
    faults: frozenset[tuple[int, str]]
    found: Audit | None
    theirs: Any
    second: Verdict


def packed(table: Follower, key: Ed25519PrivateKey) -> bytes:
    """What a peer with this private key exports."""
    entries = [(entry, table.texts.get(entry.id)) for entry in table.feeds.entries]
    position = table.position
    return pack_star(entries, key=key, height=position.height, head=position.head, program="test")


def repacked(
    entries: Sequence[Entry], texts: Mapping[bytes, Attachment], key: Ed25519PrivateKey, machine: Machine
) -> Game:
    """A log as somebody with this private key exports it, up to where it leads."""
    found = audit(entries, lambda _genesis: machine.clone(), checked=True)
    kept = [(entry, texts.get(entry.id)) for entry in entries]
    head = found.head or bytes(32)
    return Game(pack_star(kept, key=key, height=found.height, head=head, program="test"), machine)


def hints_of(star: bytes, machine: Machine) -> dict[str, Any]:
    """What the page of this file would know beside it."""
    return hints(_audited(star, machine))


def told_items(file: str) -> list[Any]:
    """The items of a file of what was asked, in base64."""
    data, items, at = b64decode(file), [], 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        items.append(decode(data[at + 4 : end], limit=end))
        at = end
    return items


def told_of(items: Sequence[Any]) -> str:
    """Inverse of `told_items`."""
    found = [len(data).to_bytes(4, "big") + data for data in map(encode, items)]
    return b64encode(b"".join(found)).decode()


def judged_by_all(games: Sequence[Game], folder: Path) -> list[Judged]:
    """The verdicts over each of the games. All but ours know what was asked from the file of it alone."""
    told: dict[bytes, str] = {}
    known: dict[bytes, tuple[str | None, frozenset[tuple[int, str]], Audit | None]] = {}
    ours, lines, seconds = [], [], []
    for star, machine, written, others in games:
        first = written or star
        if others is None and first not in told:
            told[first] = json.dumps(hints_of(first, machine))
        said = told[first] if others is None else json.dumps(others)
        lines.append(f'{{"star": "{b64encode(star).decode()}", "hints": {said}}}')
        if star not in known:
            known[star] = _verdict(star, machine)
        ours.append(known[star])
        seconds.append(judge(star, b64decode(json.loads(said)["told"])))
    (folder / "games").write_text("\n".join(lines), encoding="utf-8")
    (folder / "checks.js").write_text(checks(), encoding="utf-8")
    script = Path(__file__).with_name("report_agreement.js")
    assert NODE is not None
    done = subprocess.run(
        [NODE, script, folder / "checks.js", folder / "games"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    return [Judged(*each, report, second) for each, report, second in zip(ours, reports, seconds, strict=True)]


def _audited(star: bytes, machine: Machine) -> Audit:
    read = read_star(star)
    found = audit(read.entries, lambda _genesis: machine.clone(), checked=True)
    if found.table is None or found.table.position.held(read.height, read.head) is not None:
        return found
    return replace(found, problems=(*found.problems, Problem(None, "file/other-end")))


def _verdict(star: bytes, machine: Machine) -> tuple[str | None, frozenset[tuple[int, str]], Audit | None]:
    try:
        found = _audited(star, machine)
    except FileError as error:
        number = error.part.removeprefix("text of ").removeprefix("entry ")
        return error.code, frozenset({(int(number), error.code)} if number.isdigit() else ()), None
    wrong = frozenset((problem.entry, problem.code) for problem in found.problems if problem.entry is not None)
    return (found.problems[0].code if found.problems else None), wrong, found
