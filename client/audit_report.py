"""The verdict over a game or a piece of evidence, as fields for programs and as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from client.audit import Log, names_of
from client.names import clipped
from client.table.content import own_of
from client.table.words import owed_text, pact_text
from client.texts import N_, _, ngettext
from client.wording.proof import problem_text, proof_text
from p2p.identity.words import fingerprint
from p2p.lockstep.account import CardReport, PactReport, Part, RollReport
from p2p.lockstep.audit import Audit, Problem
from p2p.lockstep.claims import Claim, claims
from p2p.lockstep.genesis import Genesis
from p2p.wire.entry import Entry

WIDTH: Final = 78
LETTERS: Final = 4
"""Of a commitment or seed, in the table for people; programs get all of it."""

Fields = dict[str, object]


# A game --------------------------------------------------------------------------------------------------------------


def log_fields(log: Log, found: Audit) -> Fields:
    """The answer for programs.

    entry       of a problem: the entry's number from 0, null for the log as a whole
    rolls       in order: height, epoch, number, tag, sides, faces, ok; seeds: of every contributor its commitment and
                its seed (null: it was left out), in hexadecimal; lock: how many members lift its lock (0: it has
                none); lifted: who did
    cards       sealed; how many shuffles, deals, peeks, reveals and seals; checked: messages of each kind whose proof
                or opening fits; anew: decks dealt anew without a member who is gone; forced: choices that the others
                opened; void: messages that do not count
    claims      that somebody did not answer: author, member, height, kind of the entry; stands: it is still owed here
    coalitions  [t, n]: t of n members together could open what is locked
    proofs      how many faults can be proven alone, as files (--evidence)
    """
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
        "seats": [] if genesis is None else seats_of(genesis),
        "entries": found.entries,
        "height": found.height,
        "digest": found.state.hex(),
        "ending": found.ending,
        "rolls": [_roll(genesis, roll) for roll in found.rolls] if genesis is not None else [],
        "shuffles": found.cards.shuffles,
        "reveals": found.cards.reveals,
        "cards": _cards(genesis, found.cards) if genesis is not None else {},
        "pacts": [_pact(genesis, pact) for pact in found.pacts] if genesis is not None else [],
        "problems": [_problem(problem, log.entries) for problem in found.problems],
        "proves": list(found.proves),
        "does_not_prove": list(found.does_not_prove),
        "coalitions": [list(size) for size in found.coalitions],
        "claims": [_claim(genesis, claim) for claim in _claims(found)] if genesis is not None else [],
        "proofs": len(found.proofs),
    }


def seats_of(genesis: Genesis) -> list[Fields]:
    """Who holds which seat."""
    rows = [(seat, member) for member in genesis.members for seat in member.seats]
    return [
        {"seat": seat, "name": clipped(member.name), "key": member.key.hex(), "identity": words_of(member.key, genesis)}
        for seat, member in sorted(rows, key=lambda row: row[0])
    ]


def words_of(key: bytes, genesis: Genesis) -> str:
    """The words of a member's identity; empty for a stranger."""
    member = genesis.member(key)
    return "" if member is None else fingerprint(member.certificate.identity)


def _roll(genesis: Genesis, roll: RollReport) -> Fields:
    """One roll: whose commitments stood below its height, which seeds they opened, and what it came to."""
    return {
        "height": roll.height,
        "epoch": roll.epoch,
        "number": roll.k,
        "tag": roll.tag,
        "sides": list(roll.sides),
        "seeds": [
            {
                "member": name_of(genesis, part.member),
                "committed": True,
                "commitment": part.committed.hex(),
                "seed": None if part.seed is None else part.seed.hex(),
            }
            for part in roll.parts
        ],
        "lock": roll.lock,
        "lifted": [name_of(genesis, key) for key in roll.lifted],
        "faces": list(roll.faces),
        "ok": roll.ok,
    }


def _pact(genesis: Genesis, pact: PactReport) -> Fields:
    """A pact that took effect; `to` is the height that was taken back to."""
    fields: Fields = {
        "height": pact.height,
        "kind": pact.kind,
        "members": [name_of(genesis, key) for key in pact.members],
    }
    return fields if pact.to is None else {**fields, "to": pact.to}


