# SPDX-License-Identifier: GPL-3.0-or-later
"""A session as lines: questions, news and typed lines come in, lines to show come out.

The session holds the state; this module lays it out. It uses no terminal and never waits, so that tests can drive it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from client.fronts.line.terminal import CLEARED, ENDLESS
from client.session.choices import Choices, Narrowed
from client.session.deeds import DEEDS
from client.session.deeds.deed import Deed
from client.session.deeds.outcomes import Answer, Done, Errand, Lacking, NotDone, Told
from client.session.deeds.typed import DO, Typing
from client.session.menu import FEW, MenuEntry, begun, entries
from client.session.news import Announced, ChatMessage, LoggedEvent, continues, joined, teller
from client.session.past import verifiers
from client.session.session import Session
from client.session.view import SessionView, view_of
from client.session.view_records import Ask
from client.session.waiting import draft_document, foot, idle_text, question_document, refused_text, stopped_document
from client.show.document import Note
from client.show.lines import ROWS, lines
from client.show.styled import Line, line, owner_letter, owner_style, padded, wrapped
from client.system.names import columns
from client.system.texts import _
from client.table.notices import DivergenceFound, StateDiverged, VoteNotice, VoteStage
from client.words.plain import called
from client.words.ways import named
from p2p.lockstep.machine import RefusalLike

LAST: Final = 8
"""Sentences shown when a table is resumed."""
FEWEST: Final = 10
"""The least rows of a page."""


def _typed(id: str) -> str:
    """What is typed for a deed; a yes takes a shared screen."""
    return "y" if id == "here" else called(DEEDS[id].names[0])


class LineScreen:
    """A session as a conversation: one of its screens.

    Attributes:
        session: where deeds are done; what it shows is in `view`.
        link: returns a new address of the page in the browser, each for one browser, or says that there is none.
        hand_over: leaves the table to the page; returns False if no page continues it.
        typing: reads typed lines.
    """

    def __init__(
        self,
        session: Session,
        width: Callable[[], int],
        write: Callable[[], None] = lambda: None,
        *,
        height: Callable[[], int] = lambda: ENDLESS,
    ) -> None:
        """width: columns of the screen; write: called when there are lines to take; height: rows of the screen: longer
        output is shown page by page."""
        self.session = session
        session.screens.append(self)
        self._width, self._write, self._height = width, write, height
        self._rest: list[Line] = []
        self._answering = False
        own = {"options": self.ask, DO: self.ask, "page": lambda: self.show(self.link), "quit": self.go}
        self.typing = Typing(session, own, "--linear")
        self._advised = set[str]()
        self._out: list[Line] = []
        self._run: list[LoggedEvent] = []
        self._mark, self._sent = "", -1
        self.link: Callable[[], str] = lambda: _("There is no page: start with --web for one.")
        self.hand_over: Callable[[], bool] = lambda: False

    @property
    def width(self) -> int:
        return max(self._width() - 1, 40)

    @property
    def view(self) -> SessionView:
        return view_of(self.session)

    @property
    def telling(self) -> bool:
        """True while an action is being shown that may go on."""
        return bool(self._run)

    def take(self, *, finished: bool = False) -> list[Line]:
        """The lines to show since the last call. finished: True to keep an unfinished action."""
        if not finished:
            self._tell_run()
            self._receive()
        taken, self._out = self._out, []
        return [tuple((style, named(text, _typed)) for style, text in each) for each in taken]

    def say(self, *lines: Line | str) -> None:
        """Show lines; texts are wrapped."""
        self._tell_run()
        for each in lines:
            if isinstance(each, str):
                self._out += [line(part) for part in wrapped(each, self.width)] if each else [line("")]
            else:
                self._out.append(each)

    # The session talks -----------------------------------------------------------------------------------------------

    def begun(self) -> None:
        view = self.view
        for seat, name in enumerate(view.names):
            mine = _("you") if seat in view.own else ""
            self.say(line((owner_style(seat), owner_letter(seat)), f"  {name}  {mine}".rstrip()))
        if view.log:
            self.say(_("What happened last:"))
            self._marked("· ", view.log[-LAST:])
        kept = _("Type ? for help, map for the map, quit to leave; the table stays and can be resumed.")
        self.say(kept if view.lasting else _("Type ? for help, map for the map, quit to leave."))

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines as they are; a long word such as a ticket is not broken, so that it can be copied."""
        for text_line in told().split("\n"):
            self.say(line(text_line) if " " not in text_line else text_line)

    def questioned(self) -> None:
        self.say(self.view.questions[-1])

    def asked(self, refusal: RefusalLike | None) -> None:
        """Show the question of a new draft, or ask another person to take the screen."""
        view = self.view
        if view.awaited is not None:
            self._tell_run()
            self._rest = []
            self.say(CLEARED)
            self._marked("· ", view.log[-LAST:])
        if refusal is not None:
            self.say(refused_text(view, refusal))
        self._tell_run()
        self._receive()
        start = len(self._out)
        self.ask()
        if not self._answering:
            self._page(start)

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        self._marked("~ ", caused)
        if not self.typing.more:
            self.ask()

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent]) -> None:
        self._marked("· ", news)

    def noticed(self, news: ChatMessage | Announced) -> None:
        if isinstance(news, ChatMessage):
            self.say(*(line(part) for part in wrapped(f"<{news.name}> {news.text}", self.width, "  ")))
            return
        vote = news.about if isinstance(news.about, VoteNotice) else None
        asked = vote is not None and bool(self.view.votes)
        if news.text and not (asked and vote is not None and vote.stage is VoteStage.OPEN):
            self.say(*(line(part) for part in wrapped("* " + news.text, self.width, "  ")))
        if isinstance(news.about, StateDiverged | DivergenceFound):
            self.say(*lines(stopped_document(self.session), self.width))
        if vote is not None:
            self.typing.offered = ()
        if asked:
            self.say(*self.typing.offer())

    def changed(self) -> None:
        """Tell the terminal that there may be lines to write; not while an answer is not yet paged."""
        if not self._answering:
            self._receive()
            self._write()

    def _receive(self) -> None:
        """Say who has verified what was sent, once all linked members have, by post all members; but not in the middle
        of an action that is being shown."""
        names = None if self._run or self._sent < 0 else verifiers(self.session, self._sent)
        if names is not None:
            step, self._sent = self._sent, -1
            self.say(*([_("Step {n} verified by {names}.").format(n=step, names=", ".join(names))] if names else []))

    def _receipt(self) -> str:
        """The numbers of the steps that were sent just now. Who has verified the newest holds all before it."""
        view = self.view
        assert view.given is not None
        first, self._sent = view.given[0], view.given[-1]
        if view.post:  # a letter takes it to the others
            text = _("Signed as step {n}.") if first == self._sent else _("Signed as steps {first} to {n}.")
        else:
            text = _("Sent as step {n}.") if first == self._sent else _("Sent as steps {first} to {n}.")
        return text.format(first=first, n=self._sent)

    def _marked(self, mark: str, told: Iterable[LoggedEvent]) -> None:
        """Show events, one paragraph for each seat's turn."""
        view = self.view
        for each in told:
            if mark != self._mark or not continues(self._run, each, view.names, view.pictures.questions.opening):
                self._tell_run()
            self._run.append(each)
            self._mark = mark
            if not teller(each, view.names):
                self._tell_run()

    def _tell_run(self) -> None:
        """Show the collected sentences of one seat."""
        if self._run:
            run, self._run = self._run, []
            text = self._mark + joined(run, teller(run[0], self.view.names))
            self._out += [line(part) for part in wrapped(text, self.width, "  ")]

    # The person talks ------------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Process a typed line: one answer, several separated by `;`, or a command. Enter alone shows the rest of long
        output."""
        self._tell_run()
        start, given, self._answering = len(self._out), self.view.given, True
        if self._rest and not text.strip():
            self._out += self._rest
        else:
            for deed, answer in self.typing.typed(text):
                self._answered(deed, answer)
            if self.view.given is not given:
                self.say(self._receipt())
        self._answering, self._rest = False, []
        self._page(start)

    def _page(self, start: int) -> None:
        """Hold back those of the lines from `start` on that do not fit on the screen."""
        room = max(self._height() - 2, FEWEST)
        if len(self._out) - start > room:
            self._tell_run()
            self._rest = self._out[start + room - 1 :]
            del self._out[start + room - 1 :]
            self._out.append(line(("faint", _("… {n} more lines: Enter").format(n=len(self._rest)))))

    def prompt(self) -> str:
        """The prompt before the typed line."""
        view = self.view
        if view.left:
            return ""
        if view.question is not None:
            return _("yes or no") + "> "
        if view.awaited is not None:
            return _("{name}: y").format(name=view.names[view.awaited]) + "> "
        if view.draft is None:
            if view.held:
                return _("holding") + "> "
            if view.stopped:
                return _("stopped") + "> "
            return (_("watching") if view.begun and not view.own else _("waiting")) + "> "
        return f"{view.names[view.draft.asked.seat]}{'*' * (not view.draft.empty)}> "

    def status(self) -> str:
        """The status line at the foot of the screen, which begins with who is waited for."""
        view = self.view
        shown = foot(self.session, view.pictures.documents.standing(view.frame((), self.width))) if view.begun else ""
        return named(shown, _typed)

    def complete(self, text: str) -> list[str]:
        return self.typing.completions(text)

    # Answers ---------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Show the question: what to look at first, the options, refusals, the draft so far."""
        view, draft = self.view, self.view.draft
        if draft is None:
            self.say(idle_text(self.session))
            return
        told = [Note(_("Draft, not sent"), "title", ""), *draft_document(view)]
        if draft.ask is None:
            self.say(*lines(told, self.width))
            return
        ask = view.ask
        assert ask is not None
        question, *more = question_document(view)
        self.say("", *lines([*ask.before, question], self.width))
        self._advise(draft.ask.word)
        self._list()
        self.say(*lines(more, self.width))
        if ask.hold:
            self.say(_("Type hold to say no now and to all further such questions of this phase."))
        if draft.values:
            self.say(*lines(told[:-1], self.width))

    def _advise(self, word: str) -> None:
        """Show the advice for a first game, once for each kind of question. word: the kind."""
        if advice := self.view.advice if word not in self._advised else "":
            advice += "" if self._advised else " " + _("({word}: no more advice)").format(word=called("guide"))
            self._advised.add(word)
            self.say(*(line(("faint", f"  {part}")) for part in wrapped(advice, self.width - 2)))

    # Deeds -----------------------------------------------------------------------------------------------------------

    def _answered(self, deed: Deed, answer: Answer | Narrowed) -> None:
        match answer:
            case Done(text) | NotDone(text):
                self.say(*filter(None, [text]))
            case Lacking(texts):
                self.say(*texts)
            case Told(_title, document):
                self.say(*lines(document(self.width), self.width, ROWS))
            case Narrowed(options):
                self._list(options)
            case Errand(_title, text, start):
                self.say(text)
                start(self._found)
        if deed.id == "send" and isinstance(answer, NotDone):
            self.ask()

    def _found(self, lines: Sequence[str]) -> None:
        self.say(*lines)
        self.changed()

    def go(self) -> None:
        """Leave the table, which can be resumed; if a page continues it, leave only this screen."""
        if not self.hand_over():
            if self.view.lasting and self.view.begun:
                self.say(_("The table stays; resume goes on with it."))
            self.session.leave()

    def _list(self, only: Sequence[int] | None = None) -> None:
        view = self.view
        if view.ask is None or view.choices is None:
            return
        self.say(*map(line, option_lines(view.ask, view.choices, self.width, only)))
        if only is None:
            self.say(*(line(("faint", text)) for text in refused_lines(view.ask, self.width)))


