"""Every code that rules can utter has its sentence."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from client.games.eclipse.wording.species import SPECIES
from client.system.errors import USAGE
from client.system.registry import game_client
from client.system.texts import use
from client.table.words import away_text, lobby_trouble, relay_trouble
from client.words import DisplayNames, display_names_at, event_text, refusal_text, term, texts
from client.words.options import option_title, value_title
from client.words.terms import CORE
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.match import Match
from engine.core.registry import GAMES, game, settle_options
from engine.eclipse.catalog import Edition, first, second
from engine.eclipse.terms import ACTIONS, CATEGORIES, COLOURS, PIECES, RESOURCES, SQUARES, VARIANTS
from engine.emperor.tables import Effect

ROOT = Path(__file__).parents[3]
PLAYED = [ROOT.joinpath(*place.split(":")[0].split(".")).parent for place in GAMES.values()]
ENGINE = [path for folder in (ROOT / "engine" / "core", *PLAYED) for path in sorted(folder.rglob("*.py"))]
TABLE = (
    *sorted((ROOT / "p2p" / "lockstep").glob("*.py")),
    *sorted((ROOT / "client" / "table").glob("*.py")),
)
"""Where a person's word to the table is refused."""
ANSWERED_BY_COMMANDS = {"table/seats", "table/unknown-option", "table/option-value", "table/option-conflict"}
"""Worded by client.commands.arguments, which knows more of the table than the refusal says."""


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


REFUSALS = ("Refusal", "TableRefusal")
MADE_BY = (*REFUSALS, "too_dear", "too_many")
"""What makes refusals of the codes that are written in its call."""


