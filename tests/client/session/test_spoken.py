# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of line mode in Spanish: what a text tells people to type is the Spanish word, and it works."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from line_room import Room

from client.session.deeds import DEEDS
from client.session.deeds.deed import Deed
from client.session.deeds.looked import pictured
from client.session.deeds.typed import named_deeds
from client.show.pictures import pictures
from client.system import texts
from client.system.texts import _
from client.words.plain import called, plain
from engine.core.registry import GAMES

CATALOGUE = Path(texts.__file__).parents[1] / "locale/es/LC_MESSAGES/starlock.po"
TOLD = (
    r"(?:(?<![^.,;:] )\b[Tt]ype |for help, |Say |[`“]|\b(?:example|or|sure|without|again|which|send them): )"
    r"({names})\b"
)
"""Where an English text names a command to be typed."""


@pytest.fixture(autouse=True)
def spanish() -> Iterator[None]:
    texts.use("es")
    yield
    texts.use("en")


def test_what_a_text_tells_people_to_type_is_the_spanish_word() -> None:
    known = {name for each in every() for name in each.names}
    wanted = re.compile(TOLD.format(names="|".join(sorted(map(re.escape, known), key=len, reverse=True))))
    named = [(name, english) for english in messages() for name in wanted.findall(english)]
    assert len(named) > 10
    for name, english in named:
        assert re.search(rf"\b{re.escape(called(name))}\b", without_accents(_(english))), (english, _(english))


def every() -> Iterator[Deed]:
    """The deeds of line mode and of all games."""
    yield from (*DEEDS.values(), *Room().screen.typing.deeds.values())
    for game in GAMES:
        yield from (pictured(name, picture) for name, picture in pictures(game).documents.commands.items())


def messages() -> Iterator[str]:
    """Every English text without a context."""
    for block in CATALOGUE.read_text("utf-8").split("\n\n"):
        found = re.search(r'^msgid ((?:".*"\n)+)', block, re.MULTILINE)
        if found and "msgctxt" not in block:
            yield "".join(map(ast.literal_eval, found[1].splitlines()))


def without_accents(text: str) -> str:
    """A text without accents."""
    return text.translate(str.maketrans("áéíóú", "aeiou"))


def test_every_spanish_word_means_one_command_and_help_names_it() -> None:
    room = Room()
    room.ask()
    said = room.type("? todo")
    assert "deshacer-envio [PASO]" in said
    named = named_deeds(room.screen.typing.deeds)
    for each in room.screen.typing.deeds.values():
        assert all(named[plain(called(name))].id == each.id for name in each.names if len(name) > 1)
        assert not each.names or called(each.names[0]) in said


@pytest.mark.parametrize("typed", ["mapa 221", "votar sí", "porque", "opciones", "probabilidades", "orden"])
def test_a_spanish_command_is_understood(typed: str) -> None:
    room = Room()
    room.ask()
    assert "ni una opción ni una orden" not in room.type(typed)


def test_odds_are_asked_in_spanish_words() -> None:
    room = Room()
    room.ask()
    assert "gana" in room.type("probabilidades 2 crucero contra antiguo")
    assert "Por ejemplo: probabilidades" in room.type("probabilidades contra")
