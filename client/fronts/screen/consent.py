# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of proposals to vote on and to make, and of the actions against troubles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from client.fronts.kit.canvas import folded
from client.fronts.kit.ui import Item, Page
from client.fronts.screen.actions import refused
from client.fronts.screen.shown_front import ShownFront
from client.fronts.screen.troubles import title, trouble_lines
from client.session import leaving
from client.session.deeds import DEEDS
from client.session.deeds.deed import Refused
from client.session.proposals import lost_by
from client.session.troubles import Remedy
from client.show.styled import Line, line, plain
from client.system.errors import UserError
from client.system.files import bug_bundle
from client.system.texts import _
from client.table.notices import DivergenceFound, PeerStopped
from client.table.player import elsewhere
from client.words.pacts import pact_text

__all__ = ["troubles", "votes"]

TEXT: Final = 23
"""Rows that a trouble may need besides the fields in which engines differ."""


def votes(front: ShownFront) -> None:
    """Show the proposals to vote on, and those that the person may make."""
    if front.session.controls is None:
        front.say(_("The table has not begun."))
        return

    def items(word: str) -> list[Item]:
        return [item for item in _votes(front) if word.lower() in item.text.lower()]

    def head(width: int) -> list[Line]:
        said = _("Agreeing and refusing are signed and final. What all must agree to takes effect with the last word.")
        return [*folded(said, width, "faint"), ()]

    front.open(Page(_("Proposals"), items=items, head=head))


def _votes(front: ShownFront) -> Iterator[Item]:
    for vote in front.session.votes():
        for yes, text in ((True, _("agree: {what} ({name})")), (False, _("refuse: {what} ({name})"))):
            said = text.format(what=vote.text, name=vote.name)
            yield Item(said, "", partial(_vote, front, vote.pact.id, yes))
    yield _takeback(front)
    yield from _without(front)
    yield _back(front)
    yield Item(_("propose to end the game here"), "", partial(_propose, front, "end"))
    out = _outside(front)
    reason = _("You have left already.") if "lockstep/left" in out else ""
    yield Item(
        _("leave for good …"), "", partial(_sure, front, leaving.title, leaving.about, partial(_leave, front)), reason
    )
    alone = front.session.controls is not None and front.session.controls.alone is not None
    reason = "" if alone else _("That is possible only for who plays at a table.")
    go_alone = partial(_alone, front)
    yield Item(
        _("go on alone …"), "", partial(_sure, front, leaving.alone_title, leaving.alone_about, go_alone), reason
    )


def _sure(front: ShownFront, title: Callable[[], str], about: Callable[[], str], act: Callable[[], None]) -> None:
    """Say what something does that is not taken back, and ask."""
    before = front.ui.page

    def stay() -> None:
        if before is not None:
            front.open(before)

    items = [Item(_("stay"), "1", stay), Item(title().lower(), "2", act)]
    front.open(
        Page(
            title(),
            items=lambda word: [item for item in items if word.lower() in item.text.lower()],
            head=lambda width: [*folded(about(), width, "alarm"), ()],
            back=before,
        )
    )


def _alone(front: ShownFront) -> None:
    front.session.go_alone()


def _leave(front: ShownFront) -> None:
    controls = front.session.controls
    if controls is not None:
        refusal = controls.propose("leave")
        refused(front, refusal)
        if refusal is None:
            front.say(leaving.done(), "notice")


def _outside(front: ShownFront) -> set[str]:
    """Why this person does not play any more, by code."""
    return {trouble.notice.why for trouble in front.session.troubles() if isinstance(trouble.notice, PeerStopped)}


def _back(front: ShownFront) -> Item:
    """Asking to be let in again, if the others go on without this person."""
    out = _outside(front)
    reason = "" if "lockstep/left-out" in out else _("You have not been left out.")
    if "lockstep/given-up" in out:
        reason = _("You have been given up for good.")
    if "lockstep/left" in out:
        reason = _("You have left for good.")
    text = _("ask to be let in again after having been left out")
    return Item(text, "", partial(_propose, front, "back"), reason)


def _takeback(front: ShownFront) -> Item:
    """A take-back of the answers sent last, with a sentence if it goes across reveals; where programs disagree, a
    repair."""
    session, controls = front.session, front.session.controls
    stopped, height = session.stopped(), session.sent.first
    for deed in stopped.deeds if stopped is not None else ():
        if deed.deed == "repair":
            return Item(deed.text, "", partial(_deed, front, deed))
    if controls is None or height is None:
        return Item(
            _("propose to take your last sent answers back"),
            "",
            lambda: None,
            _("You have sent nothing that could be taken back."),
        )
    across = controls.secrets_since(height)
    what = pact_text("takeback", lost_by("takeback", [height, across], session.log))
    text = _("propose to all: {what}").format(what=what)
    return Item(text, "", partial(_deed, front, Remedy("takeback", text, {"height": height})))


