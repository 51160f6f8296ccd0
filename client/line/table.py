"""What a person says to the table besides answers: chat, votes, proposals, and who is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from client.player import refusal_of
from client.show.styled import line, owner_style, rows
from client.table.words import owed_text, way_text
from client.texts import _
from client.wording import refusal_text
from p2p.lockstep.machine import RefusalLike

if TYPE_CHECKING:
    from client.line.talk import LineScreen

__all__ = [
    "absent",
    "back",
    "chat",
    "doctor",
    "end",
    "gone",
    "newest",
    "owes",
    "post",
    "read",
    "table",
    "takeback",
    "vote",
]


def table(talk: LineScreen, rest: str) -> None:
    """Who plays, is connected, is waited for, and what is voted on."""
    desk = talk.desk
    if desk is None:
        return
    owing, debts, ways = desk.owing(), desk.debts(), desk.ways()
    listed = []
    for seat, name in enumerate(talk.names):
        there = _("here") if seat in desk.seats else way_text(ways.get(name, ""))
        waited = seat in owing[name] or not owing[name] if name in owing else False
        owed = owed_text(debts.get(name, "")) if waited else ""
        listed.append((chr(ord("A") + seat), name, there, owed or (_("is waited for") if waited else "")))
    for seat, text in enumerate(rows(listed)):
        talk.say(line((owner_style(seat), text[:1]), text[1:]))
    talk.offer()


def chat(talk: LineScreen, rest: str) -> None:
    """Say something to all; alone, what was said last."""
    if not rest:
        said = [f"<{each.name}> {each.text}" for each in talk.session.chat[-20:]]
        talk.say(*(said or [_("Nobody has said anything yet.")]))
    elif talk.desk is not None:
        _told(talk, talk.desk.chat(rest))


def vote(talk: LineScreen, rest: str) -> None:
    """Consent to a proposal or refuse it: final either way."""
    desk = talk.desk
    if desk is None:
        return
    votes = {each.pact.id: each for each in talk.session.votes()}
    said, _space, number = rest.lower().partition(" ")
    index = int(number) - 1 if number.isascii() and number.isdecimal() else 0
    yes, no = ("yes", "y", _("yes")), ("no", "n", _("no"))
    if not votes:
        talk.say(_("Nothing is proposed."))
    elif not talk.offered:
        talk.say(_("Since you were asked something else was voted on. This is open now:"))
        talk.offer()
    elif said not in (*yes, *no) or not 0 <= index < len(talk.offered) or (len(talk.offered) > 1 and not number):
        talk.offer()
    elif talk.offered[index] not in votes:
        talk.say(_("What you were asked is not open any more. This is:"))
        talk.offer()
    else:
        chosen = votes[talk.offered[index]]
        done = _("You agree: {what}.") if said in yes else _("You refuse: {what}.")
        _told(talk, desk.vote(chosen.pact.id, said in yes), done.format(what=chosen.text))


def takeback(talk: LineScreen, rest: str) -> None:
    """Propose to everybody to go back to before the last sent step, or to a height of the log."""
    if talk.desk is None:
        return
    if rest and not (rest.isascii() and rest.isdecimal()):
        talk.say(_("Say the step to go back to: the number that the log shows."))
        return
    height = int(rest) if rest else talk.session.sent_at
    if height is None:
        talk.say(_("You have sent nothing yet."))
        return
    talk.offered = ()
    _told(talk, talk.desk.propose("takeback", back_to=height), _("Proposed to all. Everybody has to agree."))


def absent(talk: LineScreen, rest: str) -> None:
    """Propose to go on without somebody, or without several."""
    if talk.desk is None:
        return
    one = talk.frame().seat(rest) is not None
    names: dict[str, None] = {}
    for part in [rest] if one else rest.split() or [""]:
        name = _somebody(talk, part)
        if name is None:
            return
        names[name] = None
    _told(talk, talk.desk.propose("absent", tuple(names)), _("Proposed to the others."))


def gone(talk: LineScreen, rest: str) -> None:
    """Propose to give somebody up who was left out and whose share of the cards is waited for."""
    name = _somebody(talk, rest)
    if talk.desk is not None and name is not None:
        done = _("Proposed to the others. What {name} holds goes back to the decks, unseen.").format(name=name)
        _told(talk, talk.desk.propose("gone", (name,)), done)


def owes(talk: LineScreen, rest: str) -> None:
    """Sign that somebody keeps the table waiting whom nobody can leave out."""
    name = _somebody(talk, rest)
    if talk.desk is not None and name is not None:
        done = _("Signed. It says what {name} owes and where the game stands, and lapses when {name} goes on.")
        _told(talk, talk.desk.claim(name), done.format(name=name))


def newest(talk: LineScreen, rest: str) -> None:
    """Say that this is the newest copy of the table, where nobody else can be asked."""
    if talk.desk is None:
        return
    if rest.lower() not in ("yes", _("yes")):
        talk.say(
            _(
                "Only if you never played this table on, from another copy or another machine, since this copy was "
                "made. Otherwise what you send next contradicts what you sent then: everybody has the proof that one "
                "key signed two histories, and goes on without you. If somebody who holds your entries may come, wait. "
                "If you are sure: newest yes"
            )
        )
        return
    _told(talk, talk.desk.vouch())


def _somebody(talk: LineScreen, rest: str) -> str | None:
    """The other player that was named, by letter or name; None, and said so, when nobody was."""
    if talk.desk is None:
        return None
    seat = talk.frame().seat(rest) if rest else None
    if seat is None or seat in talk.desk.seats:
        talk.say(_("Say who, by letter or name: {names}").format(names=", ".join(talk.names)))
        return None
    return talk.names[seat]


def back(talk: LineScreen, rest: str) -> None:
    """Ask to be let in again after having been left out."""
    if talk.desk is not None:
        _told(talk, talk.desk.propose("back"), _("Proposed to the others."))


def doctor(talk: LineScreen, rest: str) -> None:
    """Look at the network: addresses, announcements, the router, relays."""
    examine = None if talk.desk is None else talk.desk.examine
    if examine is None:
        talk.say(_("This table uses no network."))
        return

    def told(lines: Sequence[str]) -> None:
        talk.say(*lines)
        talk.changed()

    talk.say(_("Looking at the network …"))
    examine(told)


def end(talk: LineScreen, rest: str) -> None:
    """Propose to end the game here."""
    if talk.desk is not None:
        talk.offered = ()
        _told(talk, talk.desk.propose("end"), _("Proposed to all. Everybody has to agree."))


def post(talk: LineScreen, rest: str) -> None:
    """Write what the others lack, to a file or as text."""
    if talk.session.mail is None:
        talk.say(_("This table is played live. To play it by post: starlock post"))
    else:
        talk.session.mail.write(rest)


def read(talk: LineScreen, rest: str) -> None:
    """Read a file that somebody sent."""
    if talk.session.mail is None:
        talk.say(_("This table is played live. To play it by post: starlock post"))
    elif not rest:
        talk.say(_("Name a file, or paste the text."))
    else:
        talk.session.mail.read(rest)


def _told(talk: LineScreen, refusal: RefusalLike | None, done: str = "") -> None:
    """Say why it was not possible, or that it is done."""
    if refusal is not None:
        talk.say(refusal_text(refusal_of(refusal), talk.session.called))
    elif done:
        talk.say(done)
