"""The line mode as it is kept in tests/client/fronts/line/told: whole turns at tables of every game, on screens of few
and many columns and rows, with news, votes, refusals and other people in between."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from kept import compared
from line_room import Room
from parties import BOB, CARL
from screen_game import Solo
from specimens import styled
from trouble_scenes import NOTICES

from client.fronts.line.run import fitting
from client.fronts.line.screen import LineScreen, option_lines, refused_lines
from client.session.view import view_of
from client.table.notices import ChatSaid, Party, VoteNotice, VoteStage
from engine.core.errors import Refusal
from p2p.lockstep.pacts import Pact
from p2p.lockstep.voting import Vote

KEPT: Final = Path(__file__).with_name("told")
GAMES: Final = ("eclipse2", "emperor", "rex", "nim")


def turns(name: str, width: int, height: int, answers: int) -> list[str]:
    """A person who picks at random and sends what can be sent, told line by line."""
    solo, rng, out = Solo(name, 5), random.Random(7), list[str]()
    solo.controls.player = SimpleNamespace(notice=solo.session.notice)
    screen = LineScreen(solo.session, lambda: width, height=lambda: height)
    screen.begun()
    screen.ask()
    for number in range(answers):
        if solo.match.over:
            break
        asking, view = solo.session.asking, view_of(solo.session)
        text = ""
        if asking.choices is not None and not asking.sendable:
            text = rng.choice(asking.choices.texts[: asking.choices.main] or asking.choices.texts)
            if number % 9 == 0 and view.ask is not None:
                out += [f"~ {row}" for row in option_lines(view.ask, asking.choices, 50, [0])]
                out += [f"~ {row}" for row in refused_lines(view.ask, 50)]
        elif number % 4 == 3:
            text = "undo"
        screen.typed(text)
        solo.step()
        if number % 7 == 2:
            solo.session.notice(ChatSaid("Bob", f"so {'far ' * number}"))
        out += [
            f"> {text}",
            *map(styled, screen.take(finished=number % 5 > 0)),
            f"= {screen.prompt()}| {screen.status()}",
        ]
    return out


@pytest.mark.parametrize("name", GAMES)
def test_turns_are_told_as_kept_on_wide_and_narrow_screens(name: str) -> None:
    out = list[str]()
    narrow = ((41, 12, 9), (120, 1000, 9)) if name == "eclipse2" else ()
    for width, height, answers in ((80, 24, 24), *narrow):
        out += [f"== {width} columns, {height} rows", *turns(name, width, height, answers)]
    compared(KEPT / f"{name}.txt", "\n".join(out) + "\n")


def test_what_happens_at_a_table_is_told_as_kept() -> None:
    room, out = Room(), list[str]()

    def told(what: str) -> None:
        out.extend((f"> {what}", room.read(), f"= {room.screen.prompt()}| {room.screen.status()}"))

    out.append(room.ask())
    told("asked")
    kinds: tuple[tuple[str, tuple[Party, ...], Any], ...] = (
        ("takeback", (), [3, False]), ("absent", (CARL,), None), ("gone", (CARL,), None),
    )  # fmt: skip
    for stage in VoteStage:
        for kind, about, terms in kinds:
            pact = Pact(kind, room.match.height, bytes(32), (), terms)
            room.open_votes[:] = [Vote(pact, (), None)] if stage is VoteStage.OPEN else []
            room.screen.session.notice(VoteNotice(stage, kind, pact.at, about, terms, BOB, "pact/rival"))
            told(f"{stage.name} {kind}")
    for name, notice in NOTICES.items():
        room.screen.session.notice(notice)
        told(name)
    for text in (
        "explore",
        "",
        "1",
        "undo",
        "pass",
        "",
        "takeback",
        "why",
        "vote",
        "hold",
        "1; 2",
        ";;",
        "\x1b[2J",
        "y",
    ):
        room.screen.typed(text)
        told(text)
    room.screen.asked(Refusal("notation/unknown", "", ("x", "y")))
    told("refused")
    room.screen.session.confirm(lambda: "Dina wants to sit down. Let them in?", lambda _yes: None)
    told("a question")
    room.screen.typed("perhaps")
    told("perhaps")
    room.screen.typed("no")
    told("no")
    room.screen.show(lambda: f"{'x' * 100}\nand a text that is long enough to be broken between its words, {'a ' * 30}")
    told("shown")
    room.owed = {1: "shuffle", 2: "open"}
    told("owed")
    room.screen.typed("quit")
    told("quit")
    compared(KEPT / "news.txt", "\n".join(out) + "\n")


def test_the_output_of_commands_is_broken_as_kept_and_what_is_copied_stays_whole() -> None:
    texts = ("The table stays; go on with it another day.", f"Ticket: starlock:{'a' * 60}", "a\n\nb", "")
    out = [f"{width} {[styled(row) for row in fitting(text, width)]}" for width in range(12, 61) for text in texts]
    compared(KEPT / "commands.txt", "\n".join(out) + "\n")
