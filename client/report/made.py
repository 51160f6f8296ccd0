# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the page of a game: from a saved game, or from a table of this home with what its own seat knew."""

from __future__ import annotations

import sys
from pathlib import Path

from client.proof.audit import MAX_FILE, SavedGame, game_named, in_words
from client.proof.walk import Walk, not_intact
from client.report.eyes import known, own_seat
from client.report.facts import Seen
from client.report.page import audited
from client.system.context import Context
from client.system.errors import UserError
from client.system.files import read_at_most
from client.system.texts import _
from client.table import tables
from client.table.identity import own_identity
from client.table.result import star_bytes
from p2p.lockstep.audit import Audit
from p2p.lockstep.follower import Follower


def made(what: str, context: Context, eyes: str | None = None) -> tuple[Audit, bytes, bytes]:
    """The verdict on a game, its saved form and its page. UserError when there is no such game or nothing to show.

    eyes: a seat of this home, whose private knowledge the page includes, "" or None for none.
    """
    log = game_named(what, context)
    found, star, page = audited(
        log,
        lambda table: _star(what, log, table, context),
        lambda table: () if eyes is None else _seen(what, log, table, eyes, context),
        in_words(context.progress),
    )
    if found.table is None:
        raise not_intact(what)
    return found, star, page


def _seen(what: str, log: SavedGame, table: Follower, eyes: str, context: Context) -> Seen:
    """What a seat of this home knew, after its person has agreed twice to publish it on the page."""
    if log.end is not None:
        raise UserError(
            "report/eyes-file",
            _("A file holds no secrets: what a seat knew is kept in that player's own starlock folder."),
            _("Name the table instead of the file: starlock tables"),
        )
    walk, (_record, kept) = Walk(table), tables.peeked(context.folders.data, what)
    seat = own_seat(eyes, walk, kept)
    _agree(_("The page will show what only {name} knew: cards, secret choices.").format(name=walk.names[seat]), context)
    _agree(_("Whoever gets the page reads that too, also while the game goes on."), context)
    return known(seat, walk, kept)


def _agree(warning: str, context: Context) -> None:
    """Raise UserError unless the person types yes."""
    word = _("yes")
    context.note(_("{warning} Type {word} to go on:").format(warning=warning, word=word))
    if sys.stdin is None or sys.stdin.readline().strip().lower() not in (word, "yes"):
        raise UserError(
            "report/eyes-refused", _("Nothing was written."), _("Without --eyes the page shows nobody's secrets.")
        )


def _star(word: str, log: SavedGame, table: Follower, context: Context) -> bytes:
    """The bytes of the saved game; a table of this home is exported, with its chat."""
    if log.end is not None:
        return read_at_most(Path(word), MAX_FILE)
    _record, kept = tables.peeked(context.folders.data, word)
    return star_bytes(table, own_identity(context).key if kept.keys is None else kept.keys.key, log.texts)
