# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds about the question, the draft of the answer, and the standing orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.session.choices import few
from client.session.deeds.deed import ANSWERS, Argument, Deed, unless
from client.session.deeds.kinds import INDEX, ORDER, TEXT, UNTIL_THEN, YES, bot_of
from client.session.deeds.others import why_of
from client.session.deeds.outcomes import Answer, Done, Given, Lacking, NotDone, Told, done, noted, said
from client.session.orders import UNTIL, order_text, until_text
from client.session.session import Session
from client.session.view import SessionView
from client.system.texts import N_, NC_, _
from client.words.plain import plain
from client.words.rounds import has_rounds
from client.words.ways import DO
from engine.core.values import Value


def _options(session: Session, given: Given) -> Sequence[Value]:
    """The options of the question, or at a picked part of the answer."""
    choices, draft = session.asking.choices, session.asking.draft
    if "part" not in given:
        return () if choices is None else choices.options
    if draft is None or draft.stages is None or not 0 <= given["part"] < len(draft.stages[2]):
        return ()
    ask, state, picks = draft.stages
    return ask.options(state, draft.lens, picks[: given["part"]])


def _unlisted(session: Session, given: Given) -> str:
    listed = 0 <= given.get("option", 0) < len(_options(session, given))
    return "" if listed else _("There is no such option now.")


def _back(done: bool) -> Answer:
    text = _("There is nothing to take back. What is sent can only be taken back with everybody's consent.")
    return Done() if done else NotDone(text)


def _fight(session: Session, _given: Given) -> Answer:
    if session.asking.fight_on():
        return Done()
    draft, fights = session.asking.draft, session.table.pictures.fights
    if draft is not None and draft.ask is not None and fights.fight_on(session.frame(), draft.ask):
        text = _("What is picked is not sent yet: send it ({do:send}) or take it back ({do:undo}) first.")
        return NotDone(text.format(do=DO))
    return NotDone(_("No battle is under way that could be fought on as advised."))


# Orders --------------------------------------------------------------------------------------------------------------


def _hold(session: Session, given: Given) -> Answer:
    until = given.get("until", UNTIL[0])
    match session.asking.hold(until):
        case True:
            text = _("You say no to such questions {until}. To be asked again: {do:hold}.")
            return Done(text.format(until=until_text(until), do=DO))
        case False:
            return Done(_("You are asked again."))
    return NotDone(_("No question is open that {do:hold} could answer with no.").format(do=DO))


def _order(session: Session, given: Given) -> Answer:
    if "until" not in given:
        return _orders(session) if "at" not in given else Lacking((UNTIL_THEN.lacking(session),))
    answered = 0 if session.asking.draft is None else len(session.asking.draft.answered)
    at = given.get("at", answered - 1)
    if not 0 <= at < answered:
        return NotDone(
            _("Pick the answer first; then {do:order} makes it the answer to all such questions.").format(do=DO)
        )
    session.asking.order(at, given["until"])
    return _orders(session, _("What is picked now is still to be sent. From then on:"))


def _lift(session: Session, given: Given) -> Answer:
    names = session.table.display_names
    order = next(each for each in session.asking.standing() if order_text(each, names) == given["text"])
    session.asking.orders.end(lambda each: each == order)
    session.screens.tell()
    return _orders(session)


def _orders(session: Session, *before: str) -> Told:
    """The standing orders, by the numbers that end them."""
    orders = session.asking.standing()
    head = _("Standing orders:") if orders else _("There is no standing order.")
    texts = [f"{n:3}  {order_text(each, session.table.display_names)}" for n, each in enumerate(orders, 1)]
    return noted(_("Standing orders"), [*before, head, *texts], "     ")


def order_ways(view: SessionView) -> Iterator[tuple[str, str, Given]]:
    """What can be done about standing orders now: in words, the deed, and its arguments."""
    for order in view.orders:
        yield _("End: {order}").format(order=order.text), "lift", {"text": order.text}
    for at, answer in enumerate(view.titles):
        for until in ("round", "game") if has_rounds(view.game) else ("game",):
            text = _("Always so, {until}: {answer}").format(until=until_text(until), answer=answer)
            yield text, "order", {"at": at, "until": until}
    draft = view.draft
    if draft is not None and draft.empty and view.pictures.questions.waive(draft.asked.ask) is not None:
        yield from ((_("Say no {until}").format(until=until_text(each)), "hold", {"until": each}) for each in UNTIL)


# Advice --------------------------------------------------------------------------------------------------------------


def _hint(session: Session, _given: Given) -> Answer:
    from client.session.advice import advised

    found = advised(session)
    if found is None:
        return NotDone(_("Nothing is asked of you now."))
    return noted(_("Advice"), found.lines())


def _guide(session: Session, _given: Given) -> Answer:
    session.guided = not session.guided
    session.screens.tell()
    return Done(_("Questions come with advice again.") if session.guided else _("No more advice."))


