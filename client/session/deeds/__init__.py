# SPDX-License-Identifier: GPL-3.0-or-later
"""All that a person can do, as one table: every front and program reads it, none has another.

    deed     what a deed is; `outcomes`: what comes of it; `kinds`: the kinds of its arguments
    answers  the question, the draft, standing orders, advice
    others   the chat, votes, proposals
    gathering  what is done before the table begins; `home`: at home, before there is a table
    looked   what shows something or is proven, and quitting
    typed    the deed and the arguments that a typed line means, and what a terminal does in its own way
    requests  the deed and the arguments that a page or a program asks for

A front finds a deed by its id, asks for its arguments in its own way, and shows the answer: a sentence, something to
look at, a missing argument, a job with news. It shows `why_not` where a deed cannot be done now, and `about` before a
final one. Focus, zoom, scrolling and searching are keys of a front and no deeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.session.deeds import answers, gathering, looked, others
from client.session.deeds.deed import Deed
from client.session.session import Session

DEEDS: Final[Mapping[str, Deed]] = {
    each.id: each for each in (*answers.DEEDS, *looked.DEEDS, *others.DEEDS, *looked.PROVEN, *gathering.DEEDS)
}
"""Every deed but the pictures of the games, by its id."""


def deeds_of(session: Session) -> Mapping[str, Deed]:
    """The deeds of a session: those of its game first."""
    shown = session.table.pictures.documents.commands.items()
    return {**{name: looked.pictured(name, picture) for name, picture in shown}, **DEEDS}