def _agreed(genesis: Genesis, pact: PactReport) -> str:
    """The same as a sentence."""
    names = ", ".join(name_of(genesis, key) for key in pact.members)
    what = pact_text(pact.kind, {"out": names, "at": str(pact.height), "to": str(pact.to)})
    return _("height {height}: {what}").format(height=pact.height, what=what)


def _cards(genesis: Genesis, found: CardReport) -> Fields:
    """Face-down cards and secret choices."""
    return {
        "sealed": found.sealed,
        "shuffles": found.shuffles,
        "deals": found.deals,
        "peeks": found.peeks,
        "reveals": found.reveals,
        "seals": found.seals,
        "checked": dict(found.entries),
        "anew": [{"height": height, "deck": deck} for height, deck in found.anew],
        "forced": [
            {"height": height, "member": name_of(genesis, author), "opened": opened}
            for height, author, opened in found.forced
        ],
        "void": found.void,
    }


def _claims(found: Audit) -> tuple[Claim, ...]:
    return () if found.table is None else claims(found.table)


def _claim(genesis: Genesis, claim: Claim) -> Fields:
    """That somebody did not answer, by the word of another."""
    who = {"author": name_of(genesis, claim.author), "member": name_of(genesis, claim.member)}
    return {**who, "height": claim.height, "kind": claim.kind, "stands": claim.stands}


def _claimed(genesis: Genesis, claim: Claim) -> str:
    """The same as a sentence, which accuses nobody."""
    stands = _("Not over: {author} claims that {member} did not go on at height {height} ({owes}). No fault is shown.")
    lapsed = _("{author} claimed at height {height} that {member} did not go on; the game has gone on since.")
    return (stands if claim.stands else lapsed).format(
        author=name_of(genesis, claim.author),
        member=name_of(genesis, claim.member),
        height=claim.height,
        owes=owed_text(claim.kind) or _("owes an answer"),
    )


