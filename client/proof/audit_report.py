# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on a game or a piece of evidence, as fields for programs and as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from client.proof.audit import SavedGame, names_of
from client.proof.audit_chance import agreed_text, card_lines, dice_lines, name_of, undone_lines, wrapped
from client.show.styled import padded
from client.system.names import clipped, columns, member_name, seat_name
from client.system.registry import game_client
from client.system.texts import _, ngettext
from client.table.beginning import own_content
from client.table.content import custom_of
from client.table.words import owed_text
from client.words import DisplayNames, event_text
from client.words.machines import table_lines
from client.words.proof import TOGETHER, problem_text, proof_text, sizes_text
from engine.core.events import Event
from p2p.identity.words import fingerprint
from p2p.lockstep.account import CardReport, PactReport, RollReport
from p2p.lockstep.audit import Audit
from p2p.lockstep.claims import OmissionClaim, claims
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.replay import Problem
from p2p.lockstep.undone import Undone
from p2p.wire.codec import Value
from p2p.wire.entry import Entry

Fields = dict[str, object]


# A game --------------------------------------------------------------------------------------------------------------


def log_fields(log: SavedGame, found: Audit) -> Fields:
    """The answer for programs.

    entry       of a problem: the entry's number from 0, null for the log as a whole
    rolls       in order: height, epoch, number, tag, sides, faces, ok; seeds: of every contributor its commitment and
                its seed (null: it was left out), in hexadecimal; lock: how many members lift its lock (0: it has
                none); lifted: who did
    cards       sealed; how many shuffles, deals, peeks, reveals and seals; checked: messages of each kind whose proof
                or opening fits; anew: decks dealt again without an absent member; forced: choices that the others
                opened; void: messages that do not count
    claims      statements that a member did not answer: author, member, height, kind of the entry; stands: it is still
                owed
    undone      choices, rolls and openings that a vote has undone: height, what, member, value; by: the kind of the
                vote, at: its height, voters
    coalitions  [t, n]: any t of n members together could open what is locked
    unjudged    entries that depend on missing entries: member, key, entries
    unsigned    members of a complete game whose signature under its end is missing
    saved_by    the signer of the file: key, name, member (true for a member of the table); null for a table of this
                home
    fouls       breaches of the rules that opened cards have shown: the event and its values
    proofs      how many faults can be proven each by a file of its own (--evidence)
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
        "own_content": genesis is not None and bool(own_content(genesis, log.content)),
        "origin": _origin(genesis),
        "seats": [] if genesis is None else seats_of(genesis),
        "machines": [] if genesis is None else [[*member.seats] for member in genesis.members],
        "entries": found.entries,
        "height": found.height,
        "digest": found.state.hex(),
        "ending": found.ending,
        "unjudged": [
            {"member": _name_of_key(found, key), "key": key.hex(), "entries": count} for key, count in found.unjudged
        ],
        "end": _end(found),
        "unsigned": [_name_of_key(found, key) for key in found.unsigned],
        "saved_by": _saver(log, found),
        "fouls": [{"event": event.id, **event.args} for event in _fouls(found)],
        "rolls": [_roll(genesis, roll) for roll in found.rolls] if genesis is not None else [],
        "shuffles": found.cards.shuffles,
        "reveals": found.cards.reveals,
        "cards": _cards(genesis, found.cards) if genesis is not None else {},
        "pacts": [_pact(genesis, pact) for pact in found.pacts] if genesis is not None else [],
        "undone": [_undone(genesis, each) for each in found.undone] if genesis is not None else [],
        "problems": [_problem(problem, log.entries) for problem in found.problems],
        "proves": list(found.proves),
        "does_not_prove": list(found.does_not_prove),
        "coalitions": [list(size) for size in found.coalitions],
        "claims": [_claim(genesis, claim) for claim in _claims(found)] if genesis is not None else [],
        "proofs": len(found.proofs),
    }


def _origin(genesis: Genesis | None) -> Fields | None:
    """The table from which its one member goes on alone."""
    if genesis is None or genesis.origin is None:
        return None
    origin = genesis.origin
    return {"table": origin.table.hex(), "height": origin.height, "head": origin.head.hex()}


def _end(found: Audit) -> Fields | None:
    """The end as the members have signed it."""
    if found.end is None:
        return None
    scores = [
        {"seat": seat, "place": place, "points": points, "kinds": dict(parts)}
        for seat, (place, points, parts) in enumerate(found.end.scores)
    ]
    gone = [_name_of_key(found, key) for key in found.end.given_up]
    return {"ending": found.end.ending, "scores": scores, "given_up": gone}


def _signed_places(found: Audit) -> list[str]:
    """Places and points as the members have signed them, the first place first."""
    if found.end is None or found.genesis is None:
        return []
    names = names_of(found.genesis)
    width = max(map(columns, names))
    rows = sorted((place, seat, points) for seat, (place, points, _) in enumerate(found.end.scores))
    told = [f"  {place:>2}.  {padded(names[seat], width)}  {points:>4}" for place, seat, points in rows]
    won = _("Won: {names}").format(names=", ".join(names[seat] for place, seat, _points in rows if place == 1))
    return [wrapped("", won), "", _("The end, as its members signed it"), *told]


def seats_of(genesis: Genesis) -> list[Fields]:
    """The members and their seats."""
    seated = [(row, member) for member in genesis.members for row in member.rows]
    return [
        {
            "seat": row.seat,
            "name": seat_name(row),
            "bot": row.level,
            "key": member.key.hex(),
            "identity": words_of(member.key, genesis),
        }
        for row, member in sorted(seated, key=lambda each: each[0].seat)
    ]


def words_of(key: bytes, genesis: Genesis) -> str:
    """The words of a member's identity; empty for a stranger."""
    member = genesis.member(key)
    return "" if member is None else fingerprint(member.certificate.identity)


