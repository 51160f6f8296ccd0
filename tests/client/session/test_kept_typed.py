"""What a table answers to whatever is typed, as kept in tests/client/session/typed: every deed by its name, alone, with
what it can take and with what it cannot, and the whole view as JSON afterwards."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from kept import compared
from parties import ANNA, BOB, CARL, DEE
from screen_game import Solo
from specimens import styled
from trouble_scenes import NOTICES

from client.fronts.line.screen import LineScreen
from client.session.deeds import DEEDS
from client.session.deeds.typed import typed_names
from client.session.troubles import Troubles, stopped_text, trouble_document
from client.session.view import SessionView, as_json, view_of
from client.show.lines import lines
from client.table.notices import (
    ChatSaid,
    DiskReady,
    GameOver,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    OwnFeedConfirmed,
    Restoring,
    StatesAgree,
    TableNotice,
    VoteNotice,
    VoteStage,
)

KEPT: Final = Path(__file__).with_name("typed")
WITH: Final = ("", "zzz", "1", "b", "2 3", "bob yes")
"""What is typed behind the name of a deed."""
LEFT: Final = frozenset({"quit"})
"""Deeds that end the session."""


class Typist:
    """A person at a table in the line mode, who types everything."""

    def __init__(self, name: str) -> None:
        self.solo = Solo(name, 3)
        self.solo.play(50, random.Random(4))
        self.solo.controls.player = SimpleNamespace(notice=self.solo.session.notice)
        self.solo.session.notice(ChatSaid("Bob", "truce until round 5?"))
        self.screen = LineScreen(self.solo.session, lambda: 80)
        self.seen = set[str]()

    def type(self, text: str) -> Iterator[str]:
        """What is answered; of a long answer that was given before, its first line."""
        self.screen.typed(text)
        self.solo.step()
        rows = [styled(row) for row in self.screen.take(finished=True)]
        told = "\n".join(rows)
        yield f"> {text}"
        yield from rows if told not in self.seen or len(rows) < 3 else [rows[0], "  … as before"]
        self.seen.add(told)
        foot = f"= {self.screen.prompt()}| {self.screen.status()}"
        if foot not in self.seen:
            yield foot
            self.seen.add(foot)

    def view(self) -> Iterator[str]:
        """All that any front can show, as JSON."""
        for name, value in as_json(view_of(self.solo.session)).items():
            text = json.dumps(value, ensure_ascii=False)
            yield f"{name}: {text}" if len(text) < 100 else f"{name}:"
            rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            yield from (f"  {at}: {json.dumps(each, ensure_ascii=False)}" for at, each in rows if len(text) >= 100)


@pytest.mark.usefixtures("greenwich")
@pytest.mark.parametrize("name", ["eclipse2", "emperor"])
def test_everything_that_is_typed_gets_the_answer_that_is_kept(name: str) -> None:
    typist, told = Typist(name), list[str]()
    deeds = [each for each in DEEDS.values() if each.names and each.id not in LEFT]
    for at, deed in enumerate(deeds):
        said = typed_names(deed)[0]
        words = WITH if name == "eclipse2" else (WITH[0], WITH[1 + at % (len(WITH) - 1)])
        for more in words if deed.arguments else ("", "zzz"):
            told += typist.type(f"{said} {more}".strip())
    told += [*typist.view(), *map(str, typist.screen.complete("")), *map(str, typist.screen.complete("b"))]
    compared(KEPT / f"{name}.txt", "\n".join(told) + "\n")


def told(view: SessionView) -> dict[str, str]:
    """All that any front can show, as JSON by its keys."""
    return {name: json.dumps(value, ensure_ascii=False) for name, value in as_json(view).items()}


def test_each_notice_changes_what_is_shown_as_it_is_kept() -> None:
    out = list[str]()
    for name, notices in {**{name: [notice] for name, notice in NOTICES.items()}, "all": [*NOTICES.values()]}.items():
        solo = Solo("nim", 3)
        solo.controls.player = SimpleNamespace(notice=solo.session.notice)
        screen = LineScreen(solo.session, lambda: 80)
        before = told(view_of(solo.session))
        for notice in notices:
            solo.session.notice(notice)
        for debts in ({}, {1: "sign", 0: "shuffle"}, {1: "result"}):
            solo.controls.debts = partial(dict, debts)  # type: ignore[method-assign]
            view = view_of(solo.session)
            out.append(f"== {name}, owed {debts}: {screen.status()}")
            out += [f"  {key}: {text}" for key, text in told(view).items() if text != before[key]]
        for trouble in view_of(solo.session).troubles:
            out.append(f"  {trouble}")
        for text in ("table", "newest", "back", "vote yes", "verify", "absent bob", "gone bob"):
            screen.typed(text)
            out += [f"> {text}", *map(styled, screen.take(finished=True))] if name != "all" or text == "table" else []
        solo.session.notice(StatesAgree(BOB))
        out += [f"  agreed: {[each.text for each in view_of(solo.session).troubles]}"]
    compared(KEPT / "notices.txt", "\n".join(out) + "\n")


def test_each_trouble_stands_until_what_ends_it_as_kept() -> None:
    enders: list[TableNotice] = [
        *NOTICES.values(),
        *(LinkChanged(change, (who,)) for change in LinkChange for who in (BOB, CARL)),
        *(VoteNotice(stage, kind, at, (who,), terms, CARL)
          for stage in VoteStage for kind in ("absent", "gone", "back", "takeback", "repair", "without", "moved")
          for at, who, terms in ((50, BOB, None), (200, CARL, [40, False]))),
        *(HistoryRewound(height) for height in (39, 40, 41, 92, 93, 94)),
        DiskReady(), OwnFeedConfirmed(0), OwnFeedConfirmed(2), StatesAgree(BOB), StatesAgree(CARL), GameOver(),
        Restoring(1, 2), Restoring(2, 2),
    ]  # fmt: skip
    out = list[str]()
    for name, notice in NOTICES.items():
        found = Troubles()
        found.heard(notice)
        for proposes, linked in ((True, True), (True, False), (False, False)):
            links = {each.number: [linked] if proposes else [] for each in (ANNA, BOB, CARL, DEE)}
            listed = found.listed(links.__getitem__)
            out += [f"{name} {proposes} {linked}: {each.text} / {each.stake} / {each.todo}" for each in listed]
            out += [f"  {deed}" for each in listed for deed in each.deeds]
        for trouble in found.listed():
            out.append(f"  {stopped_text(trouble)}")
            for most in (0, 1, 1000):
                out += map(styled, lines(trouble_document(trouble, most), 90))
        ended = []
        for at, ender in enumerate(enders):
            after = Troubles()
            after.heard(notice)
            after.heard(ender)
            kept_ = [type(each).__name__ for each in after.standing]
            if notice not in after.standing or len(kept_) > 1:
                ended.append(f"{at}{'' if notice in after.standing else '!'}")
        out.append(f"  with or ended by {' '.join(ended)}")
        for act in (found.begun, found.moved):
            act()
            out.append(f"  {act.__name__}: {len(found.standing)}")
    out += [f"{at}: {ender}" for at, ender in enumerate(enders)]
    compared(KEPT / "troubles.txt", "\n".join(out) + "\n")


def test_what_is_about_the_draft_is_not_done_twice_by_a_double_click_and_all_else_may_be() -> None:
    drafted = {deed.id for deed in DEEDS.values() if deed.drafted}
    assert drafted == {"here", "hold", "order", "part", "pick", "reply", "reset", "send", "undo"}
