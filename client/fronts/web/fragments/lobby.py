# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the table begins: the ticket to give to the others, who is there, and what is going to be played."""

from __future__ import annotations

from collections.abc import Iterator

from client.fronts.web.fragments.deeds import deed, do, of_topics, offered, row
from client.fronts.web.fragments.table import carried, line, network
from client.fronts.web.shown import PageState
from client.session.deeds.deed import BEGINNING
from client.session.lobby import KnownLobby, LobbyOption
from client.session.session import Session
from client.session.view_records import LobbyRights
from client.show.markup import Markup, el, hint, joined
from client.system.texts import _
from client.table.lobby_notices import LobbySeat
from client.words.machines import place_lines, unnamed_text
from client.words.options import game_title


def lobby(state: PageState, session: Session) -> Markup:
    """The lobby; nothing without one. session: where deeds are done."""
    shown = state.view.lobby
    return Markup() if shown is None else joined([*_parts(state, session, shown)])


def _parts(state: PageState, session: Session, shown: KnownLobby) -> Iterator[Markup]:
    open_ = state.view.rights is not None
    title = game_title(shown.game) if open_ else shown.game
    yield el("h2", f"{_('Before the game')}: {title}" if shown.game else _("Before the game"))
    yield from _present(shown, state)
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


def _present(shown: KnownLobby, state: PageState) -> Iterator[Markup]:
    """Who is there, seat by seat as far as that is known, and who watches."""
    if shown.places:
        taken = {place.seat: place for place in shown.places}
        yield el("h3", _("At the table"))
        yield el("ul", *(_seat(seat, taken.get(seat), state) for seat in range(shown.seats)), id="places")
    elif shown.names:
        yield el("h3", _("At the table"))
        yield el("ul", *(el("li", name) for name in shown.names))
    if shown.watching:
        yield el("p", f"{_('watches')}: {', '.join(one.words for one in shown.watching)}", class_="hint")


def _seat(seat: int, one: LobbySeat | None, state: PageState) -> Markup:
    """A seat: who sits there, the words to compare aloud, the link; what may be done with it."""
    letter, rights = el("b", chr(ord("A") + seat), class_=f"seat-{seat}"), state.view.rights
    if one is None:
        add = deed("bot", seat=seat) if rights is not None and rights.bots else ""
        return el("li", letter, f" {_('open')} ", add)
    machine = [hint(f" {text}") for text in place_lines(one.machine, one.holds, one.inviter, met=one.met)]
    acts = _acts(one, state, rights) if rights is not None else ()
    return el("li", letter, f" {one.name} ", *_link(one), *_wish(one, state), *machine, *acts)


def _link(one: LobbySeat) -> Iterator[str]:
    if one.mine:
        yield f"({_('you')}) "
    else:
        trip = "" if one.rtt is None else f" {one.rtt} ms"
        yield hint(f"{one.link or _('by the inviter')}{trip} ")
    yield hint(_("ready") if one.ready else _("not ready"))


def _wish(one: LobbySeat, state: PageState) -> Iterator[Markup]:
    if one.wish and not one.mine:
        yield hint(f" {_('would like to play')}: {dict(state.wishes).get(one.wish, one.wish)} ")
    if one.words and not one.mine and not one.bot:
        told = _("{name} must read out the same words: {words}").format(name=one.name, words=one.words)
        yield el("div", told, class_="hint")


def _acts(one: LobbySeat, state: PageState, rights: LobbyRights) -> Iterator[Markup]:
    """What this person may do about a seat that is taken."""
    if one.mine:
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
