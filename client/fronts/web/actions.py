# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of the page, by name.

An action is a JSON object with `act` and, for actions on the draft, the `step` of the view in which it was chosen:

    pick {step, option}   part {step, part, option}
    undo {step}   reset {step}   send {step}   hold {step, until?}
    order {step, at, until}   lift {text}: makes the answer `at` of the draft a standing order; ends an order
    reply {yes}           chat {text}   vote {id, yes} leave {}
    alone {} leaves the table and goes on alone at a new one, on another page
    propose {kind, names?, height?}     claim {name}      language {language}
    picture {name, words} shows a picture of the game: the answer has `lines` of runs and `groups`, a sheet or null;
                          "fairness" shows the last rolls and the luck of all seats
    tab {name}            the same picture as HTML for the page: the answer has `html`
    ready {yes}           wish {word}   bot {seat}   remove {seat}: before the table begins
    doctor {}             checks the network; a later state has the findings
    past {height}         the position when a height opened: the answer has `height`, `last`, `map` and `told`, and as
                          `html` the parts of the page that tell of it; `at` instead of `height`: its index among the
                          heights at which something is in the log

An action on the draft that is sent again at once, as by a double click, does nothing and is answered alike. The answer
is {"ok": true}, or {"ok": false, "text": …} with the reason in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from client.fronts.web.fragments.html import runs
from client.fronts.web.fragments.sheets import sheet
from client.fronts.web.fragments.table import then
from client.fronts.web.words import page_words
from client.session.deeds import DEEDS
from client.session.deeds.deed import Job
from client.session.lobby import wishes
from client.session.orders import UNTIL, order_text
from client.session.past import heights_of, past_of
from client.session.session import Session
from client.show.wall import Wall
from client.system.journal import Journal, no_log
from client.system.texts import LANGUAGES, _, use
from client.table.player import LobbyControls, refusal_of
from client.words import refusal_text

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

__all__ = ["DONE", "DRAFT", "FAIRNESS", "Answer", "Fields", "UnreadableError", "failed", "perform", "speak", "text_of"]

Fields = Mapping[str, Any]
Answer = Mapping[str, Any]

FAIRNESS: Final = "fairness"
"""The name of the picture that every game has."""
DONE: Final[Answer] = {"ok": True}


class UnreadableError(Exception):
    """The action does not have the form in the module's docstring."""


def perform(session: Session, fields: Fields, log: Journal = no_log) -> Answer:
    """Perform an action of the page and return its answer. log: receives the errors of failed drawings."""
    name = fields.get("act")
    if not isinstance(name, str) or name not in ACTIONS:
        return failed(_("The page asked for something that this starlock does not know; load it again."))
    if name in DRAFT and fields.get("step") != session.step:
        return failed(_("The table has gone on meanwhile; look again."))
    try:
        match name:
            case "picture":
                return _picture(session, fields, log)
            case "tab":
                return _tab(_picture(session, {**fields, "words": ""}, log))
        return ACTIONS[name](session, fields)
    except UnreadableError:
        return failed(_("The page asked for something that this starlock does not know; load it again."))


def _pick(session: Session, fields: Fields) -> Answer:
    choices, option = session.choices, _number(fields, "option")
    if choices is None or not 0 <= option < len(choices.options):
        raise UnreadableError
    session.pick(choices.options[option])
    return DONE


def _part(session: Session, fields: Fields) -> Answer:
    at, option = _number(fields, "part"), _number(fields, "option")
    found = None if session.draft is None else session.draft.stages
    if session.draft is None or found is None or not 0 <= at < len(found[2]):
        raise UnreadableError
    ask, state, picks = found
    options = ask.options(state, session.draft.lens, picks[:at])
    if not 0 <= option < len(options):
        raise UnreadableError
    session.repick(at, options[option])
    return DONE


def _undo(session: Session, _fields: Fields) -> Answer:
    return DONE if session.undo() else failed(_("There is nothing to take back."))


def _reset(session: Session, _fields: Fields) -> Answer:
    return DONE if session.reset() else failed(_("There is nothing to take back."))


def _send(session: Session, _fields: Fields) -> Answer:
    return _said(session, session.send())


