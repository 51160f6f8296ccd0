from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from engine.testing.lint import lint

ROOT = Path(__file__).parent.parent.parent
HEAD = """
from engine.core.rule import Rule, ask, sealed
from engine.core.sections import section

@section
class Seats:
    money: Column
    names: list[str]
    round: int

def other(g, seat) -> Rule[int]:
    return (yield from ask(Menu(seat)))

def lazy(g) -> Iterator[int]:
    yield from g.seats.money
"""

FAULTS = {
    "a try around a wait": ("try", "try:\n    x = yield from ask(Menu(1))\nexcept KeyError:\n    x = 1"),
    "a with around a wait": ("try", "with guard():\n    x = yield from ask(Menu(1))"),
    "a rule resumed by hand": ("send", "x = yield from ask(Menu(1))\nother_rule.send(3)"),
    "chance": ("import", "import random\nyield from ask(Menu(1))"),
    "the clock": ("import", "from time import monotonic\nyield from ask(Menu(1))"),
    "a fraction": ("float", "x = 0.5\nyield from ask(Menu(1))"),
    "a division": ("float", "x = g.seats.round / 2\nyield from ask(Menu(1))"),
    "a hash": ("identity", "x = hash('a')\nyield from ask(Menu(1))"),
    "an identity": ("identity", "x = id(g)\nyield from ask(Menu(1))"),
    "a loop over a set": ("set-order", "found = set(g.seats.money)\nfor x in found:\n    g.tell('a', x=x)"),
    "a list of a set": ("set-order", "x = list({1, 2} | set(g.seats.money))\nyield from ask(Menu(1))"),
    "a comprehension over a set": ("set-order", "x = [n for n in {1, 2}]\nyield from ask(Menu(1))"),
    "a set spread out": ("set-order", "g.then(*{('a', 1)})\nyield from ask(Menu(1))"),
    "a loop over a column": ("live-loop", "for x in g.seats.money:\n    yield from ask(Menu(x))"),
    "a loop over an enumerated list": (
        "live-loop",
        "for i, x in enumerate(g.seats.names):\n    yield from ask(Menu(x))",
    ),
    "a loop over a generator": ("live-loop", "for x in lazy(g):\n    yield from ask(Menu(x))"),
    "a loop over a generator expression": (
        "live-loop",
        "for x in (n for n in g.seats.money):\n    yield from other(g, x)",
    ),
    "a rule not run": ("not-run", "other(g, 1)\nyield from ask(Menu(1))"),
    "a question not asked": ("not-run", "x = ask(Menu(1))\nyield from ask(Menu(1))"),
    "a rule returned unrun": ("not-run", "yield from ask(Menu(1))\nreturn other(g, 1)"),
    "a rule kept in the state": ("not-run", "g.running = other(g, 1)\nyield from ask(Menu(1))"),
    "a choice of rules that reads wrongly": ("either", "yield from other(g, 1) if g.seats.round else other(g, 2)"),
    "a write into an answer": ("delivered", "x = yield from ask(Menu(1))\nx[0] = 1"),
    "an answer appended to": ("delivered", "x = yield from sealed(asks)\nx.update(a=1)"),
    "an answer counted up": ("delivered", "x = yield from ask(Menu(1))\nx[0] += 1"),
    "a column kept across a wait": ("stale", "m = g.seats.money\nyield from ask(Menu(1))\nm[0] = 1"),
    "a section kept across a wait": ("stale", "s = g.seats\nx = yield from ask(Menu(1))\ns.round = x"),
    "a list unpacked and kept": ("stale", "m, n = g.seats.money, 1\nyield from ask(Menu(1))\ng.tell('a', n=m[0])"),
    "a column kept round a loop": (
        "stale",
        "m = g.seats.money\nfor x in range(3):\n    g.tell('a', n=m[x])\n    yield from ask(Menu(x))",
    ),
}
SOUND = {
    "numbers kept": "n = g.seats.round\nyield from ask(Menu(1))\ng.tell('a', n=n)",
    "a column used at once": "m = g.seats.money\nm[0] = 1\nyield from ask(Menu(m[0]))",
    "a column bound anew": "m = g.seats.money\nyield from ask(Menu(1))\nm = g.seats.money\nm[0] = 1",
    "a loop over a copy": "for x in tuple(g.seats.money):\n    yield from ask(Menu(x))",
    "a loop without a wait": "for x in g.seats.money:\n    g.tell('a', x=x)\nyield from ask(Menu(1))",
    "a choice in parentheses": "yield from (other(g, 1) if g.seats.round else other(g, 2))",
    "a set sorted": "for x in sorted({1, 2}):\n    yield from ask(Menu(x))",
    "a set counted": "x = sum(n for n in {1, 2})\nyield from ask(Menu(x))",
    "content kept": "c = g.const.ships\nyield from ask(Menu(1))\ng.tell('a', n=c[0])",
    "an answer copied": "x = yield from ask(Menu(1))\ny = dict(x)\ny[0] = 1",
    "a try without a wait": "try:\n    x = 1\nexcept KeyError:\n    x = 2\nyield from ask(Menu(x))",
}


def findings(body: str) -> list[str]:
    rule = HEAD + "\ndef rule(g) -> Rule[None]:\n" + "".join(f"    {line}\n" for line in dedent(body).split("\n"))
    return [finding.code for finding in lint({"engine.snippet": rule})]


@pytest.mark.parametrize("name", FAULTS)
def test_the_lint_finds(name: str) -> None:
    code, body = FAULTS[name]
    assert set(findings(body)) == {code}


@pytest.mark.parametrize("name", SOUND)
def test_the_lint_allows(name: str) -> None:
    assert findings(SOUND[name]) == []


def test_a_rule_may_hand_on_to_another_without_a_wait_of_its_own() -> None:
    handing = HEAD + "\ndef rule(g) -> Rule[int]:\n    return other(g, 1)\n"
    assert lint({"engine.snippet": handing}) == []


def test_rules_of_other_modules_are_known() -> None:
    first = HEAD
    by_name = "from engine.a import other\ndef rule(g) -> Rule[None]:\n    other(g, 1)\n    yield 1\n"
    by_module = "from engine import a\ndef rule(g) -> Rule[None]:\n    a.other(g, 1)\n    yield 1\n"
    found = lint({"engine.a": first, "engine.b": by_name, "engine.c": by_module})
    assert [(finding.module, finding.code) for finding in found] == [("engine.b", "not-run"), ("engine.c", "not-run")]


def test_the_rules_of_every_game_are_sound() -> None:
    kit = ROOT / "engine" / "testing"
    paths = [path for path in (ROOT / "engine").rglob("*.py") if path.parent != kit or path.name == "toy.py"]
    sources = {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text("utf-8") for path in paths}
    assert "engine.core.match" in sources
    own_hash = ("engine.core.dataclass", "identity")  # the `__hash__` of a class, which no rule asks for
    assert [each for each in lint(sources) if (each.module, each.code) != own_hash] == []
