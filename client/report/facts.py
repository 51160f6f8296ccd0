# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program that writes a page tells on it, which the page marks as told. Names, chat, dice, votes and the
points of an end that members signed are not here: the page reads them from the saved game. Every text is untrusted: the
page never reads it as markup, and of the markup of pictures it takes few kinds of elements.

Beside the log the page gets hints, because the browser does not replay the rules. What was asked at each height is in
the file that `p2p.lockstep.told_file` describes, and the page checks it against what the members signed. Faults that
only the rules show come from this program alone, and the page says so.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any, Final

from client import __version__
from client.proof.audit import names_of
from client.proof.audit_chance import undone_text
from client.proof.luck import luck_lines
from client.proof.walk import Walk
from client.report.course import course
from client.report.verifier.held import page_hash
from client.system.registry import game_client
from client.system.texts import _
from client.words import event_text
from client.words.rounds import round_told
from engine.core.events import Event
from p2p.lockstep.audit import Audit
from p2p.lockstep.follower import Follower
from p2p.lockstep.told_file import told_file
from p2p.lockstep.undone import Undone

Seen = Sequence[tuple[int, str]]


def title(found: Audit) -> str:
    """The game and its players, in one line."""
    genesis = found.genesis
    assert genesis is not None
    name = game_client(genesis.game).title
    return f"{_(name) if name else genesis.game}: {', '.join(names_of(genesis))}"


BY_RULES: Final = frozenset({"answer/illegal", "entry/other-state", "result/other-points", "result/other-state"})
"""Faults that only the rules can judge."""


def hints(found: Audit) -> dict[str, Any]:
    """Return what the page gets beside the log of a judged game.

    told     the file of what was asked, in base64
    refused  by number of the entry, the code of the fault that only the rules can show
    """
    table = found.table
    if table is None:
        return {"told": "", "refused": {}}
    return {
        "told": b64encode(told_file(table.genesis.table, table.position)).decode(),
        "refused": {str(wrong.entry): wrong.code for wrong in found.problems if wrong.code in BY_RULES},
    }


def facts(found: Audit, seen: Seen = ()) -> dict[str, Any]:
    """The data of the page. The game must be judged with its rules. seen: height and text of what a seat of this home
    knew in addition."""
    table = found.table
    assert table is not None
    walk = Walk(table, _told(found))
    rounds = list(_rounds(walk))
    return {
        "complete": found.complete,
        "why": _why(walk),
        "seats": _seats(walk),
        "rounds": rounds,
        "story": sorted(_story(walk), key=lambda line: line[0]),
        "seen": list(seen),
        "undone": [
            (each.said.height, undone_text(walk.genesis, each)) for each in found.undone if not _finds(table, each)
        ],
        "luck": _luck(walk),
        "verifier": (__version__, page_hash()),
        **course(walk, rounds),
        "hints": hints(found),
    }


def _finds(table: Follower, each: Undone) -> bool:
    """True if the page finds by itself that this was undone: at a height that had an outcome, by a take-back that no
    other vote has undone."""
    stands = any(pact.kind == "takeback" for pact in table.effected(each.at))
    return each.by == "takeback" and stands and each.said.height < each.at


def _told(found: Audit) -> list[tuple[int, Sequence[Event]]]:
    """The heights with events, and their events."""
    history = ((at, [event for event in told if isinstance(event, Event)]) for at, told in found.history)
    return [(at, events) for at, events in history if events]


def _rounds(walk: Walk) -> Iterator[dict[str, int]]:
    """Each round with the height that opens it, if its beginning was not taken back."""
    last = 0
    for height, events in walk.history:
        number = round_told(events)
        if number > last and walk.stands(height):
            last = number
            yield {"round": number, "height": height + 1}


def _seats(walk: Walk) -> list[dict[str, Any]]:
    """Points of each kind, and places; for a game that is not over, what would be scored now."""
    match = walk.match_at(walk.last)
    assert match is not None
    scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
    return [
        {
            "name": walk.names[score.seat],
            "total": score.total,
            "rank": score.rank,
            "parts": [list(part) for part in score.parts],
        }
        for score in scores
    ]


def _why(walk: Walk) -> str:
    """The ending of the game in a sentence; empty for a game that can end in only one way."""
    endings = game_client(walk.genesis.game).endings
    told = [event for event in walk.events if event.id in endings]
    return event_text(told[-1], walk.names, walk.display_names) if told else ""


def _story(walk: Walk) -> Iterator[tuple[int, str]]:
    """Height and text of each line."""
    for height, events in walk.history:
        for event in events:
            yield height, event_text(event, walk.names, walk.display_names)


def _luck(walk: Walk) -> list[str]:
    match = walk.match_at(walk.last)
    return luck_lines(walk.events, walk.names, walk.genesis.game, None if match is None else match.g)
