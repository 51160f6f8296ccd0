# SPDX-License-Identifier: GPL-3.0-or-later
"""Before the table begins: the ticket to give to the others, who is there, and what is going to be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from client.fronts.web.fragments.deeds import deed
from client.fronts.web.fragments.html import Markup, do, el, hint, joined, row
from client.fronts.web.fragments.table import carried, line, network
from client.words.machines import place_lines, unnamed_text

__all__ = ["lobby"]

State = Mapping[str, Any]
Words = Mapping[str, str]


def lobby(state: State, words: Words) -> Markup:
    """The lobby; nothing without one."""
    shown = state["view"]["lobby"]
    return Markup() if shown is None else joined([*_parts(state, shown, words)])


def _parts(state: State, shown: State, words: Words) -> Iterator[Markup]:
    door = state.get("door")
    title = door["title"] if door is not None else shown["game"]
    yield el("h2", f"{words['lobby']}: {title}" if shown["game"] else words["lobby"])
    yield from _present(shown, door, words)
    if shown["free"] is not None:
        yield el("p", words["free"].format(n=shown["free"]) if shown["places"] else unnamed_text(shown["free"]))
    if shown["ticket"]:
        yield from _ticket(shown["ticket"], state.get("qr"), words)
        if shown["reach"]:
            yield el("p", shown["reach"], class_="reach")
    if shown["options"]:
        yield el("h3", words["options"])
        yield el("dl", *(each for row in shown["options"] for each in _option(*row)))
    if door is not None:
        yield from carried(state["view"]["answer"], state.get("qr"), words)
        yield network(state["network"], words)
    yield deed("quit", None, words["away"])


def _present(shown: State, door: State | None, words: Words) -> Iterator[Markup]:
    """Who is there, seat by seat as far as that is known, and who watches."""
    if shown["places"]:
        taken = {place["seat"]: place for place in shown["places"]}
        yield el("h3", words["there"])
        yield el("ul", *(_seat(seat, taken.get(seat), door, words) for seat in range(shown["seats"])), id="places")
    elif shown["names"]:
        yield el("h3", words["there"])
        yield el("ul", *(el("li", name) for name in shown["names"]))
    if shown["watching"]:
        yield el("p", f"{words['watching']}: {', '.join(one['words'] for one in shown['watching'])}", class_="hint")


def _seat(seat: int, one: State | None, door: State | None, words: Words) -> Markup:
    """A seat: who sits there, the words to compare aloud, the link; what may be done with it."""
    letter = el("b", chr(ord("A") + seat), class_=f"seat-{seat}")
    if one is None:
        bots = door is not None and door["bots"]
        add = deed("bot", seat=seat) if bots else ""
        return el("li", letter, f" {words['open']} ", add)
    machine = [hint(f" {text}") for text in place_lines(one["machine"], one["holds"], one["inviter"], met=one["met"])]
    acts = _acts(one, door, words)
    return el("li", letter, f" {one['name']} ", *_link(one, words), *_wish(one, door, words), *machine, *acts)


def _link(one: State, words: Words) -> Iterator[str]:
    if one["mine"]:
        yield f"({words['here']}) "
    else:
        trip = "" if one["rtt"] is None else f" {one['rtt']} ms"
        yield hint(f"{one['link'] or words['by-host']}{trip} ")
    yield hint(words["is-ready"] if one["ready"] else words["is-not-ready"])


def _wish(one: State, door: State | None, words: Words) -> Iterator[Markup]:
    if one["wish"] and not one["mine"]:
        names = dict(door["wishes"]) if door is not None else {}
        yield hint(f" {words['wish']}: {names.get(one['wish'], one['wish'])} ")
    if one["words"] and not one["mine"] and not one["bot"]:
        yield el("div", words["compare"].format(name=one["name"], words=one["words"]), class_="hint")


def _acts(one: State, door: State | None, words: Words) -> Iterator[Markup]:
    """What this person may do about a seat that is taken."""
    if door is None:
        return
    if one["mine"]:
        ready = one["ready"]
        made = [deed("ready", None, words["not-ready"] if ready else "", key=not ready, yes=not ready)]
        if door["wishes"]:
            options = (
                el("option", name, selected=id == door["wish"], data_do=do("wish", word=id))
                for id, name in [("", words["no-wish"]), *door["wishes"]]
            )
            made.append(el("select", *options, aria_label=words["wish"], class_="wish"))
        yield row(*made)
    elif door["inviting"]:
        yield deed("remove", seat=one["seat"])


def _ticket(ticket: str, qr: str | None, words: Words) -> Iterator[Markup]:
    """The ticket as text and picture. qr: in SVG."""
    yield el("h3", words["ticket"])
    yield el("p", words["give"], class_="hint")
    yield from line(ticket, qr, words["ticket"], words)


def _option(_name: str, _value: str, about: str, title: str, text: str) -> tuple[Markup, Markup]:
    return el("dt", f"{title}: {text}"), el("dd", about, class_="hint")
