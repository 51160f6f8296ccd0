# SPDX-License-Identifier: GPL-3.0-or-later
"""All fragments of a state."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from client.fronts.web.fragments.ask import asked
from client.fronts.web.fragments.deeds import deed
from client.fronts.web.fragments.lobby import lobby
from client.fronts.web.fragments.start import start_page
from client.fronts.web.fragments.table import (
    chat,
    end,
    languages,
    lines,
    log,
    looking_back,
    seats,
    table,
    tabs,
    tools,
    votes,
    which,
)
from client.fronts.web.shown import PageState
from client.session.session import Session
from client.show.document import Document
from client.show.html import document
from client.show.markup import Markup, joined
from client.system.texts import current


def fragments(state: PageState, session: Session, whole: Document = ()) -> Mapping[str, Markup]:
    """What each part of the page shows, by the id of its element.

    session: where deeds are done.
    whole: the picture of the whole position, if no map could be drawn.
    """
    view = state.view
    return {
        "start": start_page(state),
        "languages": languages(current()),
        "status": Markup(escape(view.status)),
        "seats": seats(view),
        "end": end(state),
        "tools": tools(),
        "lobby": lobby(state, session),
        "lines": lines(state),
        "votes": votes(view),
        "ask": asked(view, session, state.over),
        "fight": joined([document(state.fight, "fight"), deed("fight-on")]) if state.fight else Markup(),
        "tabs": tabs(state),
        "log": log(view.log, view.seen),
        "chat": chat(view.chat),
        "heights": looking_back(state.heights),
        "which": which(),
        "table": table(state, session),
        **({"map": document(whole, "whole")} if whole else {}),
    }
