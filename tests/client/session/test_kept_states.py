"""What is said in every state of a table: who is waited for, who has verified a step, earlier positions, the filters of
the log, and what is looked up in the reference, as kept in tests/client/session/states."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from kept import compared
from screen_game import Solo
from specimens import styled
from trouble_scenes import NOTICES

from client.fronts.web.actions import perform
from client.session.lookup import abbreviates, about, contents, looked_up, rule_text, shown
from client.session.past import heights_of, verified_by, verifiers
from client.session.view import view_of
from client.session.waiting import foot, idle_text, sending_text, stopped_document, waiting_bar, waiting_text
from client.show.lines import lines
from client.system.errors import UserError
from client.words.reference import entries
from engine.core.registry import GAMES

KEPT: Final = Path(__file__).with_name("states")


@cache
def solo() -> Solo:
    """A table of three some moves on; not to be changed for long."""
    made = Solo("emperor", 3)
    made.play(20, random.Random(4))
    return made


def test_who_is_waited_for_and_why_is_said_as_kept_in_every_state() -> None:
    out, kinds = list[str](), ("", "answer", "shuffle", "tag", "sign", "open", "result", "none")
    for kind, linked, post in product(kinds, (True, False), (True, False)):
        table = Solo("nim", 3)
        session, controls = table.session, table.controls
        session.mail = SimpleNamespace() if post else None  # type: ignore[assignment]
        controls.linked = lambda linked=linked: {1: linked}  # type: ignore[method-assign,misc]
        draft = session.asking.draft
        assert draft is not None
        for debts in ({1: kind}, {0: kind, 1: kind}, {}):
            controls.debts = lambda debts=debts: debts  # type: ignore[method-assign,misc]
            view = view_of(session)
            out.append(
                f"{kind} {linked} {post} {debts}: {waiting_text(view)} | {sending_text(view)} | {foot(session, 'R1')}"
            )
        session.asking.withdrawn(draft.asked)
        controls.debts = lambda kind=kind: {0: kind, 1: kind}  # type: ignore[method-assign,misc]
        out.append(f"  withdrawn: {idle_text(session)} | {foot(session, 'R1')}")
        for name in ("twin", "disk-full", "diverged", "left-out"):
            session.notice(NOTICES[name])
            out.append(f"  {name}: {idle_text(session)} | {foot(session, 'R1')}")
        out += [f"  {styled(row)}" for row in lines(stopped_document(session), 90)] if kind == "sign" else []
    for debts, seats in product(({}, {0: "shuffle"}, {1: "tag", 2: "tag"}, {0: "open", 2: "open"}, {1: ""}), (2, 3, 6)):
        out.append(f"{debts} of {seats}: {waiting_bar(debts, seats)}")
    compared(KEPT / "waiting.txt", "\n".join(out) + "\n")


HELD: Final[Sequence[Mapping[int, int]]] = ({}, {1: 7}, {1: 8}, {1: 8, 2: 7}, {1: 8, 2: 8}, {0: 9, 1: 9, 2: 9})


def test_who_has_verified_a_step_is_said_once_all_linked_members_have() -> None:
    table, out = solo(), list[str]()
    controls, session = table.controls, table.session
    before = {name: getattr(controls, name) for name in ("held", "linked", "stands")}
    for held, linked, stands in product(HELD, ((True, True), (True, False), (False, False)), (True, False)):
        controls.held = lambda held=held: held  # type: ignore[method-assign,misc]
        controls.linked = lambda linked=linked: dict(enumerate(linked, 1))  # type: ignore[method-assign,misc]
        controls.stands = lambda _height, stands=stands: stands  # type: ignore[method-assign,misc]
        for mail in (None, SimpleNamespace()):
            session.mail = mail  # type: ignore[assignment]
            said = verifiers(session, 7)
            out.append(f"{held} {linked} {stands} {mail is not None}: {said} {verified_by(held, (0,), 3, 7)}")
            if said:
                assert all(held.get(seat, 0) > 7 for seat, there in enumerate(linked, 1) if there or mail is not None)
    session.mail = None
    for name, value in before.items():
        setattr(controls, name, value)
    compared(KEPT / "verified.txt", "\n".join(out) + "\n")


def test_earlier_positions_and_parts_of_the_log_are_shown_as_kept() -> None:
    table, out = solo(), list[str]()
    heights = heights_of(table.session)
    table.controls.past = lambda height: table.match if height in heights[:3] else None  # type: ignore[method-assign]
    out.append(str(heights))
    for height in (*heights[:4], -1, 9999):
        found = perform(table.session, {"act": "past", "height": height})
        told = (found["height"], found["last"], len(found["map"]), tuple(found["told"])) if found["ok"] else None
        out.append(f"{height}: {told}")
    view = view_of(table.session)
    for each in view_of(table.session).filters:
        out.append(f"{each.word} {each.title} {each.seat}")
        out += [f"  {styled(row)}" for row in lines(each.document(view.log, view.chat, view.names), 80)[:12]]
        out += [f"  {styled(row)}" for row in lines(each.document((), (), view.names), 80)]
    compared(KEPT / "log.txt", "\n".join(out) + "\n")


@pytest.mark.parametrize("name", ["eclipse2", "emperor", "rex"])
def test_words_are_looked_up_as_kept(name: str) -> None:
    assert name in GAMES
    known, out = entries(name), [contents(name, entries(name))]
    words = [each.word for each in known[::9]]
    for word in (
        *words,
        *(each[:4] for each in words),
        "build",
        "how",
        "win",
        "money",
        "plas-can",
        "zzz",
        "bulid",
        "rulings",
    ):
        try:
            found = looked_up(name, known, word)
        except UserError as error:
            out.append(f"{word}: {error.whole}")
        else:
            out.append(f"{word}: {' '.join(each.word for each in found[:20])}")
    out += [shown(each) for each in known[::25]]
    for asked in ("menu", "explore", "bid", "play-card", "choose-role", "none"):
        out.append(f"{asked}: {[each.word for each in about(name, known, asked)]}")
    for code in ("build/nothing", "research/cost", "deploy/where", "role/taken", "move/none", "none"):
        out.append(f"{code}: {rule_text(name, known, code)}")
    pairs: Sequence[Any] = (("plas-can", "plasma-cannon"), ("pl", "plasma-cannon"), ("a-b-c", "a-b"), ("", ""))
    out += [f"{short} {word}: {abbreviates(short, word)}" for short, word in pairs]
    compared(KEPT / f"{name}.txt", "\n".join(out) + "\n")