def _without(front: ShownFront) -> Iterator[Item]:
    """Going on without a player, giving up a member that was left out, and stating that a member keeps a table of two
    waiting."""
    controls, names = front.session.controls, front.session.names
    assert controls is not None
    linked, ways = controls.linked(), controls.ways()
    others = elsewhere(controls, names)
    for name in others:
        state = _("connected") if ways.get(name) else _("out of reach")
        text = _("propose to go on without {name}, who may come back ({state})").format(name=name, state=state)
        reason = "" if name in linked else _("{name} has been left out already").format(name=name)
        yield Item(text, "", partial(_propose, front, "absent", name), reason)
    for name in others:
        text = _("propose to give {name} up for good: the hand goes back to the decks").format(name=name)
        reason = _("{name} has to be left out first").format(name=name) if name in linked else ""
        if name not in ways:
            reason = _("{name} has been given up already").format(name=name)
        yield Item(text, "", partial(_propose, front, "gone", name), reason)
    if len(dict.fromkeys(names)) == 2:
        for name in others:
            text = _("sign that {name} keeps the table waiting").format(name=name)
            yield Item(text, "", partial(_claim, front, name))


def troubles(front: ShownFront) -> None:
    """Show the troubles and the actions against them."""
    found = front.session.troubles()

    def items(word: str) -> list[Item]:
        deeds = [deed for trouble in front.session.troubles() for deed in trouble.deeds]
        acts = [(deed.text, partial(_deed, front, deed)) for deed in {repr(each): each for each in deeds}.values()]
        notices = [trouble.notice for trouble in front.session.troubles()]
        reports = [each.file for each in notices if isinstance(each, DivergenceFound) and _saves(front) is not None]
        for report in dict.fromkeys(reports):
            text = _("write a bug bundle: the log and both states, without anything hidden")
            acts.append((text, partial(_bundle, front, report)))
        kept = [(text, act) for text, act in acts if word.lower() in text.lower()]
        return [Item(text, str(number), act) for number, (text, act) in enumerate(kept, 1)]

    copied = list[Line]()

    def head(width: int) -> list[Line]:
        return [*copied, *trouble_lines(front.session.troubles(), width, max(front.size[1] - TEXT, 1))]

    def copy() -> None:
        front.host.copy("\n".join(plain(each).rstrip() for each in trouble_lines(front.session.troubles(), 200)))
        copied[:] = [line(("notice", _("Copied to the clipboard, if your terminal allows that.")))]

    front.open(Page(title(found), items=items, head=head, own={"copy": copy}))


def _saves(front: ShownFront) -> Callable[[], Path] | None:
    return None if front.session.controls is None else front.session.controls.save


def _bundle(front: ShownFront, report: Path) -> None:
    """Write the game so far and a report on two programs that differ to one file."""
    save = _saves(front)
    if save is None:
        return
    try:
        path = bug_bundle(save(), report)
    except UserError as error:
        front.say(f"{error.message} {error.hint}", "alarm")
    else:
        front.say(_("Written: {path}").format(path=path))


def _deed(front: ShownFront, remedy: Remedy) -> None:
    answer = DEEDS[remedy.deed].do(front.session, remedy.given)
    if isinstance(answer, Refused):
        front.say(answer.text, "alarm")
    else:
        _said(front, None, remedy.deed in ("takeback", "repair", "absent", "back"))


def _propose(front: ShownFront, kind: str, *names: str) -> None:
    controls = front.session.controls
    if controls is not None:
        _said(front, controls.propose(kind, names), True)


def _claim(front: ShownFront, name: str) -> None:
    controls = front.session.controls
    if controls is not None:
        _said(front, controls.claim(name), False)


def _vote(front: ShownFront, pact: bytes, yes: bool) -> None:
    controls = front.session.controls
    if controls is None:
        return
    refusal = controls.vote(pact, yes)
    refused(front, refusal)
    if refusal is None and yes:
        front.say(_("You have agreed. It takes effect when all have, or with the next step."), "notice")


def _said(front: ShownFront, refusal: object, proposed: bool) -> None:
    """Show why it was refused, or that the others are being asked."""
    refused(front, refusal)
    if refusal is None and proposed:
        front.say(_("Proposed; the others are asked."), "notice")
