"""The verdict over a game or a piece of evidence, as fields for programs and as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from client.audit import Log, names_of, part_of
from client.names import clipped
from client.table.content import own_of
from client.texts import _, ngettext
from client.wording.proof import VERDICTS, problem_text, proof_text
from p2p.identity.words import fingerprint
from p2p.lockstep.audit import Audit, Problem, RollReport
from p2p.lockstep.genesis import Genesis
from p2p.log.evidence import Evidence, Verdict
from p2p.log.records import FileError
from p2p.wire.entry import Entry

WIDTH: Final = 78
SEED_LETTERS: Final = 6
"""Of a seed, in the table for people; programs get all of it."""

Fields = dict[str, object]


# A game --------------------------------------------------------------------------------------------------------------


def log_fields(log: Log, found: Audit) -> Fields:
    """The answer for programs.  `entry` of a problem is the entry's number from 0, null for the log as a whole."""
    genesis = found.genesis
    return {
        "ok": found.ok,
        "complete": found.complete,
        "kind": "game",
        "game": "" if genesis is None else genesis.game,
        "table": log.entries[0].table.hex() if log.entries else "",
        "test": genesis is not None and genesis.test,
        "content": "" if genesis is None else genesis.content.hex(),
        "own_content": bool(log.content),
        "seats": [] if genesis is None else _seats(genesis),
        "entries": found.entries,
        "height": found.height,
        "digest": found.state.hex(),
        "ending": found.ending,
        "rolls": [_roll(genesis, roll) for roll in found.rolls] if genesis is not None else [],
        "shuffles": found.shuffles,
        "reveals": found.reveals,
        "pacts": [{"height": height, "kind": kind} for height, kind in found.pacts],
        "problems": [_problem(problem, log.entries) for problem in found.problems],
        "proves": list(found.proves),
        "does_not_prove": list(found.does_not_prove),
    }


def damaged_fields(error: FileError, kind: str = "game") -> Fields:
    """The answer for programs about a file that cannot be read to its end."""
    problem = {"entry": error.entry, "part": error.part, "code": error.code, "detail": error.detail}
    nothing: Fields = {"game": "", "table": "", "seats": [], "entries": 0, "rolls": [], "shuffles": 0, "reveals": 0}
    empty: Fields = {"proves": [], "does_not_prove": []}
    return {"ok": False, "complete": False, "kind": kind, **nothing, "problems": [problem], **empty}


def damaged_text(error: FileError) -> str:
    """The same for people."""
    return "\n".join([_("Not intact."), f"  {problem_text(error.code, part_of(error))}"])


def _seats(genesis: Genesis) -> list[Fields]:
    rows = [(seat, member) for member in genesis.members for seat in member.seats]
    return [
        {"seat": seat, "name": clipped(member.name), "key": member.key.hex(), "identity": _words(member.key, genesis)}
        for seat, member in sorted(rows, key=lambda row: row[0])
    ]


def _words(key: bytes, genesis: Genesis) -> str:
    member = genesis.member(key)
    return "" if member is None else fingerprint(member.certificate.identity)


def _roll(genesis: Genesis, roll: RollReport) -> Fields:
    """One roll: whose commitments stood below its height, which seeds they opened, and what it came to."""
    return {
        "height": roll.height,
        "tag": roll.tag,
        "sides": list(roll.sides),
        "seeds": [
            {"member": _name(genesis, key), "committed": True, "seed": None if seed is None else seed.hex()}
            for key, seed in roll.seeds
        ],
        "faces": list(roll.faces),
        "ok": roll.ok,
    }


def _name(genesis: Genesis, key: bytes) -> str:
    member = genesis.member(key)
    return key.hex()[:8] if member is None else clipped(member.name)


def _problem(problem: Problem, entries: Sequence[Entry]) -> Fields:
    fields: Fields = {"entry": problem.entry, "code": problem.code, "detail": problem.detail}
    if problem.entry is not None:
        entry = entries[problem.entry]
        fields |= {"author": entry.author.hex(), "seq": entry.seq, "height": entry.height, "kind": entry.kind}
    return fields


def log_text(log: Log, found: Audit) -> str:
    """The answer for people: verdict, dice table, what it proves and what it does not."""
    genesis = found.genesis
    lines = [_verdict(found)]
    if genesis is not None:
        lines += ["", *_head(log, found, genesis)]
    lines += [f"  {_problem_line(problem, log.entries, genesis)}" for problem in found.problems]
    if genesis is not None and found.rolls:
        lines += ["", *_dice(genesis, found.rolls)]
    for title, mark, codes in (
        (_("This proves that"), "+", found.proves),
        (_("It does not prove"), "-", found.does_not_prove),
    ):
        if codes:
            lines += ["", title, *(_wrapped(f"  {mark} ", proof_text(code)) for code in codes)]
    return "\n".join(lines)


