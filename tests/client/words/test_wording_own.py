"""Names and figures of a table's own content, in every sentence that names a thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, plain
from client.system.texts import use
from client.words import DisplayNames, display_names_at, event_text, refusal_text
from client.words.asking import prompt_text
from client.words.reference import entries
from engine.core.agenda import Table
from engine.core.content import ContentError
from engine.core.custom_content import of_file
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.emperor.roles.merchant import NameResource
from engine.emperor.roles.scientist import SHOWN, BuyTechnology
from engine.emperor.spec import EMPEROR
from engine.emperor.technologies import READY, UseTechnology

CARDS = """
[[technology]]
id = "time-warp"
[[technology]]
id = "robotics"
name = "Robo X"
[[technology]]
id = "my-guild"
name = "My Guild"
type = "industry"
metal = 1
energy = 1
role = "merchant"
effect = "trade-guild"
amount = 1
[[technology]]
id = "my-pods"
name = "\N{CYRILLIC CAPITAL LETTER EM}y Pods"
type = "science"
metal = 1
energy = 0
role = "explorer"
effect = "colony-pods"
marks = 1
"""
SPEC = of_file(EMPEROR, CARDS.encode(), "own").spec
CALLED = display_names_at(SPEC)
NAMES = ("ada", "Bo", "Cy")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    use("en")
    yield
    use("en")


def told(id: str, **args: Any) -> str:
    return event_text(Event(id, args), NAMES, CALLED)


def test_things_are_called_as_the_content_of_the_table_names_them() -> None:
    assert told("scientist/bought", seat=1, technology="robotics", metal=1, energy=0).startswith("Bo buys Robo X (")
    assert told("scientist/shown", technologies=("my-guild", "time-warp")) == "New technologies: My Guild, Time Warp."
    assert told("merchant/guild", seat=1, resource="food", price=2) == "My Guild: for Bo the price of food is 2."
    assert prompt_text(NameResource(Seat(0)), NAMES, CALLED) == "Use My Guild: for what, cheaper or dearer?"
    assert prompt_text(UseTechnology(Seat(0), "robotics"), NAMES, CALLED) == "Use Robo X?"
    assert refusal_text(Refusal("scientist/not-shown", "", ("my-guild",)), CALLED).endswith(": My Guild.")
    assert display_names_at(EMPEROR)("robotics") == DisplayNames("emperor")("robotics") == "Robotics"
    assert display_names_at(game("eclipse2")) == DisplayNames("eclipse2")


def test_names_are_safe_to_show_and_what_the_table_does_not_name_is_translated() -> None:
    assert CALLED("my-pods") == "\\u{41c}y Pods"
    use("es")
    assert (CALLED("robotics"), CALLED("time-warp"), DisplayNames("emperor")("robotics")) == (
        "Robo X",
        "Salto Temporal",
        "Robótica",
    )


def test_an_id_that_is_another_word_of_the_game_keeps_that_words_name() -> None:
    own = CARDS.replace('id = "my-guild"', 'id = "metal"')
    assert display_names_at(of_file(EMPEROR, own.encode(), "own").spec)("metal") == "metal"


def test_a_claim_by_colony_pods_tells_its_price() -> None:
    args: dict[str, Any] = {"seat": 1, "space": "e3", "how": "colony-pods", "reserve": 4}
    ours = display_names_at(EMPEROR)
    assert event_text(Event("control/claimed", args), NAMES, ours) == (
        "Bo claims e3 (Colony Pods, 3 Marks); tokens left: 4."
    )
    assert told("control/claimed", **args) == "Bo claims e3 (\\u{41c}y Pods, 1 Mark); tokens left: 4."


def test_pictures_hints_and_the_reference_have_the_tables_names() -> None:
    table = settle_options(SPEC, 3, {})
    assert isinstance(table, Table)
    match = Match.new(SPEC, table)
    g, shows = match.g, pictures("emperor")
    g.round.display[g.const.technology_index["my-guild"]] = SHOWN
    g.seats.techs[0, g.const.technology_index["robotics"]] = READY
    frame = Frame(match.view(0), NAMES, UNICODE, (), 200, CALLED)
    assert "My Guild: industry, costs" in "\n".join(map(plain, shows.documents.commands["tech"].draw(frame)))
    assert "Robo X" in "\n".join(map(plain, shows.documents.commands["boards"].draw(frame)))
    assert shows.questions.hint(frame, BuyTechnology(Seat(0)), "my-guild", ()).startswith(
        "My Guild. industry, used: Merchant."
    )
    titles = {entry.word: entry.title for entry in entries(SPEC) if entry.kind == "technology"}
    assert (titles["robotics"], titles["my-guild"], titles["time-warp"]) == ("Robo X", "My Guild", "Time Warp")


# Sentences


def test_a_space_and_a_name_begin_a_sentence_as_they_are_and_strengths_have_names() -> None:
    four = ("Ada", "bo", "Cy", "Dee")
    event = Event("regent/nobody", {"space": "b3", "strengths": (0, 1, 0, 1)})
    assert event_text(event, four, DisplayNames("emperor")) == "b3: bo 1, Dee 1 – nobody is left there."
    won = Event("regent/won", {"seat": 1, "space": "b3", "strengths": (0, 3, 0, 1), "left": 2})
    assert event_text(won, four, DisplayNames("emperor")) == "b3: bo 3, Dee 1 – bo is left with 2."


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "ada buys influence for 1 Mark.", "ada buys influence for 2 Marks."),
        ("es", "ada compra influencia por 1 Marco.", "ada compra influencia por 2 Marcos."),
    ],
)
def test_one_mark_is_a_mark(language: str, one: str, two: str) -> None:
    use(language)
    assert [told("regent/bought", seat=0, marks=marks, tokens=1) for marks in (1, 2)] == [one, two]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('[[technology]]\nid = "robotics"\neffect = "rob"', "uno de time-warp, diplomatic-corps"),
        ('planet = "two"', "un número entero."),
        ("planet = true", "un número entero."),
        ("[[tile]]\nid = 3", "un texto."),
        ("prices = 3", "una tabla."),
        ("[[tile]]\nid = 'anvil'\nplanets = 3", "una lista."),
        ("[prices]\nfood = [1, 2]", "6 valores."),
    ],
)
def test_what_belongs_to_a_key_is_told_in_the_language_in_use(text: str, wanted: str) -> None:
    use("es")
    with pytest.raises(ContentError) as error:
        of_file(EMPEROR, text.encode(), "own")
    assert f"lo que debe estar ahí: {wanted}" in refusal_text(error.value.refusal)
