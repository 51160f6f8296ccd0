# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds that the others see: the chat, votes, proposals, and what one signs alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from client.session.deeds.deed import DECIDED, OTHERS, Argument, Deed, unless
from client.session.deeds.kinds import BOTS, FILE, MEMBER, MEMBERS, PROPOSAL, STEP, TEXT, YES, name_of
from client.session.deeds.outcomes import Answer, Done, Given, NotDone, Told, done, said
from client.session.log import lost_by
from client.session.news import chat_document
from client.session.session import Session
from client.system.names import BOT
from client.system.texts import N_, NC_, _
from client.table.mail import Mail
from client.table.notices import PeerStopped
from client.table.player import seats_of
from client.words import refusal_text
from client.words.pacts import alone_text, leaving_text, left_text, pact_text
from engine.core.errors import Refusal

LAST: Final = 20
"""Messages that are shown."""


def _chat(session: Session, given: Given) -> Answer:
    text = given.get("text", "")
    return said(session, session.say(text)) if text else messages(session)


def messages(session: Session) -> Answer:
    """The last messages."""
    return Told(_("Chat"), lambda _width: chat_document(session.events.chat[-LAST:]))


def why_of(session: Session, seat: int | None) -> Answer:
    """Ask the bot in a seat, or all, for the reasons of their moves; they answer in the chat."""
    asked = _("bots") if seat is None else session.table.names[seat].removesuffix(BOT).strip()
    return said(session, session.table.running.chat(_("{name}: why?").format(name=asked)))


def _paste(session: Session, given: Given) -> Answer:
    if session.paste(given["text"]):
        return Done()
    return NotDone(_("That is no line of another home: neither an answer nor a ticket of this table."))


# Votes and proposals -------------------------------------------------------------------------------------------------


def _vote(session: Session, given: Given) -> Answer:
    found = next(each for each in session.votes() if each.id == given["id"])
    text = _("You agree: {what}.") if given["yes"] else _("You refuse: {what}.")
    refusal = session.table.running.vote(bytes.fromhex(found.id), given["yes"])
    return said(session, refusal, text.format(what=found.text))


def _takeback(session: Session, given: Given) -> Answer:
    """A take-back of the last sent step, or to a height of the log; where programs disagree, a repair."""
    controls, height, repair = session.table.running, given.get("height", session.sent.first), _mended(session)
    if repair is not None:
        return _repair(session, repair)
    assert height is not None
    refusal = controls.propose("takeback", (), height, across=controls.secrets_since(height))
    return said(session, refusal, _("Proposed to all. Everybody has to agree."))


def _losing(session: Session, given: Given) -> str:
    height = given.get("height", session.sent.first)
    if height is None or session.table.controls is None or _mended(session) is not None:
        return _("Propose to take my last step back")
    lost = lost_by("takeback", [height, session.table.controls.secrets_since(height)], session.events.entries)
    return _("Propose to all: {what}").format(what=pact_text("takeback", lost))


def _nothing_sent(session: Session, given: Given) -> str:
    sent = given.get("height", session.sent.first) is not None or _mended(session) is not None
    return "" if sent else _("You have sent nothing that could be taken back.")


def _mended(session: Session) -> Given | None:
    """The arguments of the repair that would end what has stopped the table, None without one."""
    stopped = session.stopped()
    found = (each.given for each in (stopped.deeds if stopped is not None else ()) if each.deed == "repair")
    return next(found, None)


def _repair(session: Session, given: Given) -> Answer:
    refusal = session.table.running.propose("repair", (), given["height"])
    return said(session, refusal, _("Proposed to all. Everybody has to agree."))


def _propose(kind: str, text: str) -> Callable[[Session, Given], Answer]:
    """A deed that proposes something. text: marked, says that it is done."""

    def run(session: Session, given: Given) -> Answer:
        members = given.get("members", [given["member"]] if "member" in given else [])
        done = _(text).format(name=", ".join(name_of(session, each) for each in members))
        return said(session, session.table.running.propose(kind, members), done)

    return run


def outside(session: Session) -> set[str]:
    """Why this person does not play any more, by code."""
    return {trouble.notice.why for trouble in session.troubles() if isinstance(trouble.notice, PeerStopped)}


def _not_out(session: Session, _given: Given) -> str:
    out = outside(session)
    if "lockstep/given-up" in out:
        return _("You have been given up for good.")
    if "lockstep/left" in out:
        return _("You have left for good.")
    return "" if "lockstep/left-out" in out else _("You have not been left out.")


def _between_two(session: Session, other: int) -> str:
    return refusal_text(Refusal("pact/only-two", "", (name_of(session, other),)))


def _out_already(session: Session, given: Given) -> str:
    controls, other = session.table.running, session.only_other()
    if other is not None:
        return _between_two(session, other)
    linked = controls.linked()
    gone = [each for each in given.get("members", ()) if linked.keys().isdisjoint(seats_of(controls, each))]
    return _("{name} has been left out already").format(name=name_of(session, gone[0])) if gone else ""


def _not_out_yet(session: Session, given: Given) -> str:
    member, controls = given.get("member"), session.table.running
    if member is None:
        return ""
    if member == session.only_other():
        return _between_two(session, member)
    seats, name = seats_of(controls, member), name_of(session, member)
    if not controls.linked().keys().isdisjoint(seats):
        return _("{name} has to be left out first").format(name=name)
    gone = controls.ways().keys().isdisjoint(seats)
    return _("{name} has been given up already").format(name=name) if gone else ""


