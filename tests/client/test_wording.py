"""Every code that rules can utter has its sentence."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.texts import use
from client.wording import event_text, refusal_text, tables, term
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.registry import GAMES, game

ENGINE = Path(__file__).parents[2] / "engine"
ANSWERED_BY_COMMANDS = {"table/seats", "table/unknown-option", "table/option-value", "table/option-conflict"}
"""Worded by client.commands.arguments, which knows more of the table than the refusal says."""


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def refusal_codes() -> Iterator[tuple[str, str]]:
    """Every code written in a Refusal(…) of the engine, with the place."""
    for path in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Refusal"
                and node.args
            ):
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and "/" in part.value:
                        yield part.value, f"{path.relative_to(ENGINE)}:{node.lineno}"


@pytest.mark.parametrize("name", GAMES)
def test_every_event_has_a_sentence_made_of_its_arguments(name: str) -> None:
    texts = tables("EVENTS")
    events = game(name).events
    assert [id for id in events if id not in texts] == []
    for id, arguments in events.items():
        used = {field for _text, field, _spec, _conversion in string.Formatter().parse(texts[id]) if field}
        assert used <= set(arguments), id


def test_no_sentence_is_left_of_an_event_that_is_gone() -> None:
    known = {id for name in GAMES for id in game(name).events} | {"core/foul"}
    assert set(tables("EVENTS")) - known == set()


def test_every_refusal_of_the_engine_has_a_sentence() -> None:
    texts = tables("REFUSALS")
    codes = dict(refusal_codes())
    assert codes
    assert {
        code: place for code, place in codes.items() if code not in texts and code not in ANSWERED_BY_COMMANDS
    } == {}


@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_a_help_text(name: str) -> None:
    assert [option.name for option in game(name).options if term(option.help) == option.help] == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_ships_of_nobody_have_a_name_too(language: str) -> None:
    use(language)
    told = event_text(Event("combat/battle", {"sector": "104", "attacker": 0, "defender": -1}), ["Ada"])
    assert "Ada" in told
    assert "-1" not in told


def test_details_are_shown_by_their_names() -> None:
    told = refusal_text(Refusal("build/needs-technology", "", ("starbase", "plasma-cannon")))
    assert told == "starbase needs the technology Plasma Cannon."
