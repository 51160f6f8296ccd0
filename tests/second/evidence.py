# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 10.1: files of evidence, and what they prove."""

from __future__ import annotations

from dataclasses import dataclass

from second.codec import Refused, decode, is_list
from second.entries import Entry, contradiction, read_entry
from second.genesis import Genesis
from second.hashing import H
from second.savedgame import FileProblem, SavedGame, framed
from second.told import Told
from second.verdict import Judge, find_genesis

PROOF = bytes.fromhex("8970726f6f660d0a")


@dataclass
class Evidence:
    """The code that a file claims, the accused entries, and a log where one entry is accused."""

    code: str
    accused: list[Entry]
    log: list[Entry]
    content: bytes | None


def read_evidence(data: bytes) -> Evidence:
    """The evidence of these bytes; raises `FileProblem`."""
    version, _, records, early = framed(data, PROOF)
    if early:
        raise FileProblem(early)
    letters = "".join(letter for letter, _, _ in records)
    start = "CO" if version == 2 else "C"
    middle = letters[len(start) : -1]
    if not letters.startswith(start) or set(middle) - {"A", "E"}:
        raise FileProblem("file/record")
    if "EA" in middle:
        raise FileProblem("file/order")
    bodies = [body for _, body, _ in records]
    entries = [read_accused(body) for body in bodies[len(start) : -1]]
    accused, log = entries[: middle.count("A")], entries[middle.count("A") :]
    try:
        claim, trailer = decode(bodies[0]), decode(bodies[-1])
    except Refused:
        raise FileProblem("file/trailer") from None
    if trailer != [len(log), H("evidence", data[: records[-1][2]])]:
        raise FileProblem("file/changed")
    if not is_list(claim, 2) or not isinstance(claim[0], str):
        raise FileProblem("file/claim")
    named = {(entry.author, entry.table) for entry in accused}
    if len(accused) not in (1, 2) or (len(accused) == 1) != bool(log) or len(named) > 1:
        raise FileProblem("file/accused")
    return Evidence(claim[0], accused, log, bodies[1] if version == 2 else None)


def read_accused(body: bytes) -> Entry:
    try:
        entry = read_entry(body)
    except Refused:
        raise FileProblem("file/entry") from None
    if not entry.is_signed():
        raise FileProblem("file/entry")
    return entry


def proven(evidence: Evidence, told_file: bytes) -> str | None:
    """The code of the fault of the accused that the evidence proves, or None.

    One accused entry is read behind the log; what was asked there is told, as for a saved game.
    """
    if len(evidence.accused) == 2:
        return contradiction(*evidence.accused)
    entries = [*evidence.log, *evidence.accused]
    game = SavedGame("", evidence.content, entries, {}, 0, entries[0].table, b"")
    genesis: Genesis = find_genesis(game)
    verdict = Judge(game, genesis, Told(told_file, genesis.table)).verdict()
    return next((code for number, code in verdict.problems if number == len(evidence.log)), None)
