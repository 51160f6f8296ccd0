"""What the verifier page says of altered files in real browsers is what `starlock verify` says, and what the report
page and the second verifier say."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from agreement import Game, judged_by_all, repacked
from chromium import BROWSER, Chromium
from firefox import FIREFOX, Firefox
from judges import disagreements
from recorded import GameTable
from resigned import altered
from test_verifier_browser import opened
from test_verifier_page import MADE, judged
from volume import pieces

from client.proof.audit import machine_of
from engine.core.registry import game
from p2p.lockstep.genesis import Genesis
from p2p.log.feeds import genesis_among
from p2p.log.starfile import read_star

STARS = sorted((Path(__file__).parents[1] / "stars").glob("*.star"))
NAMES = ("emperor", "rex", "eclipse2", "eclipse1")
FILES = {"chromium": 1000, "firefox": 400}
"""Altered files for each browser: a quarter spoilt, the others signed by their own members."""
TOGETHER = 20


@cache
def recorded_game(number: int) -> Game:
    star = STARS[number % len(STARS)].read_bytes()
    read = read_star(star)
    genesis = genesis_among(read.entries)
    assert genesis is not None
    return Game(star, machine_of(Genesis.read(genesis.body), read.content), star)


def spoilt(number: int) -> Game:
    """A recorded game with one bit changed, cut short, or with a piece twice."""
    random, whole = Random(number), recorded_game(number)
    data = whole.star
    at = random.randrange(len(data))
    match random.randrange(8):
        case 0:
            return whole._replace(star=data[:at])
        case 1:
            return whole._replace(star=data[:at] + data[max(0, at - 40) :])
    return whole._replace(star=data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :])


@cache
def played(number: int) -> GameTable:
    table = GameTable([[0], [1], [2]], spec=game(NAMES[number]))
    table.start()
    for _ in range(25 + 10 * number):
        table.step()
    return table


def resigned(number: int) -> Game:
    """A log that is cut short, with last words that its own members signed afterwards; one of them exports it up to
    where it leads."""
    table, random = played(number % len(NAMES)), Random(number)
    keys, entries = {own.key.public: own.key.private for own in table.keys}, table.peers[0].feeds.entries
    log = altered(entries, keys, random)
    return repacked(log, {}, table.keys[0].key.private, machine_of(table.peers[0].genesis))


def altered_game(number: int) -> Game:
    return spoilt(number) if number % 4 == 0 else resigned(number // 4 * 3 + number % 4)


BOTH = """(async () => {{
  const text = atob("{data}"), bytes = Uint8Array.from(text, one => one.charCodeAt(0));
  const both = judgedTwice(bytes, "game.star", judgeHere), rules = await both.rules, other = await both.other;
  const known = rules.state !== "unknown";
  if (known) showTogether(rules, other);
  const {{state, code, place, places, line}} = rules;
  return {{state, code, place, places, line, other, agree: known ? root.dataset.agree : "yes"}};
}})()"""


def differing(browser: Chromium | Firefox, games: list[Game], folder: Path) -> list[str]:
    """Where a judge does not say of a file what `starlock verify` says. The other judge names one of its places."""
    found = []
    for number, one in enumerate(games):
        said, ours = browser.run(BOTH.format(data=b64encode(one.star).decode())), judged(one.star)
        same = all(said[name] == ours[name] for name in ("state", "code", "place", "places", "line"))
        if not same or said["agree"] != "yes":
            found.append(f"{number}: {said}, verify: {ours['state']} {ours['code']} {ours['places']}"[:500])
    return found + disagreements(judged_by_all(games, folder))


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Browsers with the page open anew, by their kind, each begun once."""
    begun: dict[str, Chromium | Firefox] = {}
    folder = tmp_path_factory.mktemp("page")

    def browser(kind: str) -> Chromium | Firefox:
        if kind not in begun:
            begun[kind] = (Chromium if kind == "chromium" else Firefox)(folder / kind).__enter__()
        opened(begun[kind], folder)
        return begun[kind]

    yield browser
    for each in begun.values():
        each.__exit__(None, None, None)


PIECES = [
    pytest.param(kind, numbers, id=f"{kind}-{numbers.start}")
    for kind, count in FILES.items()
    for numbers in pieces(count, TOGETHER)
]


@MADE
@pytest.mark.soak
@pytest.mark.parametrize(("kind", "numbers"), PIECES)
def test_all_judges_say_of_altered_files_in_each_browser_what_verify_says(
    kind: str, numbers: range, browsers: Callable[[str], Any], tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    """`verify`, both judges of the verifier page in the browser, the checks of the report page, the second verifier."""
    if (BROWSER if kind == "chromium" else FIREFOX) is None:
        pytest.skip(f"there is no {kind} on this machine")
    games = [altered_game(number) for number in numbers]
    assert differing(browsers(kind), games, tmp_path) == []
    tally(f"altered files judged alike by all judges in {kind}", len(games))