def _why(session: Session, given: Given) -> Answer:
    """The refused options by reason; for options that begin with the text also the rule. For a bot's name, the bot is
    asked why it moved, and only options that begin with the name are shown: many speak of a seat."""
    from client.session import lookup
    from client.words.reference import entries

    text = given.get("text", "")
    choices, controls = session.asking.choices, session.table.controls
    asked: Answer = Done()
    found = {} if choices is None else choices.why(text)
    if (len(text) > 1 or not found) and (seat := bot_of(session, text)) is not None:
        asked = why_of(session, seat)
        begun = {reason: [each for each in found[reason] if plain(each).startswith(plain(text))] for reason in found}
        found = {reason: options for reason, options in begun.items() if options}
    elif not found:
        return NotDone(_("Nothing like that is refused now.") if text else _("Nothing is refused now."))
    if choices is None or controls is None or not found:
        return asked
    known, codes, game = entries(controls.match.spec) if text else [], choices.codes(), controls.match.spec.id
    told = []
    for reason, options in found.items():
        head = ", ".join(options) if text and not all(map(str.isdecimal, options)) else few(options)
        told.append(f"{head}: {reason} {lookup.rule_text(game, known, codes[reason])}".rstrip())
    return noted(_("Not possible now"), told, "    ")


DEEDS: Final[Sequence[Deed]] = (
    Deed("pick", (), N_("takes an option into the draft"), ANSWERS,
         done(lambda session, given: session.asking.pick(_options(session, given)[given["option"]])),
         hindrance=_unlisted, drafted=True, arguments=(Argument("option", INDEX),)),
    Deed("part", (), N_("picks another option at a part of an answer in several parts"), ANSWERS,
         done(lambda session, given: session.asking.repick(given["part"], _options(session, given)[given["option"]])),
         hindrance=_unlisted, drafted=True, arguments=(Argument("part", INDEX), Argument("option", INDEX))),
    Deed("send", (NC_("command", "send"),), N_("send the answers picked so far; that is final"), ANSWERS,
         lambda session, _given: said(session, session.asking.send()), title=N_("Send"), drafted=True),
    Deed("undo", (NC_("command", "undo"), "u"), N_("take the last step back that is not sent yet"), ANSWERS,
         lambda session, _given: _back(session.asking.undo()), title=N_("Undo"), drafted=True),
    Deed("reset", (NC_("command", "reset"), "U"), N_("take back all that is not sent yet"), ANSWERS,
         lambda session, _given: _back(session.asking.undo(whole=True)), title=N_("Start over"), drafted=True),
    Deed("fight-on", (NC_("command", "fight-on"),),
         N_("in a battle: fight on as is advised until a unit is lost"), ANSWERS, _fight,
         title=N_("Fight on as advised")),
    Deed("why", (NC_("command", "why"),), N_("what is not possible now, and why; with a bot's name as ask"), ANSWERS,
         _why, N_("[TEXT]"), arguments=(Argument("text", TEXT, optional=True),), shows=True),
    Deed("hint", (NC_("command", "hint"),), N_("what the bot greedy would answer here, and why"), ANSWERS, _hint,
         title=N_("Ask a bot"), shows=True),
    Deed("guide", (NC_("command", "guide"),), N_("advice for a first game with the questions, off or on"), ANSWERS,
         _guide, title=N_("Advice on or off")),
    Deed("hold", (NC_("command", "hold"),), N_("say no to such questions until this phase ends; again: be asked"),
         ANSWERS, _hold, N_("[phase | round | game]"), N_("No to all such questions of this phase"), drafted=True,
         arguments=(Argument("until", UNTIL_THEN, optional=True),)),
    Deed("order", (NC_("command", "order"), "orders"),
         N_("give the answer picked last to all such questions until then; alone: list"), ANSWERS, _order,
         N_("[phase | round | game]"), N_("Standing orders"), drafted=True,
         arguments=(Argument("until", UNTIL_THEN, optional=True), Argument("at", INDEX, optional=True))),
    Deed("lift", (NC_("command", "order off"),), N_("end a standing order"), ANSWERS, _lift, N_("[N]"),
         N_("End this order"), arguments=(Argument("text", ORDER),)),
    Deed("here", (), N_("take the shared screen: the one who is asked is here"), ANSWERS,
         done(lambda session, _given: session.asking.take_screen()), title=N_("I am here"), drafted=True,
         hindrance=unless(lambda session: session.asking.awaited is not None,
                          N_("Nobody has to take the screen now."))),
    Deed("reply", (), N_("answer the question that is open before the table begins"), ANSWERS,
         done(lambda session, given: next(iter(session.questions))(given["yes"])), before=True, drafted=True,
         hindrance=unless(lambda session: session.questions, N_("Nothing is asked any more.")),
         arguments=(Argument("yes", YES),)),
)  # fmt: skip
