# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of each game, for `starlock rules` and the help at the table.

A game's module builds its articles from the same tables as the rules, so that the figures cannot differ. Rulings and
table options come from the game's `GameSpec`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from client.system.places import load, mapping_at
from client.system.registry import game_client
from client.system.texts import N_, _, current
from client.words import display_names_at, term
from client.words.options import option_title, value_title
from engine.core import registry
from engine.core.dataclass import dataclass
from engine.core.registry import Correction, GameSpec, Option, Ruling

PLAY: Final = {"phase": N_("Phases"), "action": N_("Actions"), "topic": N_("Topics")}
TABLE: Final = {"option": N_("Table options"), "ruling": N_("Rulings"), "correction": N_("Corrections")}


@dataclass(frozen=True, slots=True)
class Article:
    """One article of the rules reference.

    Attributes:
        word: the word to type for it.
        kind: one of the `chapters` of its game.
        title, text: in the language in use.
        source: its source, such as a section of the rulebook.
    """

    word: str
    kind: str
    title: str
    text: str
    source: str


def chapters(game: str) -> Mapping[str, str]:
    """The kinds of a game's articles in the order they are shown, with the title of each chapter, marked: how it is
    played, its own, and what there is of each game."""
    return {**PLAY, **mapping_at(game_client(game).chapters), **TABLE}


_MADE: Final = dict[tuple[int, str], tuple[GameSpec, Sequence[Article]]]()
"""The articles of a game in a language, beside the game that has the identity in the key."""


def entries(game: str | GameSpec) -> Sequence[Article]:
    """All articles of a game, perhaps with custom content, by kind and then in the game's order; made once."""
    spec = registry.game(game) if isinstance(game, str) else game
    key = id(spec), current()
    if key not in _MADE:
        _MADE[key] = spec, _entries(spec)
    return _MADE[key][1]


def _entries(spec: GameSpec) -> Sequence[Article]:
    found: list[Article] = []
    if place := game_client(spec.id).reference:
        make: Callable[..., Iterable[Article]] = load(place)
        found += (
            make() if spec.tables is None else make(spec.tables.content(spec.rules_version), display_names_at(spec))
        )
    found += [
        *(option_entry(option, spec.id) for option in spec.options),
        *map(ruling_entry, spec.rulings),
        *correction_entries(spec),
    ]
    order = list(chapters(spec.id))
    return sorted(found, key=lambda entry: order.index(entry.kind))


def ruling_entry(ruling: Ruling) -> Article:
    """A ruling: the question as the title, the answer as the text."""
    return Article(ruling.id, "ruling", _(ruling.question), _(ruling.ruling), _(ruling.source))


def correction_entries(spec: GameSpec) -> list[Article]:
    """The versions of the rules from the first on, each with its changes."""
    first = Correction(
        1, N_("The rules as first released. A table goes on by the version that it began with."), N_("ours")
    )
    found = []
    for each in (first, *spec.corrections):
        title = _("Rules {id}").format(id=f"{spec.id}/{each.version}")
        found.append(
            Article(f"rules-{each.version}", "correction", title, _(each.text), each.source and _(each.source))
        )
    return found


def option_entry(option: Option, game: str) -> Article:
    """A table option of a game with its values and its default."""
    lines = [term(option.help, game)]
    if option.values is not None:
        titles = [(value, value_title(option.name, value, game)) for value in option.values]
        values = [value if value == title else f"{value} ({title})" for value, title in titles]
        lines.append(_("Values: {values}.").format(values=", ".join(values)))
    lines.append(_("Default: {value}.").format(value=option.default))
    title = f"{option_title(option.name, game)}: -o {option.name}=…"
    return Article(option.name, "option", title, " ".join(lines), _("table option"))
