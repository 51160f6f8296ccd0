# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands about the table: chat, votes, proposals, and players."""

from __future__ import annotations

from collections.abc import Sequence
from time import localtime, strftime

from client.fronts.line.conversation import Conversation
from client.session import leaving
from client.session.fairness import fairness_sheet
from client.session.notation import number_of, yes_or_no
from client.session.waiting import stopped_lines
from client.show.styled import line, owner_style, rows
from client.system.names import BOT
from client.system.texts import _
from client.table.player import TableControls, elsewhere, refusal_of
from client.table.words import owed_text, way_text
from client.words import refusal_text
from client.words.machines import table_lines
from p2p.lockstep.machine import RefusalLike

__all__ = [
    "absent",
    "alone",
    "ask",
    "back",
    "begun",
    "bot_named",
    "chat",
    "doctor",
    "end",
    "gone",
    "hint",
    "leave",
    "luck",
    "newest",
    "offer",
    "owes",
    "post",
    "read",
    "table",
    "takeback",
    "vote",
]


def begun(screen: Conversation) -> TableControls | None:
    """The table; None after a message that it has not begun."""
    if screen.controls is None:
        screen.say(_("The table has not begun."))
    return screen.controls


def table(screen: Conversation, rest: str) -> None:
    """Show who plays, is connected and is waited for, and the open votes."""
    controls = begun(screen)
    if controls is None:
        return
    owing, debts, ways = controls.owing(), controls.debts(), controls.ways()
    listed = []
    for seat, name in enumerate(screen.names):
        there = _("here") if seat in controls.seats else way_text(ways.get(name, ""))
        waited = seat in owing[name] or not owing[name] if name in owing else False
        owed = (owed_text(debts.get(name, "")) or _("is waited for")) if waited else ""
        listed.append((chr(ord("A") + seat), name, there, owed, _since(screen, name) if waited else ""))
    for seat, text in enumerate(rows(listed)):
        screen.say(line((owner_style(seat), text[:1]), text[1:]))
    screen.say(*(line(text) for text in table_lines(controls.genesis)))
    screen.say(*stopped_lines(screen.session, screen.width))
    offer(screen)


def _since(screen: Conversation, name: str) -> str:
    """Since when a member keeps the table waiting, as far as this run knows."""
    at = screen.session.screens.since.get(name)
    return "" if at is None else _("since {moment}").format(moment=strftime("%Y-%m-%d %H:%M", localtime(at)))


def chat(screen: Conversation, rest: str) -> None:
    """Send a chat message to all; without text, show the last ones."""
    if not rest:
        said = [f"<{each.name}> {each.text}" for each in screen.session.chat[-20:]]
        screen.say(*(said or [_("Nobody has said anything yet.")]))
    else:
        _told(screen, screen.session.say(rest))


def ask(screen: Conversation, rest: str) -> None:
    """Ask one bot or all for the reasons of their moves; they answer in the chat."""
    controls = begun(screen)
    if controls is None:
        return
    if not any(name.endswith(BOT) for name in screen.names):
        screen.say(_("No bot sits here; ask the others with chat."))
        return
    seat = bot_named(screen, rest)
    if rest and seat is None:
        bots = ", ".join(name for name in screen.names if name.endswith(BOT))
        screen.say(_("Say which bot, by letter or name: {names}").format(names=bots))
        return
    asked = _("bots") if seat is None else screen.names[seat].removesuffix(BOT).strip()
    _told(screen, controls.chat(_("{name}: why?").format(name=asked)))


def bot_named(screen: Conversation, text: str) -> int | None:
    """The seat of the bot with this letter or name, None for anything else."""
    seat = screen.frame().seat(text) if text and screen.controls is not None else None
    return seat if seat is not None and screen.names[seat].endswith(BOT) else None


def hint(screen: Conversation, rest: str) -> None:
    """Show the answer of the best bot, with its reason."""
    from client.session.advice import advised

    found = advised(screen.session)
    if found is None:
        screen.say(_("Nothing is asked of you now."))
        return
    screen.say(*found.lines())


def offer(screen: Conversation) -> None:
    """Show the open proposals with the numbers for `vote`."""
    votes = screen.session.votes()
    screen.offered = tuple(each.pact.id for each in votes)
    for number, each in enumerate(votes, 1):
        said = _("Proposal {number}, by {name}: {what}.") if len(votes) > 1 else _("{name} proposes: {what}.")
        screen.say(said.format(number=number, name=each.name, what=each.text))
    if len(votes) > 1:
        screen.say(_("Say vote yes or vote no, and the number; either is final."))
    elif votes:
        screen.say(_("Say vote yes or vote no; either is final."))


def vote(screen: Conversation, rest: str) -> None:
    """Consent to a proposal or refuse it: final either way."""
    controls = begun(screen)
    if controls is None:
        return
    votes = {each.pact.id: each for each in screen.session.votes()}
    said, _space, number = rest.lower().partition(" ")
    at, yes = number_of(number or "1"), yes_or_no(said)
    if not votes:
        screen.say(_("Nothing is proposed."))
    elif not screen.offered:
        screen.say(_("Read first what is open now:"))
        offer(screen)
    elif yes is None or at is None or not 1 <= at <= len(screen.offered) or (len(screen.offered) > 1 and not number):
        offer(screen)
    elif screen.offered[at - 1] not in votes:
        screen.say(_("What you were asked is not open any more. This is:"))
        offer(screen)
    else:
        chosen = votes[screen.offered[at - 1]]
        done = _("You agree: {what}.") if yes else _("You refuse: {what}.")
        _told(screen, controls.vote(chosen.pact.id, yes), done.format(what=chosen.text))


