"""A game of the smallest kind brings its tables to the machine for own content: nothing there knows one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.canonical import content_id, plain_content
from engine.core.content import ContentError, fault, read, read_rows
from engine.core.custom_content import MAX_DATA, MAX_FILE, Change, CustomContent, merged, of_data, of_file
from engine.core.dataclass import dataclass, field, replace
from engine.core.dealer import HashDice, at_random
from engine.core.errors import LocalError, Refusal
from engine.core.gamelog import GameLog, played, record, replay, transcript
from engine.core.registry import GameSpec, Tables
from engine.testing.gamekit import some_table
from engine.testing.toy import TOY


@dataclass(frozen=True, slots=True)
class Prices:
    bread: int
    wine: int = 3
    seen: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Good:
    id: str
    name: str
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shop:
    prices: Prices
    goods: tuple[Good, ...]
    version: int = 1


SHOP = Shop(Prices(2), (Good("rye", "Rye", (1, 2)), Good("red", "Red")))


def with_tables(base: GameSpec, tables: Mapping[str, Any], name: str) -> GameSpec:
    shop = Shop(read(tables.get("prices"), name, Prices), read_rows(tables.get("goods"), name, "good", Good))
    if shop.prices.bread < 1:
        raise fault(name, "bread", "too cheap", "content/range", shop.prices.bread, 1, 9)
    return shop_game(shop)


def shop_game(shop: Shop) -> GameSpec:
    tables = Tables(lambda version: shop, "prices", {"good": "goods"}, with_tables)
    return replace(TOY, content_id=lambda table: content_id(shop), tables=tables)


GAME = shop_game(SHOP)
TABLE = some_table(TOY, 3, 0)


def own(text: str) -> CustomContent:
    return of_file(GAME, text.encode(), "shop.toml")


def why(raw: bytes) -> Refusal:
    with pytest.raises(ContentError) as caught:
        of_file(GAME, raw, "shop.toml")
    return caught.value.refusal


def test_keys_and_rows_are_laid_over_those_of_the_game() -> None:
    found = own('wine = 5\n[[good]]\nid = "red"\nsizes = [7]\n[[good]]\nid = "oil"\nname = "Oil"\n')
    assert found.changes == (
        Change("wine", 3, 5),
        Change("good.rye", {"id": "rye", "name": "Rye", "sizes": [1, 2]}, None),
        Change("good.red.sizes", [], [7]),
        Change("good.oil", None, {"id": "oil", "name": "Oil", "sizes": []}),
    )
    assert found.spec.tables is not None
    assert found.spec.tables.content(1) == Shop(Prices(2, 5), (Good("red", "Red", (7,)), Good("oil", "Oil")))
    assert found.spec.content_id(TABLE) != GAME.content_id(TABLE)


def test_an_empty_list_and_an_empty_file() -> None:
    assert own("").changes == ()
    emptied = of_data(GAME, own("good = []").data, "sent")
    assert [change.path for change in emptied.changes] == ["good"]
    assert own("").spec.content_id(TABLE) == GAME.content_id(TABLE)


def test_what_describes_the_data_stays_out_of_what_travels() -> None:
    assert own('seen = "in a shop"').data == own("").data == b'[{"goods":[{"id":"rye","name":"Rye","sizes":[1,2]},{"id":"red","name":"Red"}],"prices":{"bread":2}}]'  # fmt: skip  # noqa: E501
    assert plain_content(SHOP.prices) == {"bread": 2, "wine": 3}


def test_the_bytes_give_the_game_again() -> None:
    found = own("bread = 4")
    again = of_data(GAME, found.data, "sent")
    assert (again.data, again.changes, again.spec.content_id(TABLE)) == (
        found.data,
        found.changes,
        found.spec.content_id(TABLE),
    )


def test_merging_takes_tables_by_key_rows_by_id_and_all_else_as_a_whole() -> None:
    assert merged({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}) == {"a": {"b": 1, "c": 3}}
    assert merged([{"id": "a", "n": 1}], [{"id": "a", "m": 2}, {"n": 5}, 3, {"id": 4}]) == [
        {"id": "a", "n": 1, "m": 2},
        {"n": 5},
        3,
        {"id": 4},
    ]
    assert merged([1, 2], [3]) == [3]
    assert merged({"a": 1}, 2) == 2


@pytest.mark.parametrize(
    ("raw", "code", "path"),
    [
        (b"bread = ", "content/toml", ""),
        (b"bread = [" * 4000, "content/deep", ""),
        (b"bread = 0x" + b"f" * 5000, "content/long-word", ""),
        (b"'\x1b[2J' = 1".replace(b"\x1b", b"\\u001b").replace(b"'", b'"'), "content/unknown-key", "'\\x1b[2J'"),
        (b"\xff", "content/not-utf8", ""),
        (b"#" * (MAX_FILE + 1), "content/too-long", ""),
        (b"bread = 'x'", "content/type", "bread"),
        (b"milk = 1", "content/unknown-key", "milk"),
        (b"bread = 0", "content/range", "bread"),
        (b"good = 1", "content/type", "good"),
        (b"[[good]]\nid = 'new'", "content/missing", "good[0].name"),
    ],
)
def test_a_file_is_refused_by_code_and_place(raw: bytes, code: str, path: str) -> None:
    refusal = why(raw)
    assert (refusal.code, refusal.path) == (code, path)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"[1]", b"{}", b"[[]]", b"[{}]", b"[" * 5000, b"\xff", b" " * (MAX_DATA + 1)]
)
def test_bytes_that_are_no_content_are_refused(data: bytes) -> None:
    with pytest.raises(ContentError):
        of_data(GAME, data, "sent")


def test_bytes_in_another_form_are_refused() -> None:
    with pytest.raises(ContentError, match="canonical"):
        of_data(GAME, own("").data + b"\n", "sent")


def test_a_game_without_tables_takes_none() -> None:
    with pytest.raises(ContentError, match="takes no content"):
        of_data(TOY, own("").data, "sent")


def test_a_log_with_own_content_plays_with_it_or_says_why_not() -> None:
    found = own("bread = 4")
    log = record(found.spec, some_table(TOY, 3, 0), HashDice(1), at_random(HashDice(2)), found.data)
    assert GameLog.read(log.text()) == log
    game = played(GAME, log)
    assert not isinstance(game, Refusal)
    assert game.content_id(TABLE) == found.spec.content_id(TABLE)
    assert replay(GAME, log) is None
    broken = replace(log, content="[]")
    assert str(replay(GAME, broken)) == "content/form"
    with pytest.raises(LocalError, match="content/form"):
        transcript(GAME, broken)
