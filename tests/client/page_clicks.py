"""Somebody before the page in a real Chromium, with the real program behind it: what can be clicked, and clicks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from chromium import Chromium

ROOT = Path(__file__).parents[2]


@contextmanager
def started(
    folder: Path, *words: str, language: str = "en", browser: str = "true", before: Sequence[str] = ()
) -> Iterator[tuple[Any, str]]:
    """The programme with a page, and the link to it. before: what runs it elsewhere."""
    command = [*before, sys.executable, "-m", "client", *words, "--web"]
    env = {**os.environ, "STARLOCK_HOME": str(folder), "LANGUAGE": language, "BROWSER": browser}
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        link = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        yield process, link
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)


@contextmanager
def playing(folder: Path, game: str, players: int, *more: str, language: str = "en") -> Iterator[tuple[Any, str]]:
    """The programme that plays a game against bots, and the link to its page."""
    with started(folder, "play", game, "--players", str(players), "--seed", "5", *more, language=language) as found:
        yield found


def opened(page: Chromium, link: str) -> Player:
    """Somebody before the page in a window of a usual size."""
    size = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", size)
    page.open(link)
    return Player(page)


LOOK = """(() => {
  const dialog = document.querySelector("#which[open]"), seen = (text, kind) => [...document.querySelectorAll(text)]
    .filter(node => kind === "place" || node.checkVisibility()).map(node => [node, kind]);
  window.seen = dialog ? seen("#which .options button", "option") : [
    ...seen("#ask .options button, #ask .group > .cells button, #options details:not([open]) summary", "option"),
    ...seen("#ask .picks button", "one"),
    ...seen("[data-place].legal", "place"), ...seen("[name=send]", "send"),
    ...seen("#ask .key:not([name=send]), #votes .key", "yes")];
  const text = ([node, kind]) => kind === "place" ? node.dataset.place : node.title || node.innerText;
  return window.seen.map((each, at) => ({at, kind: each[1], text: text(each)}));
})()"""
"""What can be clicked now: options, what opens below one, legal spaces, the send button, a yes."""
SPOT = """(([node, kind]) => {
  if (kind !== "place") node.scrollIntoView({block: "center"});
  const r = (kind === "place" ? node.firstElementChild : node).getBoundingClientRect();
  return {x: r.x + r.width / 2, y: r.y + r.height / 2};
})(window.seen[AT])"""
"""Where one of them is."""
KINDS = ("send", "one", "place", "option", "yes")
MARK = """JSON.stringify([document.querySelector("#ask").innerText, document.querySelector("#lines").innerText,
  document.querySelector("#seats").innerText, document.querySelector("#which").open,
  [...document.querySelectorAll(".taken")].map(node => node.dataset.place)])"""
"""What changes when a click did something."""
CHANGED = """(before => new Promise(done => {
  const over = set => { watch.disconnect(); clearTimeout(last); done(set); };
  const look = () => { if (MARK !== before) over(true); };
  const watch = new MutationObserver(look), last = setTimeout(() => over(false), 5000);
  watch.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
  look();
}))""".replace("MARK", MARK)
"""Waits until the page shows something else, not for ever."""
SPARE = 4
"""Money that the next actions may cost at most at the end of a round."""


@dataclass
class Player:
    """Clicks in a page like somebody who tries things out: a few actions a round, then a pass."""

    page: Chromium
    rng: Random = field(default_factory=lambda: Random(1))
    answers: int = 0
    on_map: int = 0
    actions: int = 0
    dead: list[Any] = field(default_factory=list)

    def click(self, spot: Any) -> None:
        at = {**self.page.run(SPOT.replace("AT", str(spot["at"]))), "button": "left", "clickCount": 1}
        self.page.call("Input.dispatchMouseEvent", {"type": "mousePressed", **at})
        self.page.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **at})

    def step(self) -> None:
        """Click on something that can be clicked, if there is anything, and wait until the page shows more."""
        before, spots = self.page.run(MARK), self.page.run(LOOK)
        spot = self._choice({kind: [each for each in spots if each["kind"] == kind] for kind in KINDS})
        if spot is not None:
            self.click(spot)
        changed = self.page.run(f"{CHANGED}({json.dumps(before)})")
        if spot is not None:
            self.answers += changed and spot["kind"] == "send"
            self.on_map += changed and spot["kind"] == "place"
            self.dead += [] if changed else [spot]

    def _choice(self, spots: dict[str, list[Any]]) -> Any:
        """What to click on: the send button, a place, an option, or yes."""
        if spots["send"]:
            return spots["send"][0]
        if spots["one"]:
            return self.rng.choice(spots["one"])
        if spots["place"] and (not spots["option"] or self.rng.random() < 0.7):
            return self.rng.choice(spots["place"])
        if spots["option"]:
            return self._option(spots["option"])
        return spots["yes"][0] if spots["yes"] else None

    def _option(self, options: list[Any]) -> Any:
        words = {spot["text"]: spot for spot in options}
        if "pass" in words and (self.actions >= 3 or len(words) == 1 or self._poor()):
            self.actions = 0
            return words["pass"]
        self.actions += "pass" in words
        for wish in ("explore", "build", "influence", "move"):
            if wish in words and self.rng.random() < 0.5:
                return words[wish]
        return self.rng.choice([spot for text, spot in words.items() if text != "pass"] or options)

    def _poor(self) -> bool:
        """True if the money, with the income and without the upkeep of the status line, is too little for one action
        more: who goes on at random goes bankrupt in Eclipse."""
        found = re.search(r"\$ (-?\d+) \+(\d+)-(\d+)", self.page.run("document.querySelector('#status').textContent"))
        return found is not None and int(found[1]) + int(found[2]) - int(found[3]) < SPARE


def until(page: Chromium, script: str) -> Any:
    """The value of an expression once it is true; fails when that does not come."""
    return page.run(_once(script, 60))


def watched(page: Chromium, script: str) -> Callable[[], Any]:
    """Watch an expression from now on, which may be true for a moment only. The function waits until it has been."""
    page.run(f"(window.watched = {_once(script, 300)}, 0)")
    return lambda: page.run("window.watched")


def _once(script: str, seconds: int) -> str:
    return f"""new Promise((done, fail) => {{
      const last = setTimeout(() => fail(new Error({json.dumps(script)} + document.body.innerText)), {seconds}000);
      const over = found => {{ watch.disconnect(); clearTimeout(last); done(found); }};
      const look = () => {{ const found = {script}; if (found) over(found); }};
      const watch = new MutationObserver(look);
      watch.observe(document, {{subtree: true, childList: true, attributes: true, characterData: true}});
      look();
    }})"""


def press(page: Chromium, selector: str) -> None:
    """Click on something as soon as it is there and stays where it is; again if it moved away, or what is drawn
    meanwhile took its place, before the click."""
    landed = False
    while not landed:
        until(page, f"document.querySelector({selector!r})?.checkVisibility()")
        spot: dict[str, Any] | None = None
        before: dict[str, Any] | None = {}
        while spot != before:  # what is drawn meanwhile may move it
            before = spot
            page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)")
            spot = page.run(f"(window.seen = [[document.querySelector({selector!r}), '']], {SPOT.replace('AT', '0')})")
        if spot is None:
            continue
        heard = f"e => {{ hit = !!e.target.closest({selector!r}) }}"  # before it is drawn anew and has no parents
        page.run(f"window.hit = false, addEventListener('click', {heard}, {{capture: true, once: true}}), 0")
        for kind in ("mousePressed", "mouseReleased"):
            page.call("Input.dispatchMouseEvent", {"type": kind, **spot, "button": "left", "clickCount": 1})
        landed = page.run("window.hit ?? true")  # undefined: another page


def choose(page: Chromium, selector: str, value: str) -> None:
    """Set a field of a form, as by hand."""
    until(page, f"document.querySelector({selector!r})")
    page.run(f"""(field => {{
      field.value = {json.dumps(value)};
      field.dispatchEvent(new Event("input", {{bubbles: true}}));
      field.dispatchEvent(new Event("change", {{bubbles: true}}));
    }})(document.querySelector({selector!r}))""")


def answer_until(player: Player, script: str) -> Any:
    """Say yes to whatever is asked before an expression is true. Returns its value."""
    while (found := until(player.page, f"({script} ?? (document.querySelector('#ask .key') && 'asked'))")) == "asked":
        player.step()
    return found


def say(page: Chromium, text: str) -> None:
    """Send a message, as by hand."""
    page.run(f"""(field => {{ field.value = {json.dumps(text)}; field.form.requestSubmit(); }})
        (document.querySelector('#say input'))""")


END = "document.querySelector('#end').textContent"
SHOWN = "document.querySelector('#ask p.picked')?.textContent"
SAID = "document.querySelector('#said').textContent"
