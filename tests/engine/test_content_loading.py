"""Content files are read strictly, and what they say is named by a digest."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Literal

import pytest

from engine.core.canonical import canonical, content_id
from engine.core.content import SHOWN, ContentError, load, load_rows, parse, parse_rows
from engine.core.dataclass import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Moon:
    name: str
    size: int = 1
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    name: str
    colour: Literal["red", "blue"]
    inhabited: bool = False
    place: tuple[int, int] = (0, 0)
    yields: Mapping[str, int] = field(default_factory=dict)
    moons: tuple[Moon, ...] = ()


GOOD = """
name = "Ares"
colour = "red"
inhabited = true
place = [2, -1]
yields = { iron = 3 }
[[moons]]
name = "Phobos"
[[moons]]
name = "Deimos"
size = 2
"""


def test_a_table_becomes_a_frozen_dataclass() -> None:
    world = parse(GOOD, "worlds.toml", World)
    assert world.moons == (Moon(name="Phobos"), Moon(name="Deimos", size=2))
    assert (world.name, world.colour, world.inhabited, world.place) == ("Ares", "red", True, (2, -1))
    assert dict(world.yields) == {"iron": 3}
    with pytest.raises(TypeError):
        world.yields["iron"] = 4  # type: ignore[index]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "Ares"', "name = 4", "worlds.toml: name: str expected, not 4"),
        ("inhabited = true", "inhabited = 1", "worlds.toml: inhabited: bool expected, not 1"),
        ("size = 2", "size = 2.0", "worlds.toml: moons[1].size: int expected, not 2.0"),
        ("size = 2", "size = true", "worlds.toml: moons[1].size: int expected, not True"),
        ("size = 2", "weight = 2", "worlds.toml: moons[1].weight: unknown key; known: name, size, source"),
        ('name = "Phobos"', "size = 3", "worlds.toml: moons[0].name: missing"),
        ('colour = "red"', 'colour = "green"', "worlds.toml: colour: one of red, blue expected, not 'green'"),
        ('colour = "red"', "", "worlds.toml: colour: missing"),
        ("[2, -1]", "[2]", "worlds.toml: place: 2 items expected, not [2]"),
        ("[2, -1]", '[2, "x"]', "worlds.toml: place[1]: int expected, not 'x'"),
        ("[2, -1]", "7", "worlds.toml: place: a list expected, not 7"),
        ("{ iron = 3 }", "3", "worlds.toml: yields: a table expected, not 3"),
        ("{ iron = 3 }", '{ iron = "3" }', "worlds.toml: yields.iron: int expected, not '3'"),
    ],
)
def test_whatever_does_not_fit_is_named_by_file_table_and_key(old: str, new: str, message: str) -> None:
    with pytest.raises(ContentError) as raised:
        parse(GOOD.replace(old, new), "worlds.toml", World)
    assert str(raised.value) == message


def test_a_file_that_is_no_toml_is_named() -> None:
    with pytest.raises(ContentError, match=r"^worlds\.toml: .*line 1"):
        parse("name = ]\n", "worlds.toml", World)


def test_a_type_that_content_cannot_have_is_a_fault_of_the_program() -> None:
    @dataclass(frozen=True, slots=True)
    class Odd:
        weight: float

    with pytest.raises(TypeError, match="weight"):
        parse("weight = 1", "odd.toml", Odd)


def test_rows_are_the_only_thing_in_their_file() -> None:
    moons = '[[moon]]\nname = "Luna"\n'
    assert parse_rows(moons, "moons.toml", "moon", Moon) == (Moon(name="Luna"),)
    with pytest.raises(ContentError, match=r"moons\.toml: \[\[moon\]\] alone expected, not version, moon"):
        parse_rows("version = 1\n" + moons, "moons.toml", "moon", Moon)
    with pytest.raises(ContentError, match=r"not nothing"):
        parse_rows("", "moons.toml", "moon", Moon)
    with pytest.raises(ContentError, match=r"moons\.toml: moon\[0\]\.size: int expected"):
        parse_rows('[[moon]]\nname = "Luna"\nsize = "big"', "moons.toml", "moon", Moon)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ContentError, match=r"^content/none\.toml: cannot be read"):
        load("engine.eclipse", "content/none.toml", World, 1)
    with pytest.raises(ContentError, match=r"^content/none\.toml: cannot be read"):
        load_rows("engine.eclipse", "content/none.toml", "moon", Moon, 1)


def test_content_id_names_what_is_said_and_not_how() -> None:
    world = parse(GOOD, "worlds.toml", World)
    same = parse(
        GOOD.replace('colour = "red"\ninhabited = true', 'inhabited = true\ncolour = "red"') + "# remark\n", "w", World
    )
    assert content_id(world) == content_id(same)
    assert len(content_id(world)) == 16


@pytest.mark.parametrize(
    ("old", "new"), [("size = 2", "size = 3"), ("iron", "tin"), ("true", "false"), ("[2, -1]", "[-1, 2]")]
)
def test_content_id_changes_with_any_value(old: str, new: str) -> None:
    assert content_id(parse(GOOD, "w", World)) != content_id(parse(GOOD.replace(old, new), "w", World))


def test_content_id_is_blake2b_16_of_canonical_json() -> None:
    text = '[{"name":"Luna"},{"name":"Ío","size":2}]'
    assert content_id(Moon(name="Luna"), Moon(name="Ío", size=2)) == blake2b(text.encode(), digest_size=16).digest()


def test_content_id_leaves_out_what_only_describes_the_data() -> None:
    assert content_id(Moon(name="Luna", source="seen")) == content_id(Moon(name="Luna", source="heard"))


@dataclass(frozen=True, slots=True)
class Town:
    id: str
    name: str = field(metadata=SHOWN)
    gates: tuple[int, ...] = ()
    twins: Mapping[str, int] = field(default_factory=dict)


def test_a_display_name_travels_and_is_no_part_of_the_content_id() -> None:
    one, other = Town("luna", "Luna"), Town("luna", "Moon Town")
    assert content_id(one) == content_id(other) == content_id(Town("luna", "", (), {}))
    assert canonical(one) != canonical(other)


def test_a_key_at_its_default_changes_no_id() -> None:
    assert canonical(Town("luna", "Luna")) == b'[{"id":"luna","name":"Luna"}]'
    assert content_id(Town("luna", "Luna", (1,))) != content_id(Town("luna", "Luna"))


def test_content_id_takes_content_only() -> None:
    with pytest.raises(TypeError, match="not content"):
        content_id([1])
