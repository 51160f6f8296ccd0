# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the table begins: the ticket to give to the others, who is there, and what is going to be played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.fronts.web.fragments.deeds import deed, do, filled_in, of_topics, offered, row
from client.fronts.web.fragments.table import carried, line, network
from client.session.deeds.deed import BEGINNING
from client.session.deeds.gathering import wanted
from client.session.lobby import KnownLobby, ShownSeat, seat_heads, shown_seats
from client.session.session import Session
from client.session.start import option_fields
from client.session.view import SessionView
from client.show.markup import Markup, el, hint, joined
from client.system.texts import _
from client.words.machines import unnamed_text
from client.words.options import game_title


def lobby(view: SessionView, session: Session, qr: str = "", wishes: Sequence[tuple[str, str]] = ()) -> Markup:
    """The lobby; nothing without one. session: where deeds are done; qr: the answer, or the ticket, as a QR code, in
    SVG; wishes: what may be wished for, each as id and title."""
    return Markup() if view.lobby is None else joined([*_parts(view, view.lobby, session, qr, wishes)])


def _parts(
    view: SessionView, shown: KnownLobby, session: Session, qr: str, wishes: Sequence[tuple[str, str]]
) -> Iterator[Markup]:
    open_ = view.rights is not None
    title = game_title(shown.game) if open_ else shown.game
    yield el("h2", f"{_('Before the game')}: {title}" if shown.game else _("Before the game"))
    if seats := shown_seats(shown, view.rights):
        yield el("h3", _("At the table"))
        yield el("ul", *(_seat(each, view, wishes) for each in seats if each.place is not None), id="places")
    if shown.free is not None:
        yield el("p", _("Free seats: {n}").format(n=shown.free) if shown.places else unnamed_text(shown.free))
    if shown.ticket:
        give = _(
            "Send this text to everybody who will play. They start starlock and paste it where it says “Join a friend”;"
            " or type: starlock join --web TICKET"
        )
        yield from (el("h3", _("Ticket")), el("p", give, class_="hint"), *line(shown.ticket, qr, _("Ticket")))
        if shown.reach:
            yield el("p", shown.reach, class_="reach")
    if shown.options:
        changes = view.rights is not None and view.rights.changes
        fields = map(filled_in, option_fields(wanted(shown))) if changes else ()
        options = (
            (el("dt", f"{each.title}: {each.text}"), el("dd", each.about, class_="hint")) for each in shown.options
        )
        told = (part for each in options for part in each)
        yield el("h3", _("What is played"))
        yield el("div", *fields, class_="fields") if changes else el("dl", *told)
    if open_:
        yield row(*(offered(each, session) for each in of_topics(BEGINNING)))
        yield from carried(view.answer, qr)
        yield network(view)
    yield deed("quit", None, _("Leave and go back"))


def _seat(shown: ShownSeat, view: SessionView, wishes: Sequence[tuple[str, str]]) -> Markup:
    """A seat: who sits there, what to know of it; what may be done with it."""
    letter, name, *more = shown.cells
    named = ((head.text, each.text) for head, each in zip(seat_heads()[2:-1], more, strict=False) if each.text)
    told = "; ".join(": ".join(filter(None, each)) for each in named)
    about = [] if shown.free else [el("div", text, class_="hint") for text in shown.about]
    acts = _acts(shown, view, wishes)
    return el("li", el("b", letter.text, class_=letter.look), f" {name.text} ", hint(told), *about, *acts)


def _acts(shown: ShownSeat, view: SessionView, wishes: Sequence[tuple[str, str]]) -> Iterator[Markup]:
    """What this person may do about a seat."""
    one, rights = shown.place, view.rights
    if one is None or rights is None or one.seat < 0:
        return
    if shown.free:
        yield deed("bot", seat=one.seat) if rights.bots else Markup()
    elif one.mine:
        made = [deed("ready", None, _("Wait for me") if one.ready else "", key=not one.ready, yes=not one.ready)]
        if wishes:
            options = (
                el("option", name, selected=id == view.wish, data_do=do("wish", word=id))
                for id, name in [("", _("no wish")), *wishes]
            )
            made.append(el("select", *options, aria_label=_("would like to play"), class_="wish"))
        yield row(*made)
    elif rights.inviting:
        yield deed("remove", seat=one.seat)
