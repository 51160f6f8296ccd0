# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of the page. Every text in it is untrusted: the page never reads it as markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from client.audit import SavedGame, names_of
from client.audit_chance import name_of
from client.games import game_client
from client.luck import luck_lines
from client.names import clipped
from client.report.course import course, source
from client.report.hints import hints
from client.report.waiting import votes, waiting
from client.rounds import round_told
from client.show.pictures import pictures
from client.texts import _
from client.walk import Walk
from client.wording import event_text
from client.wording.proof import proof_text
from client.wording.rolls import purpose_text
from engine.core.events import Event
from p2p.lockstep.account import RollReport
from p2p.lockstep.audit import Audit
from p2p.lockstep.genesis import Genesis

__all__ = ["Seen", "facts", "title"]

Seen = Sequence[tuple[int, str]]


def title(found: Audit) -> str:
    """The game and its players, in one line."""
    genesis = found.genesis
    assert genesis is not None
    name = game_client(genesis.game).title
    return f"{_(name) if name else genesis.game}: {', '.join(names_of(genesis))}"


def facts(log: SavedGame, found: Audit, seen: Seen = ()) -> dict[str, Any]:
    """The data of the page. The game must be judged with its rules. seen: height and text of what a seat of this home
    knew in addition."""
    table = found.table
    assert table is not None
    walk = Walk(table, _told(found))
    rounds = list(_rounds(walk))
    return {
        "game": walk.genesis.game,
        "table": walk.genesis.table.hex()[:16],
        "complete": found.complete,
        "why": _why(walk),
        "height": found.height,
        "entries": found.entries,
        "digest": found.state.hex(),
        "seats": _seats(walk),
        "rounds": rounds,
        "story": sorted([*_story(walk), *votes(found), *_chat(log, walk)], key=lambda line: line[0]),
        "seen": list(seen),
        "waiting": waiting(found, log.entries),
        "luck": _luck(walk),
        "rolls": [_roll(walk.genesis, roll) for roll in found.rolls],
        **course(walk, rounds),
        "proves": [proof_text(code, found.coalitions) for code in found.proves],
        "does_not_prove": [proof_text(code, found.coalitions) for code in found.does_not_prove],
        "hints": hints(found),
    }


def _told(found: Audit) -> list[tuple[int, Sequence[Event]]]:
    """The heights with events, and their events."""
    history = ((at, [event for event in told if isinstance(event, Event)]) for at, told in found.history)
    return [(at, events) for at, events in history if events]


def _rounds(walk: Walk) -> Iterator[dict[str, int]]:
    """Each round with the height that opens it."""
    last = 0
    for height, events in walk.history:
        number = round_told(events)
        if number > last:
            last = number
            yield {"round": number, "height": height + 1}


def _seats(walk: Walk) -> list[dict[str, Any]]:
    """Points by source, and places; for a game that is not over, what would be scored now."""
    match = walk.match_at(walk.last)
    assert match is not None
    scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
    shown = pictures(walk.genesis.game)
    return [
        {
            "name": walk.names[score.seat],
            "total": score.total,
            "rank": score.rank,
            "parts": [[source(name, walk, shown), points] for name, points in score.parts],
        }
        for score in scores
    ]


def _why(walk: Walk) -> str:
    """The ending of the game in a sentence; empty for a game that can end in only one way."""
    endings = game_client(walk.genesis.game).endings
    told = [event for event in walk.events if event.id in endings]
    return event_text(told[-1], walk.names, walk.display_names) if told else ""


def _story(walk: Walk) -> Iterator[tuple[int, str, str]]:
    """Height, kind of line, and text."""
    for height, events in walk.history:
        for event in events:
            kind = "round" if event.id.startswith("round/") else event.id.partition("/")[0]
            yield height, kind, event_text(event, walk.names, walk.display_names)


def _chat(log: SavedGame, walk: Walk) -> Iterator[tuple[int, str, str]]:
    for entry in log.entries:
        salted = log.texts.get(entry.id)
        if salted is not None:
            said = _("{name}: {text}").format(name=name_of(walk.genesis, entry.author), text=clipped(salted[1], 2000))
            yield entry.height, "chat", said


def _luck(walk: Walk) -> list[str]:
    match = walk.match_at(walk.last)
    return luck_lines(walk.events, walk.names, walk.genesis.game, None if match is None else match.g)


def _roll(genesis: Genesis, roll: RollReport) -> dict[str, Any]:
    return {
        "height": roll.height,
        "tag": purpose_text(roll.tag),
        "faces": list(roll.faces),
        "sides": list(roll.sides),
        "parts": [
            {
                "name": name_of(genesis, part.member),
                "commitment": part.committed.hex(),
                "seed": "" if part.seed is None else part.seed.hex(),
                "lifted": part.member in roll.lifted,
            }
            for part in roll.parts
        ],
    }
