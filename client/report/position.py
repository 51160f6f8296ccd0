# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded game and its positions in the forms that can be taken elsewhere: text, plain fields for JSON, SVG."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, Glyphs, plain
from client.system.errors import UserError
from client.system.texts import N_, _
from client.words.rounds import round_text
from engine.core.ids import Seat

if TYPE_CHECKING:
    from client.proof.walk import Walk
    from engine.core.match import Match

FORMS: Final[Mapping[str, str]] = {
    "svg": N_("the map here, as a picture (SVG)"),
    "txt": N_("the position here, as text: map and boards"),
    "json": N_("the position here and what happened before, for programs (JSON)"),
    "log.txt": N_("the whole game, told as text"),
}
"""The ending of a file → what it holds, marked for translation. All show what everybody may see."""


def game_heading(walk: Walk) -> list[str]:
    """The lines above any text about a game."""
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(walk.names))
    return [_("{game}, table {table}").format(game=walk.genesis.game, table=walk.genesis.table.hex()[:16]), names, ""]


def position_lines(walk: Walk, match: Match, at: int, glyphs: Glyphs, asked: Sequence[str] = ()) -> Sequence[str]:
    """A height in words, and the pictures that fronts show side by side. asked: the name of a single picture instead,
    and the words after it."""
    waiting = ", ".join(walk.names[seat] for seat in match.owing())
    place = _("step {height} of {last}").format(height=at, last=walk.last)
    lines = [
        ", ".join(filter(None, (place, round_text(walk.genesis.game, walk.round_at(at))))),
        _("to move: {names}").format(names=waiting) if waiting else _("nobody has to answer here"),
        _("digest {digest}").format(digest=match.digest().hex()),
    ]
    frame = Frame(match.view(Seat(-1)), walk.names, glyphs, asked[1:], display_names=walk.display_names, height=0)
    documents = pictures(walk.genesis.game).documents
    first = asked[0] if asked else documents.whole
    shown = [documents.commands[first]] if first else []
    shown += [each for each in documents.beside(frame).values() if each not in shown and not asked]
    for each in shown:
        lines += ["", *([_(each.title)] if each.title else []), *(plain(line).rstrip() for line in each.draw(frame))]
    return lines


def position_fields(walk: Walk, match: Match, at: int) -> dict[str, object]:
    """A height as plain data, with the events before it; those that were taken back are marked."""
    scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
    return {
        "game": walk.genesis.game,
        "table": walk.genesis.table.hex(),
        "names": walk.names,
        "height": at,
        "last": walk.last,
        "complete": walk.complete,
        "round": walk.round_at(at),
        "to_move": list(match.owing()),
        "head": walk.head_at(at).hex(),
        "digest": match.digest().hex(),
        "scores": [score.total for score in scores],
        "events": [
            {"height": height, "id": event.id, "args": dict(event.args)}
            | ({} if walk.stands(height) else {"taken_back": True})
            for height, events in walk.history
            if height < at
            for event in events
        ],
    }


def write_form(form: str, walk: Walk, match: Match, at: int, path: Path) -> int:
    """Write one of `FORMS` to a file that is not there yet. Returns its size in bytes. UserError."""
    from client.system.files import keep_existing, place
    from client.table.result import write_whole

    keep_existing(place(str(path)), force=False)
    data = _MADE[form](walk, match, at).encode()
    write_whole(path, data)
    return len(data)


def _drawing(walk: Walk, match: Match, _at: int) -> str:
    from client.report.course import map_at

    drawn = map_at(match, walk)
    if not drawn:
        raise UserError("map/none", _("There is no drawn map here."), _("Its map as text is in the text."))
    return drawn


def _text(walk: Walk, match: Match, at: int) -> str:
    return "\n".join([*game_heading(walk), *position_lines(walk, match, at, UNICODE), ""])


def _json(walk: Walk, match: Match, at: int) -> str:
    return json.dumps(position_fields(walk, match, at), ensure_ascii=False) + "\n"


def _told(walk: Walk, _match: Match, _at: int) -> str:
    return "\n".join([*game_heading(walk), *walk.log_lines(walk.last), ""])


_MADE: Final[Mapping[str, Callable[[Walk, Match, int], str]]] = {
    "svg": _drawing,
    "txt": _text,
    "json": _json,
    "log.txt": _told,
}