def _voted(session: Session, given: Given) -> str:
    text = _("agree: {what} ({name})") if given["yes"] else _("refuse: {what} ({name})")
    found = next((each for each in session.votes() if each.id == given["id"]), None)
    return "" if found is None else text.format(what=found.text, name=found.name)


def _owes(session: Session, given: Given) -> Answer:
    text = _("Signed. It says what {name} owes and where the game stands, and lapses when {name} goes on.")
    refusal = session.table.running.claim(given["member"])
    return said(session, refusal, text.format(name=name_of(session, given["member"])))


def _at_stake() -> str:
    return _(
        "Only if you never played this table on, from another copy or another machine, since this copy was made. "
        "Otherwise what you send next contradicts what you sent then: everybody has the proof that one key signed two "
        "histories, and goes on without you. If somebody who holds your entries may come, wait."
    )


def alone_by(*words: str) -> Callable[[Session, Given], Answer]:
    """Going on alone at another table. words: options of `starlock resume`, for the same front there."""
    return done(lambda session, _given: session.go_alone(*words))


_BY_POST: Final = unless(
    lambda session: session.mail is not None, N_("This table is played live. To play it by post: starlock post")
)


def _mail(session: Session) -> Mail:
    assert session.mail is not None
    return session.mail


DEEDS: Final[Sequence[Deed]] = (
    Deed("chat", (NC_("command", "chat"), "say"), N_("say something to all at the table, or read what was said"),
         OTHERS, _chat, N_("[TEXT]"), arguments=(Argument("text", TEXT, optional=True),), before=True),
    Deed("paste", (NC_("command", "paste"),),
         N_("take in what another home has sent: an answer, or a ticket of this table; nobody else gets it"), OTHERS,
         _paste, N_("LINE"), arguments=(Argument("text", TEXT),), before=True),
    Deed("ask", (NC_("command", "ask"),), N_("ask a bot why it answered as it did; it says so in the chat"), OTHERS,
         lambda session, given: why_of(session, given.get("seat")), N_("[BOT]"),
         hindrance=unless(BOTS.choices, N_("No bot sits here.")),
         arguments=(Argument("seat", BOTS, optional=True),)),
    Deed("vote", (NC_("command", "vote"),), N_("answer a proposal of the others"), DECIDED, _vote, N_("yes | no [N]"),
         arguments=(Argument("yes", YES), Argument("id", PROPOSAL)), says=_voted),
    Deed("takeback", (NC_("command", "takeback"),), N_("propose to take the last sent step back"), DECIDED, _takeback,
         N_("[STEP]"), N_("Propose to take my last step back"),
         arguments=(Argument("height", STEP, optional=True),), hindrance=_nothing_sent, says=_losing),
    Deed("repair", (), N_("propose that all read on from a step where programs differed"), DECIDED, _repair,
         arguments=(Argument("height", STEP),)),
    Deed("absent", (NC_("command", "absent"),), N_("propose to go on without a player who is gone or cheated"), DECIDED,
         _propose("absent", N_("Proposed to the others.")), N_("NAMES"), N_("Propose to go on without {name}"),
         arguments=(Argument("members", MEMBERS),), hindrance=_out_already),
    Deed("gone", (NC_("command", "gone"),),
         N_("propose to give somebody up for good: the hand goes back to the decks"), DECIDED,
         _propose("gone", N_("Proposed to the others. What {name} holds goes back to the decks, unseen.")),
         N_("NAME"), N_("Propose to give {name} up for good"), arguments=(Argument("member", MEMBER),),
         hindrance=_not_out_yet),
    Deed("owes", (NC_("command", "owes"),), N_("sign that a player who cannot be left out does not answer"), DECIDED,
         _owes, N_("NAME"), N_("Sign that {name} does not answer"), arguments=(Argument("member", MEMBER),)),
    Deed("back", (NC_("command", "back"),), N_("ask to be let in again after having been left out"), DECIDED,
         _propose("back", N_("Proposed to the others.")), title=N_("Ask to be let in again"), hindrance=_not_out),
    Deed("end", (NC_("command", "end"),), N_("propose to end the game here"), DECIDED,
         _propose("end", N_("Proposed to all. Everybody has to agree.")), title=N_("Propose to end the game here")),
    Deed("newest", (NC_("command", "newest"),),
         N_("say that this is your newest copy of the table, if nobody can be asked"), DECIDED,
         lambda session, _given: said(session, session.table.running.vouch()), N_("yes"),
         N_("Say that this is the newest copy"), about=_at_stake),
    Deed("leave", (NC_("command", "leave"),), N_("leave for good: the others play on without you"), DECIDED,
         lambda session, _given: said(session, session.table.running.propose("leave"), left_text()), N_("yes"),
         N_("Leave for good"), about=leaving_text,
         hindrance=unless(lambda session: "lockstep/left" not in outside(session), N_("You have left already."))),
    Deed("alone", (NC_("command", "alone"),), N_("go on alone: a new table that names this one, with bots"), DECIDED,
         alone_by(), N_("yes"), N_("Go on alone"), about=alone_text,
         hindrance=unless(lambda session: session.table.running.alone is not None,
                          N_("That is possible only for who plays at a table."))),
    Deed("post", (NC_("command", "post"),), N_("at a table by post: what to send to the others"), OTHERS,
         done(lambda session, given: _mail(session).write(given.get("file", ""))), N_("[FILE]"), hindrance=_BY_POST,
         arguments=(Argument("file", FILE, optional=True),)),
    Deed("read", (NC_("command", "read"),), N_("at a table by post: read what the others sent"), OTHERS,
         done(lambda session, given: _mail(session).read(given["file"])), N_("FILE"), hindrance=_BY_POST,
         arguments=(Argument("file", FILE),)),
)  # fmt: skip
