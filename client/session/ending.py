# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a game: places and points by source as a sheet, and who has not signed it yet."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.session import Session
from client.show.sheets import Cell, Sheet
from client.show.styled import owner_style
from client.system.registry import game_client
from client.system.texts import _

__all__ = ["confirming", "confirming_text", "end_sheet"]


def confirming(session: Session) -> Sequence[str]:
    """The members that have not signed the end of a game that is over, () before the end and once all have."""
    debts = {} if session.controls is None else session.controls.debts()
    return tuple(name for name, kind in debts.items() if kind == "result")


def confirming_text(names: Sequence[str]) -> str:
    """The end while members have not signed it. It stands once all have, and no vote undoes it then."""
    return _("Ended, being confirmed; not yet confirmed by {names}.").format(names=", ".join(names))


def end_sheet(session: Session) -> Sequence[Sheet]:
    """The places and points of all seats, the first place first, and how the game ended where it tells that; () before
    the table begins."""
    controls = session.controls
    if controls is None:
        return ()
    match, names, sources = controls.match, session.names, session.pictures.sources
    scores = sorted(match.spec.scores(match.g), key=lambda score: (score.rank, score.seat))
    most = max(1, *(score.total for score in scores))
    endings = game_client(controls.genesis.game).endings
    why = [told.text for told in session.log if told.event in endings and not told.undone][-1:]
    return [
        Sheet(
            f"{score.rank}. {names[score.seat]}",
            "".join(why if score is scores[0] else ()),
            look=owner_style(score.seat),
            cells=(
                Cell(str(score.total), _("together"), "title", share=max(0, 100 * score.total // most)),
                *(Cell(str(points), _(sources.get(part, part))) for part, points in score.parts if points),
            ),
        )
        for score in scores
    ]
