"""Content grows: rows are added, changed and withdrawn with a version of the rules, and older tables stay the same."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from volume import seeds

from engine.core.agenda import Table
from engine.core.canonical import content_id, plain_content
from engine.core.content import ContentError, load, load_rows
from engine.core.custom_content import of_data, of_file
from engine.core.dataclass import replace
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.errors import Refusal
from engine.core.gamelog import GameLog, record, replay
from engine.core.match import Match
from engine.core.parsed import parsed
from engine.core.registry import Correction, GameSpec, by_rules, game, settle_options
from engine.eclipse import catalog as eclipse
from engine.eclipse.events import faces
from engine.eclipse.tables import (
    Blueprint,
    Constants,
    Discovery,
    EventSector,
    Npc,
    Part,
    PlayerCount,
    Sector,
    ShrineRow,
    Species,
    Technology,
)
from engine.emperor import catalog as emperor
from engine.emperor.tables import Numbers, Tile
from engine.emperor.tables import Technology as Card
from engine.rex import catalog as rex
from engine.rex import plans
from engine.rex.tables import BetrayalCard, Faction, InfluenceCard, Leader, SeatCount, Space, StrategyCard
from engine.testing.gamekit import some_table

TESTS = Path(__file__).parents[1]
ENGINE = TESTS.parent / "engine"
SECTORS, SPECIES, DISCOVERIES, BLUEPRINTS = (
    ("sector", Sector), ("species", Species), ("discovery", Discovery), ("blueprint", Blueprint),
)  # fmt: skip
EDITION = {
    "blueprints": BLUEPRINTS,
    "discoveries": DISCOVERIES,
    "npcs": ("npc", Npc),
    "parts": ("part", Part),
    "sectors": SECTORS,
    "setup": ("players", PlayerCount),
    "species": SPECIES,
    "technologies": ("technology", Technology),
}
KINDS: dict[str, tuple[str, Any]] = {
    **{
        f"eclipse/content/{edition}/{name}.toml": kind
        for edition in ("first", "second")
        for name, kind in EDITION.items()
    },
    "eclipse/content/events/sectors.toml": ("sector", EventSector),
    "eclipse/content/wanderers/blueprints.toml": BLUEPRINTS,
    "eclipse/content/wanderers/discoveries.toml": DISCOVERIES,
    "eclipse/content/wanderers/sectors.toml": SECTORS,
    "eclipse/content/wanderers/shrines.toml": ("row", ShrineRow),
    "eclipse/content/wanderers/species.toml": SPECIES,
    "emperor/content/technologies.toml": ("technology", Card),
    "emperor/content/tiles.toml": ("tile", Tile),
    "rex/content/betrayal.toml": ("card", BetrayalCard),
    "rex/content/factions.toml": ("faction", Faction),
    "rex/content/influence.toml": ("card", InfluenceCard),
    "rex/content/leaders.toml": ("leader", Leader),
    "rex/content/spaces.toml": ("space", Space),
    "rex/content/strategy.toml": ("card", StrategyCard),
    "rex/content/tables.toml": ("table", SeatCount),
}
"""Content file → the name of its rows and their class."""
SINGLE: dict[str, tuple[Any, dict[str, Any]]] = {
    "eclipse/content/first/tracks.toml": (Constants, {"rounds": 7}),
    "eclipse/content/second/tracks.toml": (Constants, {"rounds": 7, "supply": {"cruiser": 3}}),
    "emperor/content/numbers.toml": (Numbers, {"marks": 9}),
    "rex/content/numbers.toml": (rex._NumbersFile, {"numbers": {"rounds": 7}}),
}
"""Content file of single values → its class, and other values."""
KEYS = {Sector: ("number",), EventSector: ("number",), Blueprint: ("set", "ship"), Npc: ("ship", "variant"),
        PlayerCount: ("players",), ShrineRow: ("resource",), SeatCount: ("seats",)}  # fmt: skip

Tables = dict[str, Any]


class Grown:
    """What content files contain besides: by name, such as ``rex/content/tables.toml``."""

    def __init__(self) -> None:
        self.kept = parsed.keep
        self.rows: dict[str, list[tuple[str, Tables]]] = {}

    def keep(self, package: str, name: str, source: bytes, parse: Any) -> Tables:
        tables: Tables = copy.deepcopy(parse())
        for key, row in self.rows.get(f"{package.removeprefix('engine.').replace('.', '/')}/{name}", ()):
            tables.setdefault(key, []).append(row)
        return tables


def forget() -> None:
    """Content is read anew."""
    modules: tuple[ModuleType, ...] = (eclipse, faces, emperor, rex, plans)
    for module in modules:
        for each in vars(module).values():
            if hasattr(each, "cache_clear"):
                each.cache_clear()


@pytest.fixture
def grown() -> Iterator[Grown]:
    found = Grown()
    parsed.keep = found.keep
    forget()
    yield found
    parsed.keep = found.kept
    forget()


def plain(file: str, key: str) -> list[Tables]:
    import tomllib

    rows: list[Tables] = tomllib.loads((ENGINE / file).read_text("utf-8"))[key]
    return rows


def where(file: str) -> tuple[str, str]:
    name, _, rest = file.partition("/")
    return f"engine.{name}", rest


def id_of(row: Tables, shape: type) -> Tables:
    return {key: row[key] for key in KEYS.get(shape, ("id",))}


def other(row: Tables) -> Tables:
    """The row with another figure."""
    name = next(name for name, value in row.items() if type(value) is int and name not in ("players", "seats"))
    return {**row, name: row[name] + 1}


def test_every_content_file_is_tried() -> None:
    assert {path.relative_to(ENGINE).as_posix() for path in ENGINE.glob("*/content/**/*.toml")} == {*KINDS, *SINGLE}


@pytest.mark.parametrize("file", KINDS)
def test_a_row_added_later_is_seen_from_its_version_on(file: str, grown: Grown) -> None:
    key, shape = KINDS[file]
    package, name = where(file)
    before = load_rows(package, name, key, shape, 1)
    new = {**plain(file, key)[-1], "since": 2}
    new |= {part: 7 if type(new[part]) is int else "newest" for part in KEYS.get(shape, ("id",))[:1]}
    allowed = shape not in (Npc, ShrineRow, Faction)  # whose ids are fixed
    if not allowed:
        return
    grown.rows[file] = [(key, new)]
    assert load_rows(package, name, key, shape, 1) == before
    after = load_rows(package, name, key, shape, 2)
    assert after[:-1] == before
    assert not hasattr(after[-1], "since")
    assert content_id(after) != content_id(before) == content_id(load_rows(package, name, key, shape, 1))


@pytest.mark.parametrize("file", KINDS)
def test_a_row_of_the_same_id_replaces_the_older_one_in_its_place(file: str, grown: Grown) -> None:
    key, shape = KINDS[file]
    package, name = where(file)
    before, row = load_rows(package, name, key, shape, 1), plain(file, key)[0]
    if not any(type(value) is int for value in row.values()):
        return
    grown.rows[file] = [(key, {**other(other(row)), "since": 4}), (key, {**other(row), "since": 2})]
    seen = {version: load_rows(package, name, key, shape, version) for version in (1, 2, 3, 4, 5)}
    assert seen[1] == before
    assert seen[2] == seen[3] != before
    assert seen[4] == seen[5] != seen[2]
    for rows in seen.values():
        assert rows[1:] == before[1:]
        assert id_of(plain_content(rows[0]), shape) == id_of(row, shape)


@pytest.mark.parametrize("file", KINDS)
def test_a_row_withdrawn_later_is_seen_until_then(file: str, grown: Grown) -> None:
    key, shape = KINDS[file]
    package, name = where(file)
    before, rows = load_rows(package, name, key, shape, 1), plain(file, key)
    again = {**rows[1], "since": 3}
    grown.rows[file] = [(key, {**id_of(rows[1], shape), "since": 2, "withdrawn": True}), (key, again)]
    assert load_rows(package, name, key, shape, 1) == before
    assert load_rows(package, name, key, shape, 2) == (before[0], *before[2:])
    assert load_rows(package, name, key, shape, 3) == before, "the id has its place again"


@pytest.mark.parametrize("file", SINGLE)
def test_single_values_change_with_a_version(file: str, grown: Grown) -> None:
    shape, changes = SINGLE[file]
    package, name = where(file)
    before = load(package, name, shape, 1)
    grown.rows[file] = [("later", {"since": 2, **changes}), ("later", {"since": 4})]
    assert load(package, name, shape, 1) == before
    assert content_id(load(package, name, shape, 1)) == content_id(before)
    after = plain_content(load(package, name, shape, 3))
    for key, value in changes.items():
        assert after[key] == ({**plain_content(before)[key], **value} if isinstance(value, dict) else value)
    assert {**after, **{key: plain_content(before)[key] for key in changes}} == plain_content(before)


def test_rows_within_a_table_grow_too(grown: Grown) -> None:
    file = "emperor/content/numbers.toml"
    before = emperor.standard(1).numbers.unit
    cruiser = {"id": "cruiser", **next(row for row in plain(file, "unit") if row["id"] == "cruiser")}
    grown.rows[file] = [("unit", {**cruiser, "move": cruiser["move"] + 1, "since": 2})]
    assert emperor.standard(1).numbers.unit == before
    moved = [(one.id, two.move - one.move) for one, two in zip(before, emperor.standard(2).numbers.unit, strict=True)]
    assert [found for found in moved if found[1]] == [("cruiser", 1)]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "sol", "since": 0}, "sol.since: 1 or more expected"),
        ({"id": "sol", "since": True}, "sol.since: 1 or more expected"),
        ({"id": "sol"}, "sol: listed twice since 1"),
    ],
)
def test_what_says_since_when_wrongly_is_refused_by_its_place(row: Tables, told: str, grown: Grown) -> None:
    grown.rows["rex/content/factions.toml"] = [("faction", {"id": "sol", "since": 2}), ("faction", row)]
    with pytest.raises(ContentError, match=told):
        load_rows("engine.rex", "content/factions.toml", "faction", Faction, 1)


@pytest.mark.parametrize("name", ["eclipse1", "eclipse2", "emperor", "rex"])
def test_no_row_of_the_program_is_newer_than_the_rules_of_its_game(name: str) -> None:
    spec = game(name)
    newer = replace(spec, rules_version=spec.rules_version + 1)
    table = some_table(spec, spec.seats[-1], 0)
    assert spec.content_id(table) == newer.content_id(replace(table, rules=newer.rules_version))


# Whole games


def row_of(file: str, key: str, **wanted: Any) -> Tables:
    return next(row for row in plain(file, key) if all(row.get(name) == value for name, value in wanted.items()))


def changed(file: str, key: str, figure: str, **wanted: Any) -> tuple[str, Tables]:
    row = row_of(file, key, **wanted)
    return key, {**row, figure: row[figure] + 1, "since": 2}


def withdrawn(key: str, **id: Any) -> tuple[str, Tables]:
    return key, {**id, "since": 2, "withdrawn": True}


def added(file: str, key: str, wanted: Tables, **other: Any) -> tuple[str, Tables]:
    return key, {**row_of(file, key, **wanted), **other, "since": 2}


def edition_growth(edition: str) -> dict[str, list[tuple[str, Tables]]]:
    """A row more, a row less and a row changed of each kind of an edition of Eclipse that can have them."""
    at = f"eclipse/content/{edition}"
    files = {name: f"{at}/{name}.toml" for name in (*EDITION, "tracks")}
    home = row_of(files["species"], "species", id="terran-union")["home"]
    return {
        files["sectors"]: [
            added(files["sectors"], "sector", {"number": "301"}, number="340"),
            added(files["sectors"], "sector", {"number": home}, number="240"),
            changed(files["sectors"], "sector", "vp", number="101"),
            withdrawn("sector", number="318"),
        ],
        files["species"]: [
            added(files["species"], "species", {"id": "terran-union"}, id="terran-newest", home="240", board="newest"),
            changed(files["species"], "species", "money", id="planta"),
            withdrawn("species", id="terran-directorate"),
        ],
        files["technologies"]: [
            added(files["technologies"], "technology", {"id": "quantum-grid"}, id="quantum-net"),
            changed(files["technologies"], "technology", "cost", id="starbase"),
            withdrawn("technology", id="nanorobots"),
        ],
        files["parts"]: [changed(files["parts"], "part", "hull", id="improved-hull")],
        files["discoveries"]: [
            added(files["discoveries"], "discovery", {"id": "money"}, id="more-money"),
            changed(files["discoveries"], "discovery", "science", id="science"),
            withdrawn("discovery", id="ancient-cruiser"),
        ],
        files["npcs"]: [changed(files["npcs"], "npc", "hull", ship="ancient")],
        files["blueprints"]: [changed(files["blueprints"], "blueprint", "initiative", ship="cruiser")],
        files["setup"]: [changed(files["setup"], "players", "technologies", players=n) for n in range(2, 7)],
        files["tracks"]: [("later", {"since": 2, "monolith_vp": 4})],
    }


def rex_growth() -> dict[str, list[tuple[str, Tables]]]:
    names = ("strategy", "leaders", "factions", "numbers")
    at = {name: f"rex/content/{name}.toml" for name in names}
    attack = next(row for row in plain(at["strategy"], "card") if row["category"] == "attack")
    leaders = [row for row in plain(at["leaders"], "leader") if row["faction"] == "sol"]
    return {
        at["strategy"]: [
            added(at["strategy"], "card", {"id": attack["id"]}, id="newest-rifle"),
            changed(at["strategy"], "card", "count", id=attack["id"]),
        ],
        at["leaders"]: [
            added(at["leaders"], "leader", {"id": leaders[0]["id"]}, id="newest-leader"),
            changed(at["leaders"], "leader", "strength", id=leaders[1]["id"]),
            withdrawn("leader", id=leaders[2]["id"]),
        ],
        at["factions"]: [changed(at["factions"], "faction", "influence", id="hacan")],
        at["numbers"]: [("later", {"since": 2, "numbers": {"collect": 3}})],
    }


def emperor_growth() -> dict[str, list[tuple[str, Tables]]]:
    tiles, cards = "emperor/content/tiles.toml", "emperor/content/technologies.toml"
    planet = next(row for row in plain(tiles, "tile") if row["kind"] == "planet" and row["back"] == "plain")
    last = [row for row in plain(tiles, "tile") if row["kind"] == "planet" and row["back"] == "plain"][-1]
    card = plain(cards, "technology")[0]
    return {
        tiles: [
            added(tiles, "tile", {"id": planet["id"]}, id="newest"),
            ("tile", {**planet, "planets": [[1, 0, 0]], "since": 2}),
            withdrawn("tile", id=last["id"]),
        ],
        cards: [changed(cards, "technology", "metal", id=card["id"])],
        "emperor/content/numbers.toml": [("later", {"since": 2, "marks": 9})],
    }


GROWTH = {
    "eclipse1": lambda: edition_growth("first"),
    "eclipse2": lambda: edition_growth("second"),
    "emperor": emperor_growth,
    "rex": rex_growth,
}


def newer(spec: GameSpec) -> GameSpec:
    return replace(spec, rules_version=2, corrections=(Correction(2, "Content has grown.", "a test"),))


@pytest.mark.parametrize("name", GROWTH)
def test_golden_games_of_version_1_go_on_in_a_program_whose_content_has_grown(name: str, grown: Grown) -> None:
    grown.rows.update(GROWTH[name]())
    spec = newer(game(name))
    logs = sorted((TESTS / "logs").glob(f"{name}-*.json"))
    assert len(logs) > 5
    for path in logs:
        log = GameLog.read(path.read_text("utf-8"))
        assert replay(spec, log) is None, path.name


@pytest.mark.parametrize("name", GROWTH)
def test_both_versions_are_played_in_one_process(name: str, grown: Grown) -> None:
    grown.rows.update(GROWTH[name]())
    spec = newer(game(name))
    older = by_rules(spec, f"{name}/1")
    assert older is not None
    seats = spec.seats[0] + 1
    tables = [some_table(one, seats, 0) for one in (older, spec)]
    assert older.content_id(tables[0]) == game(name).content_id(some_table(game(name), seats, 0))
    assert older.content_id(tables[0]) != spec.content_id(tables[1])
    for seed in seeds(1):
        for one in (older, spec, older):
            table = some_table(one, seats, seed)
            log = record(one, table, HashDice(seed), at_random(HashDice(seed + 1)))
            assert replay(spec, log) is None
            assert log.rules == one.rules_id
            match = Match.new(one, table)
            for _step in zip(range(40), play(match, Dealer(HashDice(seed)), at_random(HashDice(seed))), strict=False):
                pass
            loaded = Match.load(one, match.dump())
            assert isinstance(loaded, Match)
            assert loaded.digest() == match.digest()


def test_species_and_factions_of_a_version_are_accepted_by_its_tables_only(grown: Grown) -> None:
    grown.rows.update(GROWTH["eclipse2"]())
    spec = newer(game("eclipse2"))
    older = by_rules(spec, "eclipse2/1")
    assert older is not None
    new, gone = {"species": "terran-newest,planta"}, {"species": "terran-directorate,planta"}
    assert isinstance(settle_options(spec, 2, new), Table)
    assert isinstance(settle_options(older, 2, gone), Table)
    for one, options in ((older, new), (spec, gone)):
        refusal = settle_options(one, 2, options)
        assert isinstance(refusal, Refusal)
        assert refusal.code == "option/unknown-species"


def test_a_tables_own_content_keeps_the_values_of_the_version_it_was_made_for(grown: Grown) -> None:
    grown.rows.update(emperor_growth())
    spec = newer(game("emperor"))
    plain, old, new = (
        of_file(spec, f"{line}\nmetal = 5\n".encode(), "own.toml") for line in ("", "version = 1", "version = 2")
    )
    assert spec.tables is not None
    marks = emperor.standard(1).numbers.marks
    assert [each.spec.tables.content(2).numbers.marks for each in (old, new) if each.spec.tables] == [marks, 9]
    assert plain.id == new.id != old.id
    for each in (old, new):
        assert [(change.path, change.own) for change in each.changes] == [("metal", 5)]
        again = of_data(spec, each.data, "sent")
        assert (again.id, again.changes) == (each.id, each.changes)
        table = some_table(each.spec, 3, 0)
        log = record(each.spec, table, HashDice(1), at_random(HashDice(2)), each.data)
        assert replay(spec, log) is None
    older = by_rules(spec, "emperor/1")
    assert older is not None
    made = of_file(older, b"metal = 5\n", "own.toml")
    assert made.data == old.data, "what was made before the content grew stays the same"


@pytest.mark.parametrize("version", ["0", "3", "true", '"1"'])
def test_a_version_that_a_tables_own_content_cannot_be_made_for_is_refused(version: str) -> None:
    with pytest.raises(ContentError) as caught:
        of_file(newer(game("emperor")), f"version = {version}\nmetal = 5\n".encode(), "own.toml")
    assert caught.value.refusal.code == "content/version"
