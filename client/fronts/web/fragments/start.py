# SPDX-License-Identifier: GPL-3.0-or-later
"""The start page: go on, a new game with its options, a friend's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.fronts.web.fragments.deeds import button, do, row
from client.fronts.web.fragments.table import network, prover
from client.fronts.web.shown import PageState, StartState
from client.session.deeds.home import AT_HOME
from client.session.home import ships_example
from client.session.start import FinishedTable, FormField, OpenTable, form_fields
from client.show.markup import Markup, el, hint, joined, runs
from client.system.registry import GAMES
from client.system.texts import _
from client.words.options import game_title


def start_page(state: PageState) -> Markup:
    """The start page; nothing at a table."""
    start = state.start
    if start is None or state.ended:
        return Markup()
    name = _input("own-name", "name", start.home.name, maxlength=40, autocomplete="nickname")
    return joined([
        el("p", _("Tabletop space strategy between friends, without a server.")),
        _trouble(start.home.trouble),
        *_tables(start.home.tables),
        el("section", _field(_("Your name"), name)),
        _new(start),
        _join(start),
        *_finished(start.home.finished),
        _more(start),
        network(state.view),
        row(button(_("End starlock"), id="quit", data_do=do("quit"))),
    ])  # fmt: skip


def _section(title: str, *inside: str) -> Markup:
    return el("section", el("h2", title), *inside)


def _field(label: str, field: Markup, about: str = "") -> Markup:
    return el("label", el("span", label), field, *([hint(about)] if about else []), class_="field")


def _input(id: str, fill: str, value: str, **attributes: object) -> Markup:
    return el("input", id=id, value=value, data_fill=fill, **attributes)


def _trouble(text: str) -> Markup:
    return el("p", text, class_="trouble", role="alert")


def _tables(tables: Sequence[OpenTable]) -> Iterator[Markup]:
    if tables:
        made = (
            button(one.name, hint(one.text), class_="resume", data_do=do("resume", name=one.name)) for one in tables
        )
        yield _section(_("Go on with a table"), el("div", *made, class_="options"))


def _finished(finished: Sequence[FinishedTable]) -> Iterator[Markup]:
    if finished:
        made = (prover(one.name, one.name, hint(one.text), class_="finished") for one in finished)
        about = el("p", _("The page that proves this game"), class_="hint")
        yield _section(_("Finished games"), about, el("div", *made, class_="options"))


def _new(start: StartState) -> Markup:
    form, hindrance = start.home.form, start.home.form.hindrance()
    kinds = (("play", _("against bots, at once")), ("host", _("with friends: you send them a ticket")))
    options = [each for each in form_fields(form) if each.name.startswith("option ")]
    people = [each for each in form_fields(form) if each not in options]
    return _section(
        _("A new game"),
        row(*(_kind(kind, text, start.kind == kind) for kind, text in kinds)),
        el("div", *map(_filled, people), class_="fields"),
        el("details", el("summary", _("Options of the game ({n} changed)").format(n=len(form.options))),
           el("div", *map(_filled, options), class_="fields"), id="variants"),
        _trouble(hindrance),
        button(_("Begin"), key=True, id="begin", disabled=bool(hindrance), data_do=do("begin")),
    )  # fmt: skip


def _kind(kind: str, text: str, chosen: bool) -> Markup:
    made = el("input", type="radio", name="kind", id=f"kind-{kind}", value=kind, checked=chosen, data_fill="kind")
    return el("label", made, text)


def _filled(field: FormField) -> Markup:
    """A field of the form for a new table: a choice, or a text."""
    id, title = f"field-{field.name.replace(' ', '-')}", field.title[:1].upper() + field.title[1:]
    if not field.values:
        return _field(title, _input(id, field.name, field.value), field.about)
    told = {value: f"{text}: {about}" if about else text for value, text, about in field.values}
    if field.usual in told:
        told[field.usual] += f" ({_('usual')})"
    options = (el("option", text, value=value, selected=value == field.value) for value, text in told.items())
    return _field(title, el("select", *options, id=id, data_fill=field.name), field.about)


def _join(start: StartState) -> Markup:
    home = start.home
    text = el("textarea", home.ticket, id="ticket", rows=3, data_fill="ticket")
    look = _deed("nearby", _("Looking …") if home.looking else "", disabled=home.looking)
    words = _("The inviter's words are: {words}. Compare them before you sit down.")
    asks = (_deed("knock", text, number=number) for number, text in enumerate(home.found or ()))
    return _section(
        _("Join a friend"),
        _field(_("Paste the ticket that you were sent; it begins with “starlock:”."), text),
        *([el("p", words.format(words=home.picked[1]))] if home.picked else []),
        _trouble(start.problem or home.why),
        row(_deed("join", _("Sit down"), key=True), _deed("watch", _("Only watch"))),
        row(look),
        el("div", *asks, class_="options"),
    )


def _more(start: StartState) -> Markup:
    """Rules, odds, verdicts, and what this home holds."""
    ships = el("input", name="text", value=ships_example(), aria_label=_(AT_HOME["odds"].title))
    saved = [*(one.name for one in start.home.finished), *(one.name for one in start.home.tables)]
    title, lines = start.told or ("", ())
    return joined([
        _section(_(AT_HOME["rules"].title), row(*(_deed("rules", game_title(id), game=id) for id in GAMES))),
        _section(_(AT_HOME["odds"].title), el("form", ships, name="odds")),
        _section(_(AT_HOME["verify"].title), row(*(_deed("verify", name, file=name) for name in saved)),
                 el("input", type="file", accept=".star", aria_label=_(AT_HOME["verify"].title))),
        _section(_("Besides"), row(*(_deed(id) for id in ("tables", "keys", "config")))),
        *([_section(title, el("div", runs([[("", each)] for each in lines]), class_="told"))] if title else []),
    ])  # fmt: skip


def _deed(id: str, text: str = "", *, key: bool = False, disabled: bool = False, **given: object) -> Markup:
    """The button of a deed at home. text: instead of its title."""
    return button(text or _(AT_HOME[id].title), key=key, id=None if given else id, disabled=disabled,
                  data_do=do(id, **given))  # fmt: skip
