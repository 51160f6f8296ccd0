"""The numbers of greedy are data: each is used, styles name no others, and nothing of them stays behind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from client.bots.numbers import GREEDY, Numbers, perturbed
from client.system.places import load
from client.system.registry import GAMES, game_client

PACKAGES = sorted(
    {game_client(game).numbers.partition(":")[0].rpartition(".")[0] for game in GAMES if game_client(game).numbers}
)
PICKS = re.compile(r"pick-[a-z-]+")


def numbers_of(package: str) -> Numbers:
    place = next(game_client(game).numbers for game in GAMES if game_client(game).numbers.startswith(package))
    found: Numbers = load(place)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_each_number_of_the_file_is_used_and_each_that_is_used_is_there(package: str) -> None:
    folder = Path(__file__).resolve().parents[3].joinpath(*package.split("."))
    source = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    used = set(re.findall(r'NUMBERS\["([a-z-]+)"\]', source))
    assert used == {name for name in numbers_of(package).styled(GREEDY) if not PICKS.fullmatch(name)}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_style_changes_some_numbers_and_names_no_others(package: str) -> None:
    numbers = numbers_of(package)
    base = numbers.styled(GREEDY)
    assert {"raider", "builder"} <= {*numbers.styles()}
    for style in numbers.styles():
        styled = numbers.styled(style)
        assert styled.keys() == base.keys()
        assert (styled != base) == (style != GREEDY)


def test_the_factions_of_rex_are_all_ranked() -> None:
    from engine.rex.catalog import city

    ranked = {name.removeprefix("pick-") for name in numbers_of("client.games.rex.bot") if PICKS.fullmatch(name)}
    assert ranked == {row.id for row in city(6).factions}


def test_numbers_are_in_use_for_a_while_only_and_also_after_an_error() -> None:
    numbers = numbers_of("client.games.rex.bot")
    raider = numbers.styled("raider")
    with pytest.raises(RuntimeError), numbers.using(raider):  # noqa: PT012
        assert dict(numbers) == raider
        with numbers.using(numbers.styled("builder")):
            assert numbers["leaving"] != raider["leaving"]
        assert dict(numbers) == raider
        raise RuntimeError
    assert dict(numbers) == numbers.styled(GREEDY)


def test_perturbed_numbers_follow_from_their_chance() -> None:
    base: Mapping[str, float] = numbers_of("client.games.emperor.bot").styled(GREEDY)
    one, same, other = (perturbed(base, 0.3, Random(seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert one.keys() == base.keys()
    assert all(number > 0 for number in one.values())