def refusal_codes(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Every code written where a refusal is made, with the place."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MADE_BY and node.args:
                for part in ast.walk(node.args[0 if node.func.id in REFUSALS else -1]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and "/" in part.value:
                        yield part.value, f"{path.relative_to(ROOT)}:{node.lineno}"


@pytest.mark.parametrize("name", GAMES)
def test_every_event_has_a_sentence_made_of_its_arguments(name: str) -> None:
    sentences = texts(name).events
    events = game(name).events
    assert [id for id in events if id not in sentences] == [], f"EVENTS in the wording of {name} lack a sentence"
    for id, arguments in events.items():
        used = {field for _text, field, _spec, _conversion in string.Formatter().parse(sentences[id]) if field}
        assert used <= {*arguments, *get_args(Effect)}, id


def test_no_sentence_is_left_of_an_event_that_is_gone() -> None:
    known = {id for name in GAMES for id in game(name).events} | {"core/foul"}
    assert {id.partition(" ")[0] for name in GAMES for id in texts(name).events} - known == set()


def test_every_refusal_of_the_engine_has_a_sentence() -> None:
    worded = {code for name in GAMES for code in texts(name).refusals}
    codes = dict(refusal_codes(ENGINE))
    assert codes
    assert {
        code: place for code, place in codes.items() if code not in worded and code not in ANSWERED_BY_COMMANDS
    } == {}


def test_every_refusal_at_the_table_has_a_sentence() -> None:
    worded = texts("").refusals
    codes = dict(refusal_codes(TABLE))
    assert len(codes) > 30
    unworded = {code: place for code, place in codes.items() if code not in worded}
    assert {code: place for code, place in unworded.items() if lobby_trouble(code, ()).exit_code != USAGE} == {}


def test_what_only_one_game_refuses_is_worded_by_that_game() -> None:
    games = [ROOT / folder for folder in ("engine/eclipse", "engine/eclipse1", "engine/emperor", "engine/rex")]
    packages = [ROOT / each for each in ("engine", "seeds", "p2p", "client")]
    makers = [path for each in packages for path in each.rglob("*.py") if "words" not in path.parts]
    general = [path.read_text("utf-8") for path in makers if not any(path.is_relative_to(each) for each in games)]
    assert [code for code in texts("").refusals if not any(f'"{code}"' in text for text in general)] == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_inviter_reads_in_words_why_a_guest_does_not_sit(language: str) -> None:
    use(language)
    codes = {code for code, _place in refusal_codes([ROOT / "p2p" / "lobby" / "invite.py"])}
    codes |= {code for code, _place in refusal_codes([ROOT / "client" / "table" / "lobby.py"])}
    told = {code: away_text("Eve", code) for code in {*codes, "lobby/left", "lobby/removed", "lobby/begun"}}
    assert {"lobby/declined", "lobby/full", "lobby/name-taken"} <= codes
    assert len({*told.values()}) == len(told), "two reasons have one sentence"
    for text in (*told.values(), away_text("Eve", "lobby/nonce"), relay_trouble("a relay", "relay/version")):
        assert not re.search(r"[a-z]+/[a-z]+|[{}]", text)


@pytest.mark.parametrize("e", [second(wanderers=True), first()], ids=["second", "first"])
def test_every_thing_of_eclipse_has_a_name(e: Edition) -> None:
    ids = [*e.technology_ids, *e.part_ids, *e.discovery_ids, *e.species_ids, *PIECES, *RESOURCES, *ACTIONS, *COLOURS]
    ids += [*CATEGORIES, *VARIANTS, *SQUARES]
    assert [id for id in ids if id not in texts("eclipse2").terms] == [], "TERMS in client.games.eclipse.wording"


def test_every_species_of_eclipse_is_said_to_be_good_at_something() -> None:
    ids = {*second(wanderers=True).species_ids, *first().species_ids}
    assert ids == set(SPECIES), "SPECIES in client.games.eclipse.wording.species"


@pytest.mark.parametrize("language", ["en", "es"])
def test_an_advanced_square_is_called_so(language: str) -> None:
    use(language)
    assert term("science*", "eclipse2") == {"en": "advanced science", "es": "ciencia (avanzada)"}[language]


def test_a_whole_game_is_told_without_an_id_or_an_empty_place() -> None:
    """Every sentence of a game by bots: arguments filled in, seats by name, nothing left in kebab-case."""
    spec = game("eclipse2")
    table = settle_options(spec, 4, {})
    assert isinstance(table, Table)
    dealer, dice = Dealer(HashDice("told")), HashDice("picks")
    told = {
        event_text(event, ["Ada", "Bo", "Cy", "Di"], display_names_at(spec))
        for _given, events in play(Match.new(spec, table), dealer, at_random(dice))
        for event in events
    }
    assert len(told) > 100
    assert [line for line in told if re.search(r"[{}]|[a-z]+-[a-z]+-|\bseat\b", line)] == []
    assert all(line[0].isupper() or line[0].isdigit() for line in told)


@pytest.mark.parametrize("kind", ["EVENTS", "REFUSALS", "TERMS"])
def test_no_id_has_two_texts(kind: str) -> None:
    """A game may give a word of its own to what all games have; within it a word means one thing."""
    for modules in ((CORE,), *(game_client(name).texts for name in GAMES)):
        found: dict[str, str] = {}
        for module in modules:
            for id, text in getattr(import_module(module), kind).items():
                assert found.setdefault(id, text) == text, f"{module}: {id}"


@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_a_help_text(name: str) -> None:
    assert [option.name for option in game(name).options if term(option.help, name) == option.help] == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_ships_of_nobody_have_a_name_too(language: str) -> None:
    use(language)
    told = event_text(
        Event("combat/battle", {"sector": "104", "attacker": 0, "defender": -1}), ["Ada"], DisplayNames("eclipse2")
    )
    assert "Ada" in told
    assert "-1" not in told


def test_details_are_shown_by_their_names() -> None:
    told = refusal_text(Refusal("build/needs-technology", "", ("starbase", "plasma-cannon")), DisplayNames("eclipse2"))
    assert told == "starbase needs the technology Plasma Cannon."


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_option_of_a_table_and_each_of_its_values_has_a_title(name: str) -> None:
    terms = texts(name).terms
    for option in game(name).options:
        assert option_title(option.name, name) == terms[f"title/{option.name}"]
        for value in option.values or (option.default,):
            titles = {f"title/{option.name}={value}", f"title/={value}"} & terms.keys()
            assert titles or value.isdigit(), f"{option.name}={value}"
            assert value_title(option.name, value, name) in {value, *(terms[title] for title in titles)}


def test_titles_of_options_name_nothing_else() -> None:
    for name in GAMES:
        known = {option.name: option.values or () for option in game(name).options}
        own = texts(name).terms.keys() - texts("").terms.keys()
        if name != "eclipse1":  # has the texts of the second edition, whose options are more
            for title in (id.removeprefix("title/").split("=") for id in own if id.startswith("title/")):
                assert not title[0] or title[0] in known, title


def test_a_list_of_species_and_an_unknown_option_are_named_all_the_same() -> None:
    use("es")
    try:
        assert value_title("factions", "sol,hacan", "rex") == f"{term('sol', 'rex')}, {term('hacan', 'rex')}"
        assert option_title("betrayal", "rex") not in {"betrayal", "Betrayal cards"}
        assert (option_title("board", "chess"), value_title("board", "round", "chess")) == ("board", "round")
    finally:
        use("en")


def test_who_has_no_seat_is_named_as_in_the_game() -> None:
    told = {
        name: event_text(Event("no/text", {"seat": -1}), ("Anna", "Bob"), DisplayNames(name))
        for name in ("eclipse1", "eclipse2", "emperor", "rex", "")
    }
    neutral = dict.fromkeys(("eclipse1", "eclipse2"), "no/text seat=the neutral fleet")
    assert told == {**dict.fromkeys(told, "no/text seat=nobody"), **neutral}
