# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of line mode: pictures of the game, the log, the table, help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from client.fronts.line import table, told
from client.fronts.line.conversation import Conversation
from client.session.choices import few
from client.session.notation import number_of
from client.session.orders import UNTIL, order_text, until_text
from client.session.spoken import DO, SPEECH, called, plain, spoken
from client.show.styled import line, rows, wrapped
from client.system.errors import UserError
from client.system.texts import N_, _, pgettext
from engine.core.dataclass import dataclass

__all__ = ["COMMANDS", "completions", "run"]


@dataclass(frozen=True, slots=True)
class LineCommand:
    """A command of line mode.

    Attributes:
        names: the first one is shown in the help.
        usage: the arguments.
    """

    names: tuple[str, ...]
    usage: str
    summary: str
    run: Callable[[Conversation, str], None]


MAP: Final = "map"
ODDS: Final = "odds"


def run(screen: Conversation, text: str) -> bool:
    """Run a typed line, True if it is a command: by its full name or a prefix that no option shares."""
    word, _space, rest = text.partition(" ")
    rest = rest.strip()
    word, forced = word.removeprefix("/"), word.startswith("/")
    word = word if len(word) == 1 else spoken().get(plain(word), word)
    command = _exact(word) or _exact(word.lower())
    word = word.lower()
    if command is None and word == MAP[:1] and MAP in screen.session.pictures.commands:
        word = word if screen.complete_options(text) else MAP
    if command is None and (forced or not screen.complete_options(text)):
        near = {id(each): each for name, each in _named() if name.startswith(word) and len(word) > 1 - forced}
        pictured = [
            name for name in screen.session.pictures.commands if name.startswith(word) and len(word) > 1 - forced
        ]
        if len(near) == 1 and not pictured:
            command = next(iter(near.values()))
        elif len(pictured) == 1 and not near:
            word = pictured[0]
    if command is not None:
        command.run(screen, rest)
        return True
    if word in screen.session.pictures.commands:
        _picture(screen, word, rest)
        return True
    if word == ODDS and screen.controls is not None:
        screen.say(_("No dice decide battles here: there are no odds."))
        return True
    return False


def completions(screen: Conversation, text: str) -> list[str]:
    """Commands that begin with the text."""
    text = text.lower()
    own = {name: word for word, name in spoken().items()}
    names = [*screen.session.pictures.commands, *(name for name, _command in _named() if len(name) > 1)]
    names += [own[name] for name in names if name in own]
    return [name for name in dict.fromkeys(names) if name.startswith(text)]


def _named() -> Iterator[tuple[str, LineCommand]]:
    return ((name, command) for command in COMMANDS for name in command.names)


def _exact(word: str) -> LineCommand | None:
    return next((command for name, command in _named() if name == word), None)


def _picture(screen: Conversation, name: str, rest: str) -> None:
    if table.begun(screen) is None:
        return
    screen.say(*screen.session.pictures.commands[name].draw(screen.frame(rest.split())))


def _where(screen: Conversation, rest: str) -> None:
    """Tell all about a place."""
    if rest:
        _picture(screen, MAP, rest)
    else:
        screen.say(_("Say which place; {map} alone draws the whole map.").format(map=called(MAP)))


TOPICS: Final[Mapping[str, Sequence[str]]] = {
    N_("answers"): ("moves", "do", "send", "undo", "reset", "why", "hint", "guide", "hold", "order"),
    N_("what happened"): ("since", "log"),
    N_("the others"): (
        "table",
        "chat",
        "ask",
        "vote",
        "takeback",
        "absent",
        "gone",
        "leave",
        "alone",
        "owes",
        "back",
        "newest",
        "end",
        "luck",
        "doctor",
    ),
    N_("starlock"): ("help", "page", "quit"),
}
"""Commands by topic; those of the game come first."""
ALL: Final = ("all", "commands")


def _help(screen: Conversation, rest: str) -> None:
    """Show how to answer and the commands by topic; or all commands, one command, or the rules for a word."""
    if rest in ALL or rest == _("all"):
        _explained(screen, [*_usages(screen)])
    elif rest:
        name = spoken().get(plain(rest), rest)
        about = [row for names, *row in _usages(screen) if name in names]
        if about:
            _explained(screen, [((), usage, summary) for usage, summary in about])
        else:
            _rules(screen, rest)
    else:
        _topics(screen)


def _topics(screen: Conversation) -> None:
    screen.say(_("An answer is a number of the list, its letter, its words, or beginnings of some of them."))
    if screen.session.pictures.example:
        screen.say(_("So you may type {example}.").format(example=_(screen.session.pictures.example)))
    screen.say(_("Players are picked by their letter or name. Where an amount is asked for, a number is the amount."))
    screen.say(
        _("Several answers stand in one line with ; between them. Enter alone sends when nothing is left to choose.")
    )
    screen.say(_("Tab completes what you type."))
    topics = {_("the game"): screen.session.pictures.commands, **{_(topic): names for topic, names in TOPICS.items()}}
    table_of = [("  " + topic, ", ".join(map(called, names))) for topic, names in topics.items()]
    screen.say(*map(line, rows([row for row in table_of if row[1]], screen.width)))
    screen.say(_("? COMMAND tells about one, ? all about all of them, ? WORD the rules of a word."))


