# SPDX-License-Identifier: GPL-3.0-or-later
"""The form for a new table as a list: each row has a value that the arrows change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from client.fronts.kit.pane import Item
from client.session.start import NewTable, bots_of
from client.system.registry import GAMES
from client.system.texts import _, ngettext
from client.words import term
from client.words.options import game_title, option_title, value_title
from engine.core.handicap import HANDICAP, MOST_HANDICAP
from engine.core.registry import game


def form_rows(wanted: NewTable) -> Iterator[Item]:
    """Game, seats, who has them, and the options."""
    seats = list(map(str, game(wanted.game).seats))
    yield _row(_("game"), game_title(wanted.game), wanted.choose_game, list(GAMES), wanted.game)
    yield _row(_("seats"), str(wanted.seats), lambda text: wanted.sit(int(text)), seats, str(wanted.seats))
    yield from _people_rows(wanted)
    yield from option_rows(wanted)


def _people_rows(wanted: NewTable) -> Iterator[Item]:
    """Friends, bots and people at this screen."""

    def set_friends(text: str) -> None:
        wanted.friends = int(text)

    def set_bots(text: str) -> None:
        wanted.bots = text

    def set_people(text: str) -> None:
        wanted.people = int(text)

    if wanted.friends is not None:
        now, left = str(wanted.friends), wanted.seats - 1 - wanted.friends
        about = ngettext("{n} bot takes the last seat", "{n} bots take the last seats", left).format(n=left)
        numbers = list(map(str, range(1, wanted.seats)))
        yield _row(_("friends who come"), now, set_friends, numbers, now, about if left else "")
    if wanted.friends != wanted.seats - 1:
        levels = bots_of(wanted.game)
        yield _row(_("bots"), wanted.bots, set_bots, list(levels), wanted.bots, levels[wanted.bots])
    if wanted.friends is None:
        numbers, now = list(map(str, range(1, wanted.seats + 1))), str(wanted.people)
        yield _row(_("people at this screen"), now, set_people, numbers, now)


def option_rows(wanted: NewTable) -> Iterator[Item]:
    """The options with their meanings; * after those that are not as usual."""
    for option in game(wanted.game).options:
        if option == HANDICAP:
            yield from _handicap_rows(wanted)
        if option.values is not None:
            now = wanted.options.get(option.name, option.default)
            mark = "" if now == option.default else " *"
            title, text = option_title(option.name, wanted.game), value_title(option.name, now, wanted.game)
            set_, about = partial(wanted.set_option, option.name), term(option.help, wanted.game)
            yield _row(title, text + mark, set_, list(option.values), now, about)


def _handicap_rows(wanted: NewTable) -> Iterator[Item]:
    """What each seat gets more in a round."""
    numbers, about = list(map(str, range(MOST_HANDICAP + 1))), term(HANDICAP.help, wanted.game)
    for seat in range(wanted.seats):
        now = wanted.handicap(seat)
        title = _("handicap of seat {seat}").format(seat=chr(ord("A") + seat))
        set_ = partial(wanted.set_handicap, seat)
        yield _row(title, f"{now} *" if now else "0", set_, numbers, str(now), "" if seat else about)


def _row(name: str, shown: str, set_: Callable[[str], None], values: Sequence[str], now: str, about: str = "") -> Item:
    def turn(by: int) -> None:
        at = values.index(now) if now in values else 0
        set_(values[(at + by) % len(values)])

    return Item(f"{name}:  ◂ {shown} ▸  {about}".rstrip(), "← →", partial(turn, 1), turn=turn)
