# SPDX-License-Identifier: GPL-3.0-or-later
"""The start page: go on, a new game with its options, a friend's table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from client.fronts.web.fragments.html import Markup, button, do, el, hint, joined, row, runs
from client.fronts.web.fragments.table import network, prover
from client.session.deeds.home import AT_HOME
from client.session.home import ships_example
from client.system.texts import _

__all__ = ["start_page"]

State = Mapping[str, Any]
Words = Mapping[str, str]


def start_page(state: State, words: Words) -> Markup:
    """The start page; nothing at a table. state: `start` is described in `client.fronts.web.start`."""
    start = state.get("start")
    if start is None or state["ended"]:
        return Markup()
    name = _input("own-name", "name", start["form"]["name"], maxlength=40, autocomplete="nickname")
    return joined([
        el("p", words["welcome"]),
        _trouble(start["trouble"]),
        *_tables(start["tables"], words),
        el("section", _field(words["own-name"], name)),
        _new(start, words),
        _join(start, words),
        *_finished(start["finished"], words),
        _more(start, words),
        network(state["network"], words),
        row(button(words["quit"], id="quit", data_do=do("quit"))),
    ])  # fmt: skip


def _section(title: str, *inside: str) -> Markup:
    return el("section", el("h2", title), *inside)


def _field(label: str, field: Markup, about: str = "") -> Markup:
    return el("label", el("span", label), field, *([hint(about)] if about else []), class_="field")


def _input(id: str, fill: str, value: str, **attributes: object) -> Markup:
    return el("input", id=id, value=value, data_fill=fill, **attributes)


def _select(id: str, fill: str, values: Sequence[Sequence[Any]], chosen: object) -> Markup:
    options = (el("option", str(name), value=value, selected=value == chosen) for value, name in values)
    return el("select", *options, id=id, data_fill=fill)


def _trouble(text: str) -> Markup:
    return el("p", text, class_="trouble", role="alert")


def _tables(tables: Sequence[State], words: Words) -> Iterator[Markup]:
    if tables:
        made = (
            button(one["name"], hint(one["text"]), class_="resume", data_do=do("resume", name=one["name"]))
            for one in tables
        )
        yield _section(words["go-on"], el("div", *made, class_="options"))


def _finished(finished: Sequence[State], words: Words) -> Iterator[Markup]:
    if finished:
        made = (prover(one["name"], one["name"], words, hint(one["text"]), class_="finished") for one in finished)
        yield _section(words["finished"], el("p", words["report"], class_="hint"), el("div", *made, class_="options"))


def _new(start: State, words: Words) -> Markup:
    form = start["form"]
    game = next(each for each in start["games"] if each["id"] == form["game"])
    kinds = (("play", "against-bots"), ("host", "with-friends"))
    chosen = {each["name"]: form["options"].get(each["name"], each["default"]) for each in game["options"]}
    options = (_option(each, chosen[each["name"]], words) for each in game["options"])
    return _section(
        words["new"],
        row(*(_kind(kind, words[word], form["kind"] == kind) for kind, word in kinds)),
        el("div", *_players(start, game, words), class_="fields"),
        el("details", el("summary", words["variants"].format(n=len(form["options"]))),
           el("div", *options, class_="fields"), id="variants"),
        _trouble(start["hindrance"]),
        button(words["begin"], key=True, id="begin", disabled=bool(start["hindrance"]), data_do=do(form["kind"])),
    )  # fmt: skip


def _kind(kind: str, text: str, chosen: bool) -> Markup:
    made = el("input", type="radio", name="kind", id=f"kind-{kind}", value=kind, checked=chosen, data_fill="kind")
    return el("label", made, text)


def _players(start: State, game: State, words: Words) -> Iterator[Markup]:
    """The fields for the game and who plays it."""
    form, host = start["form"], start["form"]["kind"] == "host"
    games = [(each["id"], each["title"]) for each in start["games"]]
    yield _field(words["game"], _select("game", "game", games, form["game"]))
    yield _field(words["seats"], _select("seats-wanted", "seats", [(n, n) for n in game["seats"]], form["seats"]))
    if host:
        friends = [(n, n) for n in range(form["seats"])]
        yield _field(words["friends"], _select("friends", "friends", friends, form["friends"]))
    if not host or form["friends"] < form["seats"] - 1:
        bots = [(id, f"{id}: {about}") for id, about in game["bots"]]
        yield _field(words["bots"], _select("bots", "bots", bots, form["bots"]))


def _option(option: State, chosen: str, words: Words) -> Markup:
    fill, usual = f"option {option['name']}", option["default"]
    if option["values"]:
        values = [(each, f"{text} ({words['usual']})" if each == usual else text) for each, text in option["values"]]
        made = _select(f"option-{option['name']}", fill, values, chosen)
    else:
        made = _input(f"option-{option['name']}", fill, chosen)
    return _field(option["title"], made, option["about"])


def _join(start: State, words: Words) -> Markup:
    found, picked = start["found"], start["picked"]
    text = el("textarea", start["form"]["ticket"], id="ticket", rows=3, data_fill="ticket")
    look = _deed("nearby", words["looking"] if start["looking"] else "", disabled=start["looking"])
    asks = (_deed("knock", text, number=number) for number, text in enumerate(found or ()))
    return _section(
        words["join"],
        _field(words["paste"], text),
        *([el("p", words["host-words"].format(words=picked["words"]))] if picked else []),
        _trouble(start["problem"]),
        row(_deed("join", words["sit-down"], key=True), _deed("watch", words["watch"])),
        row(look),
        el("div", *asks, class_="options"),
    )


def _more(start: State, words: Words) -> Markup:
    """Rules, odds, verdicts, and what this home holds."""
    told, games = start["told"], ((each["id"], each["title"]) for each in start["games"])
    ships = el("input", name="text", value=ships_example(), aria_label=_(AT_HOME["odds"].title))
    saved = [one["name"] for one in (*start["finished"], *start["tables"])]
    return joined([
        _section(_(AT_HOME["rules"].title), row(*(_deed("rules", title, game=id) for id, title in games))),
        _section(_(AT_HOME["odds"].title), el("form", ships, name="odds")),
        _section(_(AT_HOME["verify"].title), row(*(_deed("verify", name, file=name) for name in saved)),
                 el("input", type="file", accept=".star", aria_label=_(AT_HOME["verify"].title))),
        _section(words["aside"], row(*(_deed(id) for id in ("tables", "keys", "config")))),
        *([_section(told["title"], el("div", runs([[("", each)] for each in told["lines"]]), class_="told"))]
          if told else []),
    ])  # fmt: skip


def _deed(id: str, text: str = "", *, key: bool = False, disabled: bool = False, **given: object) -> Markup:
    """The button of a deed at home. text: instead of its title."""
    return button(text or _(AT_HOME[id].title), key=key, id=None if given else id, disabled=disabled,
                  data_do=do(id, **given))  # fmt: skip