def _verdict(found: Audit) -> str:
    if not found.ok:
        return _("Not intact.")
    if not found.complete:
        return _("Intact, as far as it goes: the game is not over.")
    return _("Intact and complete.") if found.ending == "played" else _("Intact. The members agreed to end the game.")


def _head(log: Log, found: Audit, genesis: Genesis) -> list[str]:
    names = names_of(genesis)
    lines = [
        _("{game}, table {table}").format(game=genesis.game, table=genesis.table.hex()[:16]),
        *(f"  {seat}  {name}" for seat, name in enumerate(names)),
        _("{entries}; {rolls}, {shuffles}, {reveals}; height {height}").format(
            entries=ngettext("{n} entry", "{n} entries", found.entries).format(n=found.entries),
            rolls=ngettext("{n} roll", "{n} rolls", len(found.rolls)).format(n=len(found.rolls)),
            shuffles=ngettext("{n} shuffle", "{n} shuffles", found.shuffles).format(n=found.shuffles),
            reveals=ngettext("{n} opening", "{n} openings", found.reveals).format(n=found.reveals),
            height=found.height,
        ),
    ]
    own = own_of(genesis.game, log.content)
    if own is not None:
        text = ngettext(
            "Own content {id}: {n} value differs from the game's.",
            "Own content {id}: {n} values differ from the game's.",
            len(own.changes),
        )
        lines.append(text.format(id=genesis.content.hex()[:12], n=len(own.changes)))
    if log.exporter is not None:
        who = _name(genesis, log.exporter)
        lines.append(_("Saved by {name} with starlock {program}").format(name=who, program=clipped(log.program)))
    return lines


def _problem_line(problem: Problem, entries: Sequence[Entry], genesis: Genesis | None) -> str:
    text = problem_text(problem.code, problem.detail)
    if problem.entry is None:
        return text
    entry = entries[problem.entry]
    author = entry.author.hex()[:8] if genesis is None else _name(genesis, entry.author)
    where = _("Entry {number} ({kind}, number {seq} of {author}, height {height}):").format(
        number=problem.entry, kind=entry.kind, seq=entry.seq, author=author, height=entry.height
    )
    return f"{where} {text}"


def _dice(genesis: Genesis, rolls: Sequence[RollReport]) -> list[str]:
    """A row a roll: each member's seed as it was opened, every one committed to below that height; then the faces."""
    keys = list(dict.fromkeys(key for roll in rolls for key, _seed in roll.seeds))
    seats = ["+".join(map(str, member.seats)) if (member := genesis.member(key)) else key.hex() for key in keys]
    lines = [
        _("Rolls: the faces, and how each seat's seed begins, committed to beforehand"),
        f"  {_('height'):>6}  " + " ".join(f"{held[:SEED_LETTERS]:<{SEED_LETTERS}}" for held in seats),
    ]
    for roll in rolls:
        seeds = dict(roll.seeds)
        cells = [_cell(key in seeds, seeds.get(key)) for key in keys]
        lines.append(f"  {roll.height:>6}  {' '.join(cells)}  {roll.tag}" + ("" if roll.ok else _("  (no seed)")))
        lines.append(_wrapped("          ", _faces(roll)))
    return lines


def _cell(has_part: bool, seed: bytes | None) -> str:
    text = seed.hex()[:SEED_LETTERS] if seed is not None else _("absent") if has_part else "-"
    return f"{text[:SEED_LETTERS]:<{SEED_LETTERS}}"


def _faces(roll: RollReport) -> str:
    """`4 2 of 6 sides`, or face/sides for each where they differ."""
    if len(set(roll.sides)) == 1:
        faces = " ".join(map(str, roll.faces))
        return ngettext("{faces}  (a die of {sides})", "{faces}  (dice of {sides})", len(roll.faces)).format(
            faces=faces, sides=roll.sides[0]
        )
    return " ".join(f"{face}/{sides}" for face, sides in zip(roll.faces, roll.sides, strict=True))


def _wrapped(mark: str, text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


# Evidence ------------------------------------------------------------------------------------------------------------


def evidence_fields(evidence: Evidence, verdict: Verdict, genesis: Genesis | None) -> Fields:
    """The answer for programs: `ok` when the evidence proves a fault."""
    guilty = verdict.kind == "guilty"
    return {
        "ok": guilty,
        "complete": True,
        "kind": "evidence",
        "game": "" if genesis is None else genesis.game,
        "table": evidence.accused[0].table.hex(),
        "seats": [] if genesis is None else _seats(genesis),
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


def evidence_text(verdict: Verdict, genesis: Genesis | None) -> str:
    """The same for people."""
    name = verdict.author.hex()[:16] if genesis is None else _name(genesis, verdict.author)
    return _(VERDICTS[verdict.kind]).format(name=name, what=problem_text(verdict.code, ""))