def _hold(session: Session, fields: Fields) -> Answer:
    if session.hold(_until(fields, UNTIL[0])) is None:
        return failed(_("No question is open that “hold” could answer with no."))
    return DONE


def _order(session: Session, fields: Fields) -> Answer:
    at = _number(fields, "at")
    if session.draft is None or not 0 <= at < len(session.draft.answered):
        raise UnreadableError
    session.order(at, _until(fields))
    return DONE


def _lift(session: Session, fields: Fields) -> Answer:
    text = text_of(fields, "text")
    for order in session.standing():
        if order_text(order, session.display_names) == text:
            session.lift(order)
            return DONE
    return failed(_("There is no such standing order any more."))


def _until(fields: Fields, usual: str = "") -> str:
    until = fields.get("until", usual)
    if until not in UNTIL:
        raise UnreadableError
    return str(until)


def _reply(session: Session, fields: Fields) -> Answer:
    if session.question is None:
        return failed(_("Nothing is asked any more."))
    session.reply(_yes(fields))
    return DONE


def _chat(session: Session, fields: Fields) -> Answer:
    return _said(session, session.say(text_of(fields, "text")))


def _vote(session: Session, fields: Fields) -> Answer:
    wanted, yes = text_of(fields, "id"), _yes(fields)
    pact = next((each.pact.id for each in session.votes() if each.pact.id.hex() == wanted), None)
    if pact is not None:
        return _at_table(session, lambda controls: controls.vote(pact, yes))
    return failed(_("That proposal is not open any more."))


def _propose(session: Session, fields: Fields) -> Answer:
    names = fields.get("names", ())
    height = fields.get("height", session.sent.first)
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise UnreadableError
    if height is not None and type(height) is not int:
        raise UnreadableError
    kind = text_of(fields, "kind")
    if kind == "newest":  # a deed like the others, though nobody votes on it
        return _at_table(session, lambda controls: controls.vouch())
    return _at_table(session, lambda controls: controls.propose(kind, tuple(names), height))


def _claim(session: Session, fields: Fields) -> Answer:
    name = text_of(fields, "name")
    return _at_table(session, lambda controls: controls.claim(name))


def _leave(session: Session, _fields: Fields) -> Answer:
    session.leave()
    return DONE


def _alone(session: Session, _fields: Fields) -> Answer:
    return DONE if session.go_alone("--web") else failed(_("That is possible only for who plays at a table."))


def _language(session: Session, fields: Fields) -> Answer:
    speak(text_of(fields, "language"))
    session.reworded()
    return DONE


def speak(language: str) -> None:
    """Use this language from now on."""
    if language not in LANGUAGES:
        raise UnreadableError
    use(language)


def _ready(session: Session, fields: Fields) -> Answer:
    yes = _yes(fields)
    return _at_door(session, lambda door: door.ready(yes))


def _wish(session: Session, fields: Fields) -> Answer:
    word = text_of(fields, "word")
    game = session.lobby.game if session.lobby is not None else ""
    if word and word not in [each.word for each in wishes(game)]:
        raise UnreadableError
    return _at_door(session, lambda _door: session.wish_for(word))


def _bot(session: Session, fields: Fields) -> Answer:
    seat = _free_seat(session, fields, free=True)
    add = session.door.add_bot if session.door is not None else None
    if add is None:
        return failed(_("Only the inviter can add a bot."))
    return DONE if add(seat) else failed(_("No bot can sit down now."))


def _remove(session: Session, fields: Fields) -> Answer:
    seat = _free_seat(session, fields, free=False)
    if session.door is not None and not session.door.inviting:
        return failed(_("Only the inviter can remove a player."))
    return _at_door(session, lambda door: door.remove(seat))


def _free_seat(session: Session, fields: Fields, *, free: bool) -> int:
    """The number of a seat of the lobby that is free, or taken by another player. UnreadableError otherwise."""
    seat, lobby = _number(fields, "seat"), session.lobby
    taken = {} if lobby is None else {place.seat: place for place in lobby.places}
    known = lobby is not None and 0 <= seat < lobby.seats
    if not known or (seat in taken) == free or (not free and taken[seat].mine):
        raise UnreadableError
    return seat