MOST: Final = 24
"""Most options listed one by one; a terminal scrolls."""
REASONS: Final = 4
"""Reasons listed below the options."""


def option_lines(ask: Ask, choices: Choices, width: int, only: Collection[int] | None = None) -> Iterator[str]:
    """The options, or only some of them, as a list with hints and prices."""
    for entry in entries(ask, choices.display_names, only, most=MOST):
        single = len(entry.options) <= FEW
        if single or (entry.amount and len(entry.options) <= MOST and any(map(choices.about, entry.options))):
            for at in entry.options:
                yield from _option(choices, at, width)
        else:
            yield from _several(choices, entry, width)


def refused_lines(ask: Ask, width: int) -> Iterator[str]:
    """The refused options in short: one line for each reason."""
    for refused in ask.refused[:REASONS]:
        yield from wrapped(f"  x  {refused.text}", width, " " * 5)
    if len(ask.refused) > REASONS:
        yield _("  x  … and more: type why")


def _option(choices: Choices, at: int, width: int) -> list[str]:
    about, text = choices.about(at), choices.shown(at)
    head = "     " if choices.amounts else f"{choices.numbers[at]:3}  " + f"{choices.letters[at].upper()} ".lstrip()
    if not about or about == text:
        return wrapped(head + text, width, " " * (len(head) + 4))
    column = min(max(columns(text), 26), width // 2)
    return wrapped(f"{head}{padded(text, column)}  {about}", width, " " * (len(head) + 4))


def _several(choices: Choices, entry: MenuEntry, width: int) -> list[str]:
    """Numbers from the first to the last, or a group with the words that follow."""
    texts = [choices.texts[at] for at in entry.options]
    if entry.amount and choices.amounts:
        return [f"     {texts[0]} … {texts[-1]}"]
    numbers = "" if choices.amounts else f"{choices.numbers[entry.options[0]]}-{choices.numbers[entry.options[-1]]}"
    prefix = begun(texts)
    rest = [text[len(prefix) :].lstrip(":,;( ").partition(" ")[0] for text in texts]
    following = f"{rest[0]} … {rest[-1]}" if entry.amount else ", ".join(filter(None, dict.fromkeys(rest)))
    return wrapped(f"{numbers:>7}  {prefix} … ({len(texts)}): {following}", width, " " * 9)