def name_of(genesis: Genesis, key: bytes) -> str:
    """A member's name, or the start of a stranger's key."""
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
    if genesis is not None and (claimed := _claims(found)):
        lines += ["", *(wrapped("", _claimed(genesis, claim)) for claim in claimed)]
    if genesis is not None and found.rolls:
        lines += ["", *_dice(genesis, found.rolls)]
    if genesis is not None:
        lines += _decks(genesis, found)
    if genesis is not None and found.pacts:
        lines += ["", _("Agreed by vote"), *(wrapped("  ", _agreed(genesis, pact)) for pact in found.pacts)]
    for title, mark, codes in (
        (_("This proves that"), "+", found.proves),
        (_("It does not prove"), "-", found.does_not_prove),
    ):
        if codes:
            lines += ["", title, *(wrapped(f"  {mark} ", proof_text(code, found.coalitions)) for code in codes)]
    if found.proofs:
        lines += ["", _("Each fault can be proven by a file of its own: verify it again with --evidence FOLDER.")]
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
        game_line(genesis),
        *(f"  {seat}  {name}" for seat, name in enumerate(names)),
        _("{entries}; {rolls}, {shuffles}, {reveals}; height {height}").format(
            entries=ngettext("{n} entry", "{n} entries", found.entries).format(n=found.entries),
            rolls=ngettext("{n} roll", "{n} rolls", len(found.rolls)).format(n=len(found.rolls)),
            shuffles=ngettext("{n} shuffle", "{n} shuffles", found.cards.shuffles).format(n=found.cards.shuffles),
            reveals=ngettext("{n} opening", "{n} openings", found.cards.reveals).format(n=found.cards.reveals),
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
        who = name_of(genesis, log.exporter)
        lines.append(_("Saved by {name} with starlock {program}").format(name=who, program=clipped(log.program)))
    return lines


def game_line(genesis: Genesis) -> str:
    """Which game at which table."""
    return _("{game}, table {table}").format(game=genesis.game, table=genesis.table.hex()[:16])


def _problem_line(problem: Problem, entries: Sequence[Entry], genesis: Genesis | None) -> str:
    text = problem_text(problem.code, problem.detail)
    if problem.entry is None:
        return text
    entry = entries[problem.entry]
    author = entry.author.hex()[:8] if genesis is None else name_of(genesis, entry.author)
    where = _("Entry {number} ({kind}, number {seq} of {author}, height {height}):").format(
        number=problem.entry, kind=entry.kind, seq=entry.seq, author=author, height=entry.height
    )
    return f"{where} {text}"


def _dice(genesis: Genesis, rolls: Sequence[RollReport]) -> list[str]:
    """Two rows a roll: what for and the faces; then of every contributor how its commitment and its seed begin."""
    lines = [_("Rolls: what for, the faces; then for each seat commitment>seed, as they begin")]
    if any(roll.lifted for roll in rolls):
        lines.append(_("(every commitment is older than its roll; * lifted the lock of that roll)"))
    for roll in rolls:
        words = " ".join([roll.tag.replace("-", " ") + ":", _faces(roll), *([] if roll.ok else [_("(no seed)")])])
        lines.append(wrapped(f"{roll.height:>6}  ", words))
        lines.append(wrapped(" " * 6, " ".join(_part(genesis, roll, part) for part in roll.parts)))
    return lines


def _part(genesis: Genesis, roll: RollReport, part: Part) -> str:
    """`0*3fa9>47fe`: seat, whether it lifted the lock, commitment, seed."""
    member = genesis.member(part.member)
    seats = part.member.hex()[:LETTERS] if member is None else "+".join(map(str, member.seats))
    opened = _("absent") if part.seed is None else part.seed.hex()[:LETTERS]
    return f"{seats}{'*' if part.member in roll.lifted else ':'}{part.committed.hex()[:LETTERS]}>{opened}"


def _faces(roll: RollReport) -> str:
    """`4 2 of 6 sides`, or face/sides for each where they differ."""
    if len(set(roll.sides)) == 1:
        faces = " ".join(map(str, roll.faces))
        return ngettext("{faces}  (a die of {sides})", "{faces}  (dice of {sides})", len(roll.faces)).format(
            faces=faces, sides=roll.sides[0]
        )
    return " ".join(f"{face}/{sides}" for face, sides in zip(roll.faces, roll.sides, strict=True))


def _decks(genesis: Genesis, found: Audit) -> list[str]:
    """Face-down cards and secret choices, in a few lines; nothing where there were none."""
    cards, checked = found.cards, found.cards.entries
    lines: list[str] = []
    if checked.get("share") or checked.get("shuffle"):
        lines += ["", _("Face-down cards, sealed by all members")]
        lines.append(wrapped("  ", _listed(cards.shuffles, cards.deals, cards.peeks)))
        proofs = {
            "shuffle": N_("shuffles"),
            "remask": N_("cards masked anew"),
            "tag": N_("blindings"),
            "share": N_("shares"),
        }
        told = [f"{checked[kind]} {_(word)}" for kind, word in proofs.items() if checked.get(kind)]
        lines.append(wrapped("  ", _("each with its proof, checked: {what}").format(what=", ".join(told))))
        for height, deck in cards.anew:
            lines.append(
                wrapped(
                    "  ",
                    _("height {height}: {deck} dealt anew, because a member was gone").format(height=height, deck=deck),
                )
            )
    if cards.seals:
        made, opened = checked.get("seal", 0), checked.get("reveal", 0)
        text = ngettext("{n} secret choice", "{n} secret choices", made).format(n=made)
        sentence = _("{choices}, fixed before any was opened; openings by their authors: {opened}")
        lines += ["", wrapped("", sentence.format(choices=text, opened=opened))]
        for height, author, fits in cards.forced:
            line = (
                _("height {height}: {name}'s was opened by the others")
                if fits
                else _("height {height}: {name}'s could not be opened: the fallback counts")
            )
            lines.append(wrapped("  ", line.format(height=height, name=name_of(genesis, author))))
    if cards.void:
        text = ngettext(
            "{n} message does not count: a pact had ended its height, or left its author out.",
            "{n} messages do not count: a pact had ended their height, or left their author out.",
            cards.void,
        )
        lines += ["", wrapped("", text.format(n=cards.void))]
    return lines


def _listed(shuffles: int, deals: int, peeks: int) -> str:
    told = [
        (shuffles, ngettext("{n} shuffle", "{n} shuffles", shuffles)),
        (deals, ngettext("{n} deal", "{n} deals", deals)),
        (peeks, ngettext("{n} peek", "{n} peeks", peeks)),
    ]
    return ", ".join(text.format(n=count) for count, text in told if count)


def wrapped(mark: str, text: str) -> str:
    """A text in lines of WIDTH, behind a mark."""
    return textwrap.fill(text, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)
