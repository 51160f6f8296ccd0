"""All that is shown of a game at a moment, as text: each picture with its styles, the map, each question with the
meaning of its options, the boards, the numbers that are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from bot_games import Moment
from specimens import styled

from client.session.choices import Choices
from client.session.draft import Draft
from client.show.document import Shelf, as_plain
from client.show.pictures import Frame, Pictures
from client.show.styled import UNICODE
from client.table.player import Asked
from engine.core.dataclass import replace
from engine.core.notation import format_value
from engine.core.values import Value

NAMES: Final = ("Anna", "Bob", "Carl", "Dina")
MOST: Final = 14
"""Options of which all is kept."""
WIDTH: Final = 116
NARROW: Final = ((58, 20), (39, 9))
"""Columns and rows of smaller windows in which each picture is kept too."""


def plain(value: Any, indent: str) -> Iterator[str]:
    """Records as JSON without what is empty, in lines that can be read."""
    if isinstance(value, dict):
        value = {name: each for name, each in value.items() if each not in ("", None, [], {})}
    text = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(text) <= WIDTH or not isinstance(value, dict | list):
        yield indent + text
    elif isinstance(value, dict):
        short = {name: each for name, each in value.items() if not isinstance(each, dict | list)}
        yield f"{indent}{json.dumps(short, ensure_ascii=False)}"
        for name in [name for name in value if name not in short]:
            yield f"{indent}{name}:"
            yield from plain(value[name], indent + "  ")
    else:
        for each in value:
            yield from plain(each, indent + "  ")


def shown_options(moment: Moment, frame: Frame, drawn: Pictures, answer: Value) -> Iterator[str]:
    """The question and its options with their meaning, at each stage of the answer that a bot gave."""
    match, wait = moment.match, moment.wait
    draft = Draft(Asked(moment.seat, match, moment.lens, wait, match.height))
    for stage in answer if wait.staged and isinstance(answer, tuple) else (answer,):
        choices = Choices(draft, wait, drawn, frame)
        yield f"  {drawn.questions.text(frame, wait, draft.so_far)}"
        for at, option in enumerate(choices.options[:MOST]):
            where = " ".join(drawn.questions.places(frame, wait, option, draft.so_far))
            told = (choices.shown(at), choices.title(at), choices.about(at), where and f"at {where}")
            yield f"    {choices.numbers[at]}{choices.letters[at]} {' | '.join(filter(None, dict.fromkeys(told)))}"
        yield f"    of {choices.main} and {len(choices.options) - choices.main}"
        yield from (f"    not {', '.join(those)}: {why}" for why, those in choices.why().items())
        for sheet in drawn.documents.form(frame, wait, draft.options(), draft.so_far):
            yield from plain(as_plain(sheet), "    ")
        if not draft.options():
            return
        draft = draft.pick(stage)
        if draft.values:
            return


def asked(moment: Moment, drawn: Pictures, answer: Value) -> Iterator[str]:
    """A question, and what stands around it."""
    view = moment.view
    frame = Frame(view, NAMES[: view.g.table.seats], UNICODE, history=moment.history, width=WIDTH)
    yield f"== {moment.match.height} {NAMES[moment.seat]}: {moment.wait.word}, answered {format_value(answer)}"
    documents, fights = drawn.documents, drawn.fights
    yield f"  {documents.standing(frame)}"
    yield from (f"  {NAMES[seat]}: {documents.state(frame, seat)}" for seat in range(len(frame.names)))
    for document in (documents.before(frame, moment.wait), documents.outlook(frame, moment.seat)):
        yield from plain(as_plain(document), "  ") if document else ()
    recent = [event for _height, events in moment.history[-12:] for event in events]
    battle = fights.now(frame, recent)
    yield from plain(as_plain(battle), "  ") if battle else ()
    yield f"  advised {fights.advised(frame, moment.wait, ())}, on {fights.fight_on(frame, moment.wait)}"
    yield from shown_options(moment, frame, drawn, answer)


def whole(moment: Moment, drawn: Pictures) -> Iterator[str]:
    """Every picture with its styles, the map with its pieces, and the numbers."""
    view = moment.view
    frame = Frame(view, NAMES[: view.g.table.seats], UNICODE, history=moment.history, width=WIDTH, height=0)
    documents = drawn.documents
    for word, picture in documents.commands.items():
        yield f"-- {word}"
        yield from map(styled, picture.draw(frame))
        for width, height in NARROW:
            yield f"  in {width} columns and {height} rows:"
            yield from map(styled, picture.draw(replace(frame, width=width, height=height)))
        blocks = [block for block in picture.document(frame) if getattr(block, "kind", "") != "chart"]
        yield from plain(as_plain(blocks), "  ")
        yield from (
            f"  {ware.title}: {' / '.join(ware.about())}"
            for block in blocks
            if isinstance(block, Shelf)
            for ware in block.wares
        )
    yield from mapped(frame, drawn)
    yield "-- numbers"
    for seat in range(len(frame.names)):
        yield f"{NAMES[seat]}: {', '.join(f'{name} {number}' for name, number in drawn.counts.figures(frame, seat))}"
    yield from (f"{each.chapter}, {each.name}: {list(each.by_seat)}" for each in drawn.counts.growth(frame))


def mapped(frame: Frame, drawn: Pictures) -> Iterator[str]:
    """Each place of the map with its pieces, and the rest of the drawing."""
    yield "-- map as SVG"
    shown = drawn.documents.map(frame)
    for place in shown.places:
        sides = place.outline if isinstance(place.outline, str) else " ".join(map(point, place.outline))
        where = f"{point(place.at)} x{place.scale} {point(place.middle)} {sides} strong={place.strong}"
        yield f"{place.id} {place.label()} owner {place.owner} {place.fill} {place.edge} {where}"
        for piece in place.pieces():
            named = f"{piece.shape or '-'} {piece.sign or '-'} x{piece.many} {piece.id}".rstrip()
            yield f"    {named} at {point(piece.at)} {piece.size:.1f} {piece.ink} bold={piece.bold} {dict(piece.look)}"
        for space in [place.id] if place.owner >= 0 else []:
            yield from (f"    {NAMES[seat]}: {said}" for seat, said in drawn.fights.forces(frame, space))
            yield f"    {drawn.fights.odds(frame, space)}"
    yield drawn.documents.drawing(frame).replace("<", "\n<").partition("<g transform")[0]


def point(at: tuple[float, float]) -> str:
    """A point of a drawing."""
    return f"{at[0]:.1f},{at[1]:.1f}"
