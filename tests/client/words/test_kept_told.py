"""What is said of pacts, machines, options, rounds, questions, refusals and events, with every value that they can
have, as kept in tests/client/words/told."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from kept import compared

from client.words import DisplayNames, event_text, refusal_text
from client.words.asking import kind_text, prompt_text
from client.words.core import WANTED, wanted_text
from client.words.machines import machine_lines, machine_text, place_lines, table_lines, unnamed_text
from client.words.options import changes_title, game_title, option_title, value_title
from client.words.pacts import pact_text, templates
from client.words.proof import PARTS, PROBLEMS, part_text, problem_text, proof_text, sizes_text
from client.words.rolls import purpose_text, purposes
from client.words.rounds import ending_told, has_rounds, round_text, round_told
from client.words.sides import side_text
from client.words.terms import term
from client.words.ways import named
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.registry import GAMES, game
from p2p.lockstep.genesis import Row

KEPT: Final = Path(__file__).with_name("told")
NAMES: Final = ("Anna", "Bob", "Carl", "Dina", "Emil", "Fay")


def test_pacts_and_machines_are_told_as_kept() -> None:
    out = list[str]()
    for kind in (*templates(), "none"):
        for more in ({}, {"out": "Bob"}, {"out": "", "at": "7", "to": "4"}, {"across": "1", "to": "3"}, {"kept": "yes"},
                     {"kept": "no", "out": "Bob"}, {"seat": "Bob", "name": "Dina"}):  # fmt: skip
            out.append(f"{kind} {more}: {pact_text(kind, more)}")
        for steps, lost in product(("0", "1", "2"), ("", "Bob passes")):
            out.append(f"{kind} {steps} {lost}: {pact_text(kind, {'steps': steps, 'lost': lost, 'to': '4'})}")
    for seats in (0, 1, 2, 3):
        out.append(f"{seats}: {machine_text('Bob', seats)} {unnamed_text(seats)}")
        out += [str(place_lines("Bob", seats, who, met=met)) for who in ("", "Anna") for met in (True, False)]
    members = [SimpleNamespace(rows=tuple(Row(seat, NAMES[seat]) for seat in seats)) for seats in ((0,), (1, 2), (3,))]
    for some in (members[:1], members[1:2], members[:2], members):
        there: Any = some
        out.append(str(machine_lines(there)))
        for origin in (None, SimpleNamespace(table=bytes(range(32)), height=7)):
            genesis: Any = SimpleNamespace(members=some, origin=origin)
            out.append(str(table_lines(genesis)))
    compared(KEPT / "pacts.txt", "\n".join(out) + "\n")


def test_what_is_proven_and_wanted_is_told_as_kept() -> None:
    out = [f"{wanted}: {wanted_text(wanted)}" for wanted in (*WANTED, "one of a, b", "1 items", "3 items", "none")]
    out += [f"{part}: {part_text(part)}" for part in (*PARTS, "entry 7", "text of entry 7", "none")]
    out += [f"{code}: {problem_text(code, detail)}" for code in (*[*PROBLEMS][::6], "none") for detail in ("", "x\x1b")]
    for sizes in ((), ((2, 3),), ((2, 3), (3, 4))):
        out += [f"{sizes}: {sizes_text(sizes)}", proof_text("none", sizes), proof_text("lock/coalition", sizes)]
    out += [f"{tag}: {purpose_text(tag)}" for tag in (*purposes(), "none")]
    out += [named(text, str.upper) for text in ("{do:send} sends", "no deed", "send", "")]
    compared(KEPT / "proven.txt", "\n".join(out) + "\n")


@pytest.mark.parametrize("name", [*GAMES, "chess"])
def test_games_options_rounds_and_events_are_told_as_kept(name: str) -> None:
    out = [game_title(name), changes_title(name, {}), changes_title(name, {"patience": "5m", "none": 3})]
    if name in GAMES:
        spec = game(name)
        for option in spec.options:
            values = (*(option.values or ()), option.default, "sol,hacan")
            out.append(f"{option.name}: {option_title(option.name, name)}")
            out += [f"  {value}: {value_title(option.name, value, name)}" for value in values]
            out += [f"  {changes_title(name, {option.name: value})}" for value in values]
        out += [f"{has_rounds(name)} {round_text(name, 0)} {round_text(name, 3)}"]
        known = DisplayNames(name)
        for at, (id, arguments) in enumerate(spec.events.items()):
            for value in (1, 0, "hacan", (0, 1)) if at % 5 == 0 else (1,):
                rolled = dict.fromkeys({"dice", "needs", "faces", "seats"}.intersection(arguments), (5, 2, 4))
                event = Event(id, {**dict.fromkeys(arguments, value), **(rolled if "dice" in rolled else {})})
                out.append(f"{id} {value}: {event_text(event, NAMES, known)}")
        out += [
            f"{word}: {kind_text(word, known)}" for word in ("menu", "move", "bid", "choose-role", "take-card", "none")
        ]
        for code, detail in (
            ("notation/number", ("9", 3)),
            ("notation/unknown", ("x", "a", "b")),
            ("none", ("x\x1b", 2)),
        ):
            out.append(f"{code}: {refusal_text(Refusal(code, '', detail), known)}")
        asked: Any = SimpleNamespace(word="none", seat=1, __match_args__=())
        out.append(prompt_text(asked, NAMES, known))
    sides = ("sol", "hacan", "eridani", "lyra", "terran-union", "none")
    out += [f"{side}: {side_text(name, side)} {term(side, name)}" for side in sides] if name in GAMES else []
    compared(KEPT / f"{name}.txt", "\n".join(out) + "\n")


def test_the_latest_round_counts_and_only_rounds_of_the_game() -> None:
    told = [
        Event("round/begins", {"round": 2}),
        Event("combat/round", {"round": 9}),
        Event("round/phase", {"phase": 1}),
    ]
    assert round_told(told) == 2
    assert round_told([*told, Event("round/begins", {"round": 3})]) == 3
    assert round_told([]) == 0
    assert ending_told("nim", told) == ""
