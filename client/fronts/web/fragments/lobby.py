# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the table begins: the ticket to give to the others, who is there, and what is going to be played."""

from __future__ import annotations

from collections.abc import Iterator

from client.fronts.web.fragments.deeds import deed, do, of_topics, offered, row
from client.fronts.web.fragments.table import carried, line, network
from client.fronts.web.shown import PageState
from client.session.deeds.deed import BEGINNING
from client.session.lobby import KnownLobby, LobbyOption, ShownSeat, seat_heads, shown_seats
from client.session.session import Session
from client.session.view_records import LobbyRights
from client.show.markup import Markup, el, hint, joined
from client.system.texts import _
from client.words.machines import unnamed_text
from client.words.options import game_title


def lobby(state: PageState, session: Session) -> Markup:
    """The lobby; nothing without one. session: where deeds are done."""
    shown = state.view.lobby
    return Markup() if shown is None else joined([*_parts(state, session, shown)])


def _parts(state: PageState, session: Session, shown: KnownLobby) -> Iterator[Markup]:
    open_ = state.view.rights is not None
    title = game_title(shown.game) if open_ else shown.game
    yield el("h2", f"{_('Before the game')}: {title}" if shown.game else _("Before the game"))
    if seats := shown_seats(shown, state.view.rights):
        yield el("h3", _("At the table"))
        yield el("ul", *(_seat(each, state) for each in seats if each.place is not None), id="places")
    if shown.free is not None:
        yield el("p", _("Free seats: {n}").format(n=shown.free) if shown.places else unnamed_text(shown.free))
    if shown.ticket:
        yield from _ticket(shown.ticket, state.qr)
        if shown.reach:
            yield el("p", shown.reach, class_="reach")
    if shown.options:
        yield el("h3", _("What is played"))
        yield el("dl", *(each for option in shown.options for each in _option(option)))
    if open_:
        yield row(*(offered(each, session) for each in of_topics(BEGINNING)))
        yield from carried(state.view.answer, state.qr)
        yield network(state.view)
    yield deed("quit", None, _("Leave and go back"))


def _seat(shown: ShownSeat, state: PageState) -> Markup:
    """A seat: who sits there, what to know of it; what may be done with it."""
    place, rights, (letter, name, *more) = shown.place, state.view.rights, shown.cells
    acts = _acts(shown, state, rights) if place is not None and rights is not None else ()
    named = ((head.text, each.text) for head, each in zip(seat_heads()[2:-1], more, strict=False) if each.text)
    told = "; ".join(": ".join(filter(None, each)) for each in named)
    about = [] if shown.free else [el("div", text, class_="hint") for text in shown.about]
    return el("li", el("b", letter.text, class_=letter.look), f" {name.text} ", hint(told), *about, *acts)


def _acts(shown: ShownSeat, state: PageState, rights: LobbyRights) -> Iterator[Markup]:
    """What this person may do about a seat."""
    one = shown.place
    if one is None or one.seat < 0:
        return
    if shown.free:
        yield deed("bot", seat=one.seat) if rights.bots else Markup()
    elif one.mine:
        made = [deed("ready", None, _("Wait for me") if one.ready else "", key=not one.ready, yes=not one.ready)]
        if state.wishes:
            options = (
                el("option", name, selected=id == state.view.wish, data_do=do("wish", word=id))
                for id, name in [("", _("no wish")), *state.wishes]
            )
            made.append(el("select", *options, aria_label=_("would like to play"), class_="wish"))
        yield row(*made)
    elif rights.inviting:
        yield deed("remove", seat=one.seat)


def _ticket(ticket: str, qr: str) -> Iterator[Markup]:
    """The ticket as text and picture. qr: in SVG."""
    yield el("h3", _("Ticket"))
    give = _(
        "Send this text to everybody who will play. They start starlock and paste it where it says “Join a friend”; "
        "or type: starlock join --web TICKET"
    )
    yield el("p", give, class_="hint")
    yield from line(ticket, qr, _("Ticket"))


def _option(option: LobbyOption) -> tuple[Markup, Markup]:
    return el("dt", f"{option.title}: {option.text}"), el("dd", option.about, class_="hint")
