# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on a file of evidence, for people and for programs, and the report on a damaged file."""

from __future__ import annotations

from client.proof.audit_chance import name_of, wrapped
from client.proof.audit_report import Fields, game_line, seats_of, words_of
from client.system.texts import _
from client.words.proof import VERDICTS, part_text, problem_text, proof_text
from p2p.lockstep.genesis import Genesis
from p2p.log.evidence import Evidence, Verdict
from p2p.log.records import FileError


def evidence_fields(evidence: Evidence, verdict: Verdict, genesis: Genesis | None) -> Fields:
    """The answer for programs: `ok` when the evidence proves a fault."""
    guilty = verdict.kind == "guilty"
    return {
        "ok": guilty,
        "complete": True,
        "kind": "evidence",
        "game": "" if genesis is None else genesis.game,
        "table": evidence.accused[0].table.hex(),
        "seats": [] if genesis is None else seats_of(genesis),
        "entries": len(evidence.log) + len(evidence.accused),
        "rolls": [],
        "shuffles": 0,
        "reveals": 0,
        "verdict": verdict.kind,
        "author": verdict.author.hex(),
        "claim": evidence.code,
        "problems": [] if guilty else [{"entry": None, "code": verdict.code, "detail": evidence.code}],
        "proves": [verdict.code] if guilty else [],
        "does_not_prove": ["who-holds-a-key"],
    }


def evidence_text(evidence: Evidence, verdict: Verdict, genesis: Genesis | None) -> str:
    """The same for people."""
    name = verdict.author.hex()[:16] if genesis is None else name_of(genesis, verdict.author)
    lines = [wrapped("", _(VERDICTS[verdict.kind]).format(name=name, what=problem_text(verdict.code, "")))]
    table = evidence.accused[0].table.hex()[:16]
    lines += ["", _("Table {table}").format(table=table) if genesis is None else game_line(genesis)]
    for entry in evidence.accused:
        where = _("{kind}, number {seq} of its author, step {height}, signed by the key {key}")
        told = where.format(kind=entry.kind, seq=entry.seq, height=entry.height, key=entry.author.hex()[:16])
        lines.append(wrapped("  ", told))
    if genesis is not None and (words := words_of(verdict.author, genesis)):
        lines.append(wrapped("  ", _("{name} is: {words}").format(name=name, words=words)))
    return "\n".join([*lines, "", _("It does not prove"), f"  - {proof_text('who-holds-a-key')}"])


def damaged_fields(error: FileError, kind: str) -> Fields:
    """The answer for programs about a file that cannot be read to its end. kind: game or evidence."""
    problem = {"entry": error.entry, "part": error.part, "code": error.code, "detail": error.detail}
    nothing: Fields = {"game": "", "table": "", "seats": [], "entries": 0, "rolls": [], "shuffles": 0, "reveals": 0}
    empty: Fields = {"proves": [], "does_not_prove": []}
    return {"ok": False, "complete": False, "kind": kind, **nothing, "problems": [problem], **empty}


def damaged_text(error: FileError, kind: str) -> str:
    """The same for people."""
    again = {
        "game": _("Get another copy of it: every peer of the game can export one."),
        "evidence": _(
            "Get another copy of it, or write it again from the game: starlock verify FILE --evidence FOLDER"
        ),
    }
    return "\n".join([_("Not intact."), f"  {problem_text(error.code, part_text(error.part))}", again[kind]])