def _usages(screen: Conversation) -> Iterator[tuple[Sequence[str], str, str]]:
    """Every command: names, usage and summary."""
    for name, picture in screen.session.pictures.commands.items():
        yield (name,), f"{called(name)} {_(picture.usage)}".strip(), _(picture.summary)
    for command in COMMANDS:
        usage = " ".join(part for part in (", ".join(map(called, command.names)), _(command.usage)) if part)
        yield command.names, usage, _(command.summary)


def _explained(screen: Conversation, commands: Sequence[tuple[Sequence[str], str, str]]) -> None:
    screen.say(*map(line, rows([("  " + usage, summary) for _names, usage, summary in commands], screen.width)))


def _rules(screen: Conversation, rest: str) -> None:
    controls = table.begun(screen)
    if controls is None:
        return
    from client.session.lookup import looked_up
    from client.session.lookup import shown as entry_text
    from client.words.reference import entries

    try:
        found = looked_up(entries(controls.match.spec), "-".join(rest.lower().split()))
    except UserError as error:
        screen.say(f"{error.message} {error.hint}".strip())
        return
    for entry in found[:8]:
        screen.say(*(line(text) for text in entry_text(entry).splitlines()))
    if len(found) > 8:
        screen.say(_("And more: {words}").format(words=", ".join(entry.word for entry in found[8:])))


def _undo(screen: Conversation, everything: bool) -> None:
    """Undo the last step of the draft, or all of it."""
    done = screen.session.reset() if everything else screen.session.undo()
    if not done:
        screen.say(_("There is nothing to take back. What is sent can only be taken back with everybody's consent."))


def _why(screen: Conversation, rest: str) -> None:
    """Show the refused options by reason; for options that begin with the text also the rule. For a bot's name, ask the
    bot why it moved, and show only options that begin with the name: many speak of a seat."""
    from client.session import lookup
    from client.words.reference import entries

    choices, controls = screen.session.choices, screen.session.controls
    found = {} if choices is None else choices.why(rest)
    if (len(rest) > 1 or not found) and table.bot_named(screen, rest) is not None:
        table.ask(screen, rest)
        begun = {reason: [each for each in found[reason] if plain(each).startswith(plain(rest))] for reason in found}
        found = {reason: options for reason, options in begun.items() if options}
    elif not found:
        screen.say(_("Nothing like that is refused now.") if rest else _("Nothing is refused now."))
    if choices is None or controls is None or not found:
        return
    known, codes = entries(controls.match.spec) if rest else [], choices.codes()
    for reason, options in found.items():
        head = ", ".join(options) if rest and not all(map(str.isdecimal, options)) else few(options)
        text = f"{head}: {reason} {lookup.rule_text(controls.match.spec.id, known, codes[reason])}".rstrip()
        screen.say(*(line(part) for part in wrapped(text, screen.width, "    ")))


def _hold(screen: Conversation, rest: str) -> None:
    """Hold until the end of the phase, or of what is typed; or end holding."""
    until = _until(rest or UNTIL[0])
    if until is None:
        screen.say(_("Say how long: phase, round or game."))
        return
    match screen.session.hold(until):
        case True:
            said = _("You say no to such questions {until}; hold again, and you are asked.")
            screen.say(said.format(until=until_text(until)))
        case False:
            screen.say(_("You are asked again."))
        case None:
            screen.say(_("No question is open that “hold” could answer with no."))


def _until(word: str) -> str | None:
    """The duration for a typed word."""
    own = {_("phase"): "phase", _("round"): "round", pgettext("until", "game"): "game"}
    word = own.get(word.lower(), word.lower())
    return word if word in UNTIL else None


def _order(screen: Conversation, rest: str) -> None:
    """Make the last answer of the draft a standing order; end an order; list orders."""
    draft, orders = screen.session.draft, screen.session.standing()
    off, _space, number = rest.lower().partition(" ")
    if off in ("off", _("off")):
        at = 1 if len(orders) == 1 and not number else number_of(number) or 0
        if not 1 <= at <= len(orders):
            screen.say(_("Say which: order off 1.") if orders else _("There is no standing order."))
            return
        screen.session.lift(orders[at - 1])
    elif rest:
        until = _until(rest)
        if until is None:
            screen.say(_("Say how long: phase, round or game."))
            return
        if draft is None or not draft.answered:
            screen.say(_("Pick the answer first; then order makes it the answer to all such questions."))
            return
        screen.session.order(len(draft.answered) - 1, until)
        screen.say(_("What is picked now is still to be sent. From then on:"))
    _orders(screen)


def _orders(screen: Conversation) -> None:
    orders = screen.session.standing()
    screen.say(_("Standing orders:") if orders else _("There is no standing order."))
    for number, order in enumerate(orders, 1):
        text = f"{number:3}  {order_text(order, screen.session.display_names)}"
        screen.say(*(line(part) for part in wrapped(text, screen.width, "     ")))