def _doctor(session: Session, _fields: Fields) -> Answer:
    answer = DEEDS["doctor"].do(session, {})
    if not isinstance(answer, Job):
        return failed(_("This table uses no network."))
    answer.start(lambda _lines: None)
    return DONE


def _at_door(session: Session, act: Callable[[LobbyControls], None]) -> Answer:
    if session.door is None:
        return failed(_("There is no lobby."))
    act(session.door)
    return DONE


def _picture(session: Session, fields: Fields, log: Journal = no_log) -> Answer:
    if fields.get("name") == FAIRNESS and session.controls is not None:
        from client.session.fairness import fairness_sheet  # only this picture needs it

        return {"ok": True, "lines": [], "groups": list(map(asdict, fairness_sheet(session.controls, session.names)))}
    picture = session.pictures.commands.get(text_of(fields, "name"))
    if picture is None or session.controls is None:
        raise UnreadableError
    words = text_of(fields, "words").split()
    frame = session.frame(words, 100)
    wall, draw, text = Wall(log), picture.sheet, picture.draw
    lines: list[Any] = wall.drawn(lambda: [list(map(list, line)) for line in text(frame)], [])
    groups: list[Any] = []
    if draw is not None and not words:
        groups = wall.drawn(lambda: [asdict(group) for group in draw(frame)], groups)
    return {"ok": True, "lines": lines, "groups": groups} if lines or groups else failed(_("This cannot be drawn now."))


def _tab(picture: Answer) -> Answer:
    """The answer with a picture, as HTML: a sheet if it has one, else the lines."""
    if not picture["ok"]:
        return picture
    drawn = sheet(picture["groups"]) if picture["groups"] else runs(picture["lines"])
    return {"ok": True, "html": {"picture": drawn}}


def _past(session: Session, fields: Fields) -> Answer:
    found = past_of(session, _height(session, fields))
    if found is None:
        return failed(_("There is no such position."))
    past = asdict(found)
    return {"ok": True, **past, "html": then(past, page_words())}


def _height(session: Session, fields: Fields) -> int:
    if "at" not in fields:
        return _number(fields, "height")
    at, heights = _number(fields, "at"), heights_of(session)
    if not 0 <= at < len(heights):
        raise UnreadableError
    return heights[at]


def _at_table(session: Session, act: Callable[[Any], RefusalLike | None]) -> Answer:
    if session.controls is None:
        return failed(_("The table has not begun."))
    return _said(session, act(session.controls))


def _said(session: Session, refusal: RefusalLike | None) -> Answer:
    return DONE if refusal is None else failed(refusal_text(refusal_of(refusal), session.display_names))


def failed(text: str) -> Answer:
    """The answer to a failed action, with the reason in words."""
    return {"ok": False, "text": text}


def _number(fields: Fields, name: str) -> int:
    value = fields.get(name)
    if type(value) is not int:
        raise UnreadableError
    return value


def text_of(fields: Fields, name: str) -> str:
    """A field that is a text. UnreadableError."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise UnreadableError
    return value


def _yes(fields: Fields) -> bool:
    value = fields.get("yes")
    if not isinstance(value, bool):
        raise UnreadableError
    return value


ACTIONS: Final[Mapping[str, Callable[[Session, Fields], Answer]]] = {
    "pick": _pick,
    "part": _part,
    "undo": _undo,
    "reset": _reset,
    "send": _send,
    "hold": _hold,
    "lift": _lift,
    "order": _order,
    "reply": _reply,
    "chat": _chat,
    "vote": _vote,
    "propose": _propose,
    "claim": _claim,
    "ready": _ready,
    "wish": _wish,
    "bot": _bot,
    "remove": _remove,
    "leave": _leave,
    "alone": _alone,
    "doctor": _doctor,
    "language": _language,
    "picture": _picture,
    "tab": _picture,
    "past": _past,
}
DRAFT: Final = frozenset({"pick", "part", "undo", "reset", "send", "hold", "order"})
"""Actions on the draft that the page shows."""