def _roll(genesis: Genesis, roll: RollReport) -> Fields:
    """One roll: the commitments below its height, the seeds that opened them, and the faces."""
    return {
        "height": roll.height,
        "epoch": roll.epoch,
        "number": roll.k,
        "tag": roll.tag,
        "sides": list(roll.sides),
        "seeds": [
            {
                "member": name_of(genesis, part.member),
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
    return _("step {height}: {what}").format(height=pact.height, what=agreed_text(genesis, pact))


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


def _claims(found: Audit) -> tuple[OmissionClaim, ...]:
    return () if found.table is None else claims(found.table)


def _claim(genesis: Genesis, claim: OmissionClaim) -> Fields:
    """One member's statement that another did not answer."""
    who = {"author": name_of(genesis, claim.author), "member": name_of(genesis, claim.member)}
    return {**who, "height": claim.height, "kind": claim.kind, "stands": claim.stands}


def _claimed(genesis: Genesis, claim: OmissionClaim) -> str:
    """The same as a neutral sentence."""
    stands = _("Not over: {author} claims that {member} did not go on at step {height} ({owes}). No fault is shown.")
    lapsed = _("{author} claimed at step {height} that {member} did not go on; the game has gone on since.")
    return (stands if claim.stands else lapsed).format(
        author=name_of(genesis, claim.author),
        member=name_of(genesis, claim.member),
        height=claim.height,
        owes=owed_text(claim.kind) or _("owes an answer"),
    )


def _name_of_key(found: Audit, key: bytes) -> str:
    """The name of a member, also of one that joined later, or the start of a stranger's key."""
    roster = {} if found.table is None else found.table.position.roster
    known = roster.get(key) or (None if found.genesis is None else found.genesis.member(key))
    return key.hex()[:8] if known is None else member_name(known.rows)


def _saver(log: SavedGame, found: Audit) -> Fields | None:
    """Who signed the file."""
    key = log.exporter
    return None if key is None else {"key": key.hex(), "name": _name_of_key(found, key), "member": _member(found, key)}


def _undone(genesis: Genesis, each: Undone) -> Fields:
    """What a vote has undone: who said what, and who voted for that."""
    said = each.said
    return {
        "height": said.height,
        "what": said.what,
        "member": name_of(genesis, said.who) if said.who else "",
        "value": _plain(said.value),
        "by": each.by,
        "at": each.at,
        "voters": [name_of(genesis, key) for key in each.voters],
    }


def _plain(value: Value) -> object:
    """A value of the log as JSON has it: bytes as hexadecimal digits."""
    if isinstance(value, list):
        return list(map(_plain, value))
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return value.hex() if isinstance(value, bytes) else value


def _member(found: Audit, key: bytes) -> bool:
    roster = {} if found.table is None else found.table.position.roster
    return key in roster or (found.genesis is not None and found.genesis.member(key) is not None)


def _fouls(found: Audit) -> list[Event]:
    """Cards that, once opened, contradict how they were used."""
    fouls = {"core/foul"} if found.genesis is None else {"core/foul", *game_client(found.genesis.game).fouls}
    return [event for event in found.events if isinstance(event, Event) and event.id in fouls]


def _problem(problem: Problem, entries: Sequence[Entry]) -> Fields:
    fields: Fields = {"entry": problem.entry, "code": problem.code, "detail": problem.detail}
    if problem.entry is not None:
        entry = entries[problem.entry]
        fields |= {"author": entry.author.hex(), "seq": entry.seq, "height": entry.height, "kind": entry.kind}
    return fields


def log_text(log: SavedGame, found: Audit) -> str:
    """The answer for people: verdict, who won, what is proven and what not, what more than half could have done, and
    what votes undid; then the rest."""
    genesis = found.genesis
    lines = [_verdict(found), *_open_ends(found)]
    lines += [f"  {_problem_line(problem, log.entries, genesis)}" for problem in found.problems]
    if genesis is None:
        return "\n".join(lines)
    lines += [*_signed_places(found), *_claims_text(found), *_undone_text(genesis, found)]
    lines += ["", *_head(log, found, genesis)]
    if claimed := _claims(found):
        lines += ["", *(wrapped("", _claimed(genesis, claim)) for claim in claimed)]
    if fouls := _fouls(found):
        told = [wrapped("  ", event_text(event, names_of(genesis), DisplayNames(genesis.game))) for event in fouls]
        lines += ["", _("Against the rules, as opened cards have shown"), *told]
    if found.rolls:
        lines += ["", *dice_lines(genesis, found.rolls)]
    lines += card_lines(genesis, found.cards)
    if found.pacts:
        lines += ["", _("Agreed by vote"), *(wrapped("  ", _agreed(genesis, pact)) for pact in found.pacts)]
    if found.proofs:
        lines += ["", _("Each fault can be proven by a file of its own: verify it again with --evidence FOLDER.")]
    return "\n".join(lines)


def claims_of(found: Audit) -> list[tuple[str, str, list[str]]]:
    """What the log proves (+), what it does not (-), and what some members together could have done unseen (-): mark,
    title and sentences, without those of which there is nothing to say."""
    alone = [proof_text(code) for code in found.does_not_prove if code not in TOGETHER]
    together = [_(TOGETHER[code]) for code in found.does_not_prove if code in TOGETHER]
    lists = (
        ("+", _("This proves that"), [proof_text(code) for code in found.proves]),
        ("-", _("It does not prove"), alone),
        ("-", _("What {coalitions} members together could have done unseen"), together),
    )
    sizes = sizes_text(found.coalitions)
    return [(mark, title.format(coalitions=sizes), texts) for mark, title, texts in lists if texts]


def _claims_text(found: Audit) -> list[str]:
    lines = []
    for mark, title, texts in claims_of(found):
        lines += ["", title, *(wrapped(f"  {mark} ", text) for text in texts)]
    return lines


def _undone_text(genesis: Genesis, found: Audit) -> list[str]:
    """What votes undid."""
    return ["", _("Undone by vote"), *undone_lines(genesis, found.undone)] if found.undone else []


def _verdict(found: Audit) -> str:
    if not found.ok:
        return _("Not intact.")
    if not found.complete:
        return _("Intact, as far as it goes: the game is not over.")
    if found.unsigned:
        names = ", ".join(_name_of_key(found, key) for key in found.unsigned)
        return _("Intact. The game has ended; the end is not confirmed by {names}.").format(names=names)
    return _("Intact and complete.") if found.ending == "played" else _("Intact. The members agreed to end the game.")


def _open_ends(found: Audit) -> list[str]:
    """What the verdict does not cover: entries that could not be judged."""
    lines = []
    for key, count in found.unjudged:
        text = ngettext(
            "{n} entry of {name} could not be judged: it rests on entries beyond step {height} that are not here.",
            "{n} entries of {name} could not be judged: they rest on entries beyond step {height} that are not here.",
            count,
        )
        lines.append(wrapped("", text.format(n=count, name=_name_of_key(found, key), height=found.height)))
    return lines


def _head(log: SavedGame, found: Audit, genesis: Genesis) -> list[str]:
    names = names_of(genesis)
    lines = [
        game_line(genesis),
        *(f"  {seat}  {name}" for seat, name in enumerate(names)),
        *(wrapped("", text) for text in table_lines(genesis)),
        _("{entries}; {rolls}, {shuffles}, {reveals}; step {height}").format(
            entries=ngettext("{n} entry", "{n} entries", found.entries).format(n=found.entries),
            rolls=ngettext("{n} roll", "{n} rolls", len(found.rolls)).format(n=len(found.rolls)),
            shuffles=ngettext("{n} shuffle", "{n} shuffles", found.cards.shuffles).format(n=found.cards.shuffles),
            reveals=ngettext("{n} opening", "{n} openings", found.cards.reveals).format(n=found.cards.reveals),
            height=found.height,
        ),
    ]
    own = custom_of(genesis.game, own_content(genesis, log.content))
    if own is not None:
        text = ngettext(
            "Own content {id}: {n} value differs from the game's.",
            "Own content {id}: {n} values differ from the game's.",
            len(own.changes),
        )
        lines.append(text.format(id=genesis.content.hex()[:12], n=len(own.changes)))
    if log.exporter is not None:
        by = _("Saved by {name} with starlock {program}")
        if not _member(found, log.exporter):
            by = _("Saved by a key that is no member's ({name}) with starlock {program}")
        lines.append(by.format(name=_name_of_key(found, log.exporter), program=clipped(log.program)))
    return lines


def game_line(genesis: Genesis) -> str:
    """The game and the table in one line."""
    return _("{game}, table {table}").format(game=clipped(genesis.game), table=genesis.table.hex()[:16])


def _problem_line(problem: Problem, entries: Sequence[Entry], genesis: Genesis | None) -> str:
    text = problem_text(problem.code, problem.detail)
    if problem.entry is None:
        return text
    entry = entries[problem.entry]
    author = entry.author.hex()[:8] if genesis is None else name_of(genesis, entry.author)
    where = _("Entry {number} ({kind}, number {seq} of {author}, step {height}):").format(
        number=problem.entry, kind=entry.kind, seq=entry.seq, author=author, height=entry.height
    )
    return f"{where} {text}"