def _fight(screen: Conversation, _rest: str) -> None:
    """Fight on with the advised answers."""
    if not screen.session.fight_on():
        screen.say(_("No battle is under way that could be fought on as advised."))


def _guide(screen: Conversation, _rest: str) -> None:
    """Switch the advice for a first game off or on."""
    screen.guided = not screen.guided
    screen.say(_("Questions come with advice again.") if screen.guided else _("No more advice."))


def _page(screen: Conversation, _rest: str) -> None:
    """Show a new address of the page; each address works for one browser."""
    screen.show(screen.page or (lambda: _("There is no page: start with --web for one.")))


COMMANDS: Final[Sequence[LineCommand]] = (
    LineCommand(
        ("log",),
        N_("[N | battles | dice | mine | chat | NAME | WORD]"),
        N_("what happened: the last 20 or N sentences, those of a kind or a player, or those with WORD"),
        told.log,
    ),
    LineCommand(("since",), "", N_("what happened since your last answer"), told.since),
    LineCommand(("send",), "", N_("send the answers picked so far; that is final"), lambda screen, _: screen.send()),
    LineCommand(
        ("u", "undo"),
        "",
        N_("take the last step back that is not sent yet"),
        lambda screen, _: _undo(screen, False),
    ),
    LineCommand(("U", "reset"), "", N_("take back all that is not sent yet"), lambda screen, _: _undo(screen, True)),
    LineCommand(("fight-on",), "", N_("in a battle: fight on as is advised until something is lost"), _fight),
    LineCommand(("why",), N_("[TEXT]"), N_("what is not possible now, and why; with a bot's name as ask"), _why),
    LineCommand(("hint",), "", N_("what the best bot would answer here, and why"), table.hint),
    LineCommand(("guide",), "", N_("advice for a first game with the questions, off or on"), _guide),
    LineCommand(("moves", "options"), "", N_("show again what is asked"), lambda screen, _: screen.ask()),
    LineCommand(
        (DO,), N_("ANSWER, …"), N_("answer and go on in one line: do 2, send"), lambda screen, _rest: screen.ask()
    ),
    LineCommand(
        ("where",),
        N_("PLACE"),
        N_("all about one place of the map, in sentences"),
        _where,
    ),
    LineCommand(
        ("hold",),
        N_("[phase | round | game]"),
        N_("say no to such questions until this phase ends; again: be asked"),
        _hold,
    ),
    LineCommand(
        ("order", "orders"),
        N_("[phase | round | game | off N]"),
        N_("give the answer picked last to all such questions until then; end that; alone: list"),
        _order,
    ),
    LineCommand(("table",), "", N_("who plays, who is connected, who is waited for, what is voted on"), table.table),
    LineCommand(SPEECH, N_("[TEXT]"), N_("say something to all at the table, or read what was said"), table.chat),
    LineCommand(("ask",), N_("[BOT]"), N_("ask a bot why it moved as it did; it answers in the chat"), table.ask),
    LineCommand(("vote",), N_("yes | no [N]"), N_("answer a proposal of the others"), table.vote),
    LineCommand(("takeback",), N_("[HEIGHT]"), N_("propose to take the last sent step back"), table.takeback),
    LineCommand(("absent",), N_("NAMES"), N_("propose to go on without a player who is gone or cheated"), table.absent),
    LineCommand(
        ("gone",), N_("NAME"), N_("propose to give somebody up for good: the hand goes back to the decks"), table.gone
    ),
    LineCommand(("leave",), N_("yes"), N_("leave for good: the others play on without you"), table.leave),
    LineCommand(("alone",), N_("yes"), N_("go on alone: a new table that names this one, with bots"), table.alone),
    LineCommand(("owes",), N_("NAME"), N_("sign that a player who cannot be left out does not answer"), table.owes),
    LineCommand(("back",), "", N_("ask to be let in again after having been left out"), table.back),
    LineCommand(
        ("newest",),
        N_("yes"),
        N_("say that this is your newest copy of the table, if nobody can be asked"),
        table.newest,
    ),
    LineCommand(("post",), N_("[FILE]"), N_("at a table by post: what to send to the others"), table.post),
    LineCommand(("read",), N_("FILE"), N_("at a table by post: read what the others sent"), table.read),
    LineCommand(("luck",), "", N_("everybody's luck, compared with chance"), table.luck),
    LineCommand(("doctor",), "", N_("the network: what works here, and what to try"), table.doctor),
    LineCommand(("end",), "", N_("propose to end the game here"), table.end),
    LineCommand(("page",), "", N_("a new address of the board in the browser"), _page),
    LineCommand(("help", "?", "h", "rules"), N_("[WORD]"), N_("this list, or the rules of a word"), _help),
    LineCommand(
        ("quit", "exit", "q"),
        "",
        N_("leave; a table stays and can be resumed, practice is not kept"),
        lambda screen, _rest: screen.go(),
    ),
)
