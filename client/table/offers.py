# SPDX-License-Identifier: GPL-3.0-or-later
"""A table that is shown on this network, in words."""

from __future__ import annotations

from client.system.names import clipped, shown
from client.system.registry import GAMES
from client.system.texts import _
from client.words.options import changes_title, game_title
from engine.core.registry import by_rules, game
from p2p.reach.find import TableOffer


def fits(offer: TableOffer) -> bool:
    """True if this program has the rules of a table."""
    return offer.game in GAMES and by_rules(game(offer.game), offer.rules) is not None


def table_text(offer: TableOffer) -> str:
    """A table in one line: its host, game, number of free seats, whether this program can play it, its options, and its
    short name."""
    whose = clipped(offer.name) if offer.name else _("a table without a name")
    text = _("{whose}: {game}, {free} of {seats} seats free").format(
        whose=whose, game=game_title(offer.game), free=offer.free, seats=offer.seats
    )
    if not fits(offer):
        text += " · " + _("needs another version ({program})").format(program=shown(offer.program))
    return f"{text} · {changes_title(offer.game, offer.options)} · {offer.word}"
