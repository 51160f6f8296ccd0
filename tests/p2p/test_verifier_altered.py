"""What the verifier page says of altered files in real browsers is what `starlock verify` says."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from random import Random

import pytest
from agreement import repacked
from chromium import BROWSER, Chromium
from firefox import FIREFOX, Firefox
from recorded import GameTable
from resigned import altered
from test_verifier_browser import opened
from test_verifier_page import MADE, judged
from volume import VOLUME

from client.proof.audit import machine_of
from engine.core.registry import game

STARS = Path(__file__).parents[1] / "stars"


def spoilt(data: bytes, random: Random) -> bytes:
    """A file with one bit changed, cut short, or with a piece twice."""
    at = random.randrange(len(data))
    match random.randrange(8):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[max(0, at - 40) :]
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def resigned(number: int, count: int, random: Random) -> list[bytes]:
    """The log of a game, cut short, with last words that its own members signed afterwards, in so many ways; one of
    them exports it up to where it leads."""
    name = ("emperor", "rex", "eclipse2", "eclipse1")[number % 4]
    table = GameTable([[0], [1], [2]], spec=game(name))
    table.start()
    for _ in range(25 + 10 * number):
        table.step()
    keys, entries = {own.key.public: own.key.private for own in table.keys}, table.peers[0].feeds.entries
    machine = machine_of(table.peers[0].genesis)
    logs = (altered(entries, keys, random) for _ in range(count))
    return [repacked(log, {}, table.keys[0].key.private, machine).star for log in logs]


BOTH = """(async () => {{
  const text = atob("{data}"), bytes = Uint8Array.from(text, one => one.charCodeAt(0));
  await judgeHere.ready;
  const rules = await judgeHere.judge(bytes, "game.star").verdict;
  checking = null;
  const {{ok, problem}} = rules.state === "unknown" ? {{ok: null, problem: null}} : await checked(bytes, rules.hints);
  return {{state: rules.state, code: rules.code, place: rules.place, line: rules.line, ok, problem}};
}})()"""


def alike(browser: Chromium | Firefox, files: list[bytes]) -> list[str]:
    """Where the page does not say of a file what `starlock verify` says, or its judges differ."""
    told = []
    for number, data in enumerate(files):
        said, ours = browser.run(BOTH.format(data=b64encode(data).decode())), judged(data)
        same = all(said[name] == ours[name] for name in ("state", "code", "place", "line"))
        if ours["state"] != "unknown":
            same = same and said["ok"] is (ours["state"] == "yes")
        if not same:
            told.append(f"{number}: {said}, verify: {ours['state']} {ours['code']} {ours['place']}"[:500])
    return told


FILES = 100
"""Altered files of each kind for each measure of volume; the soak's smallest is 2."""


@MADE
@pytest.mark.soak
@pytest.mark.parametrize("kind", ["chromium", "firefox"])
def test_in_each_browser_both_judges_say_of_altered_files_what_verify_says(kind: str, tmp_path: Path) -> None:
    if (BROWSER if kind == "chromium" else FIREFOX) is None:
        pytest.skip(f"there is no {kind} on this machine")
    random = Random(27)
    stars = [path.read_bytes() for path in sorted(STARS.glob("*.star"))]
    files = [spoilt(random.choice(stars), random) for _ in range(FILES * VOLUME)]
    files += [each for number in range(4) for each in resigned(number, FILES * VOLUME // 4, random)]
    with (Chromium if kind == "chromium" else Firefox)(tmp_path / "profile") as browser:
        opened(browser, tmp_path)
        assert alike(browser, files) == []