def takeback(screen: Conversation, rest: str) -> None:
    """Propose a take-back of the last sent step, or to a height of the log; where programs disagree, a repair."""
    controls = begun(screen)
    if controls is None:
        return
    height = number_of(rest) if rest else screen.session.sent.first
    if rest and height is None:
        screen.say(_("Say the step to go back to: the number that the log shows."))
        return
    stopped = screen.session.stopped()
    deed = next((each for each in stopped.deeds if each.kind == "repair"), None) if stopped is not None else None
    if deed is not None:
        screen.offered = ()
        _told(screen, screen.session.act(deed), _("Proposed to all. Everybody has to agree."))
        return
    if height is None:
        screen.say(_("You have sent nothing that could be taken back."))
        return
    screen.offered = ()
    _told(screen, controls.propose("takeback", back_to=height), _("Proposed to all. Everybody has to agree."))


def absent(screen: Conversation, rest: str) -> None:
    """Propose to go on without one or more players."""
    controls = begun(screen)
    if controls is None:
        return
    one = screen.frame().seat(rest) is not None
    names: dict[str, None] = {}
    for part in [rest] if one else rest.split() or [""]:
        name = _somebody(screen, part)
        if name is None:
            return
        names[name] = None
    _told(screen, controls.propose("absent", tuple(names)), _("Proposed to the others."))


def gone(screen: Conversation, rest: str) -> None:
    """Propose to give up a member who was left out and whose share of a card the table needs."""
    name = _somebody(screen, rest)
    if screen.controls is not None and name is not None:
        done = _("Proposed to the others. What {name} holds goes back to the decks, unseen.").format(name=name)
        _told(screen, screen.controls.propose("gone", (name,)), done)


def leave(screen: Conversation, rest: str) -> None:
    """Leave the table for good, with one signature."""
    controls = begun(screen)
    if controls is None:
        return
    if not yes_or_no(rest):
        screen.say(leaving.about(), _("If you are sure: leave yes"))
        return
    _told(screen, controls.propose("leave"), leaving.done())


def alone(screen: Conversation, rest: str) -> None:
    """Go on alone, at a new table that names this one."""
    if begun(screen) is None:
        return
    if not yes_or_no(rest):
        screen.say(leaving.alone_about(), _("If you are sure: alone yes"))
    elif not screen.session.go_alone("--linear"):
        screen.say(_("That is possible only for who plays at a table."))


def owes(screen: Conversation, rest: str) -> None:
    """Sign that a member keeps the table waiting, for tables with too few members to leave it out."""
    name = _somebody(screen, rest)
    if screen.controls is not None and name is not None:
        done = _("Signed. It says what {name} owes and where the game stands, and lapses when {name} goes on.")
        _told(screen, screen.controls.claim(name), done.format(name=name))


def newest(screen: Conversation, rest: str) -> None:
    """State that this is the newest copy of the table, for when no other member can confirm it."""
    controls = begun(screen)
    if controls is None:
        return
    if not yes_or_no(rest):
        screen.say(
            _(
                "Only if you never played this table on, from another copy or another machine, since this copy was "
                "made. Otherwise what you send next contradicts what you sent then: everybody has the proof that one "
                "key signed two histories, and goes on without you. If somebody who holds your entries may come, wait. "
                "If you are sure: newest yes"
            )
        )
        return
    _told(screen, controls.vouch())


def _somebody(screen: Conversation, rest: str) -> str | None:
    """The other player with this letter or name; None after a message if there is none."""
    controls = begun(screen)
    if controls is None:
        return None
    seat = screen.frame().seat(rest) if rest else None
    others = elsewhere(controls, screen.names)
    if seat is None or screen.names[seat] not in others:
        screen.say(_("Say who, by letter or name: {names}").format(names=", ".join(others)))
        return None
    return screen.names[seat]


def back(screen: Conversation, rest: str) -> None:
    """Ask to come back after having been left out."""
    controls = begun(screen)
    if controls is not None:
        _told(screen, controls.propose("back"), _("Proposed to the others."))


def luck(screen: Conversation, rest: str) -> None:
    """Compare the dice and draws of all seats with chance."""
    controls = begun(screen)
    if controls is not None:
        lucky, *_rolls = fairness_sheet(controls, screen.names)
        screen.say(*(cell.text for cell in lucky.cells), lucky.note)


def doctor(screen: Conversation, rest: str) -> None:
    """Check the network: addresses, announcements, the router, relays."""
    at = screen.controls or screen.session.door
    examine = None if at is None else at.examine
    if examine is None:
        screen.say(_("This table uses no network."))
        return

    def show(lines: Sequence[str]) -> None:
        screen.say(*lines)
        screen.changed()

    screen.say(_("Looking at the network …"))
    examine(show)


def end(screen: Conversation, rest: str) -> None:
    """Propose to end the game here."""
    controls = begun(screen)
    if controls is not None:
        screen.offered = ()
        _told(screen, controls.propose("end"), _("Proposed to all. Everybody has to agree."))


def post(screen: Conversation, rest: str) -> None:
    """Write the entries that the others lack, to a file or as text."""
    if screen.session.mail is None:
        screen.say(_("This table is played live. To play it by post: starlock post"))
    else:
        screen.session.mail.write(rest)


def read(screen: Conversation, rest: str) -> None:
    """Read a file that somebody sent."""
    if screen.session.mail is None:
        screen.say(_("This table is played live. To play it by post: starlock post"))
    elif not rest:
        screen.say(_("Name a file, or paste the text."))
    else:
        screen.session.mail.read(rest)


def _told(screen: Conversation, refusal: RefusalLike | None, done: str = "") -> None:
    """Show why it was refused, or that it is done."""
    if refusal is not None:
        screen.say(refusal_text(refusal_of(refusal), screen.session.display_names))
    elif done:
        screen.say(done)
