# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the table begins: the ticket to give to the others, who is there, and what is going to be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from client.fronts.web.fragments.deeds import deed, of_topics, offered
from client.fronts.web.fragments.html import do, row
from client.fronts.web.fragments.table import carried, line, network
from client.fronts.web.shown import PageState
from client.session.deeds.deed import BEGINNING
from client.session.lobby import KnownLobby, LobbyOption
from client.session.session import Session
from client.session.view_records import LobbyRights
from client.show.markup import Markup, el, hint, joined
from client.table.lobby_notices import LobbySeat
from client.words.machines import place_lines, unnamed_text
from client.words.options import game_title

Words = Mapping[str, str]


def lobby(state: PageState, session: Session, words: Words) -> Markup:
    """The lobby; nothing without one. session: where deeds are done."""
    shown = state.view.lobby
    return Markup() if shown is None else joined([*_parts(state, session, shown, words)])


def _parts(state: PageState, session: Session, shown: KnownLobby, words: Words) -> Iterator[Markup]:
    open_ = state.view.rights is not None
    title = game_title(shown.game) if open_ else shown.game
    yield el("h2", f"{words['lobby']}: {title}" if shown.game else words["lobby"])
    yield from _present(shown, state, words)
    if shown.free is not None:
        yield el("p", words["free"].format(n=shown.free) if shown.places else unnamed_text(shown.free))
    if shown.ticket:
        yield from _ticket(shown.ticket, state.qr, words)
        if shown.reach:
            yield el("p", shown.reach, class_="reach")
    if shown.options:
        yield el("h3", words["options"])
        yield el("dl", *(each for option in shown.options for each in _option(option)))
    if open_:
        yield row(*(offered(each, session) for each in of_topics(BEGINNING)))
        yield from carried(state.view.answer, state.qr, words)
        yield network(state.view, words)
    yield deed("quit", None, words["away"])


def _present(shown: KnownLobby, state: PageState, words: Words) -> Iterator[Markup]:
    """Who is there, seat by seat as far as that is known, and who watches."""
    if shown.places:
        taken = {place.seat: place for place in shown.places}
        yield el("h3", words["there"])
        yield el("ul", *(_seat(seat, taken.get(seat), state, words) for seat in range(shown.seats)), id="places")
    elif shown.names:
        yield el("h3", words["there"])
        yield el("ul", *(el("li", name) for name in shown.names))
    if shown.watching:
        yield el("p", f"{words['watching']}: {', '.join(one.words for one in shown.watching)}", class_="hint")


def _seat(seat: int, one: LobbySeat | None, state: PageState, words: Words) -> Markup:
    """A seat: who sits there, the words to compare aloud, the link; what may be done with it."""
    letter, rights = el("b", chr(ord("A") + seat), class_=f"seat-{seat}"), state.view.rights
    if one is None:
        add = deed("bot", seat=seat) if rights is not None and rights.bots else ""
        return el("li", letter, f" {words['open']} ", add)
    machine = [hint(f" {text}") for text in place_lines(one.machine, one.holds, one.inviter, met=one.met)]
    acts = _acts(one, state, rights, words) if rights is not None else ()
    return el("li", letter, f" {one.name} ", *_link(one, words), *_wish(one, state, words), *machine, *acts)


def _link(one: LobbySeat, words: Words) -> Iterator[str]:
    if one.mine:
        yield f"({words['here']}) "
    else:
        trip = "" if one.rtt is None else f" {one.rtt} ms"
        yield hint(f"{one.link or words['by-host']}{trip} ")
    yield hint(words["is-ready"] if one.ready else words["is-not-ready"])


def _wish(one: LobbySeat, state: PageState, words: Words) -> Iterator[Markup]:
    if one.wish and not one.mine:
        yield hint(f" {words['wish']}: {dict(state.wishes).get(one.wish, one.wish)} ")
    if one.words and not one.mine and not one.bot:
        yield el("div", words["compare"].format(name=one.name, words=one.words), class_="hint")


def _acts(one: LobbySeat, state: PageState, rights: LobbyRights, words: Words) -> Iterator[Markup]:
    """What this person may do about a seat that is taken."""
    if one.mine:
        made = [deed("ready", None, words["not-ready"] if one.ready else "", key=not one.ready, yes=not one.ready)]
        if state.wishes:
            options = (
                el("option", name, selected=id == state.view.wish, data_do=do("wish", word=id))
                for id, name in [("", words["no-wish"]), *state.wishes]
            )
            made.append(el("select", *options, aria_label=words["wish"], class_="wish"))
        yield row(*made)
    elif rights.inviting:
        yield deed("remove", seat=one.seat)


def _ticket(ticket: str, qr: str, words: Words) -> Iterator[Markup]:
    """The ticket as text and picture. qr: in SVG."""
    yield el("h3", words["ticket"])
    yield el("p", words["give"], class_="hint")
    yield from line(ticket, qr, words["ticket"], words)


def _option(option: LobbyOption) -> tuple[Markup, Markup]:
    return el("dt", f"{option.title}: {option.text}"), el("dd", option.about, class_="hint")
