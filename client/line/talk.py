"""The conversation with a person: what is asked and told goes in, typed lines go in, lines to show come out.

No terminal and no waiting here, so that tests can talk to it as a terminal does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from client.line import commands
from client.line.draft import Draft
from client.line.hold import Holding
from client.line.menu import Menu, Narrowed, completions
from client.line.said import answer_text, forms
from client.names import shown
from client.player import Asked, Desk, Notice, refusal_of
from client.show.pictures import Frame, Pictures, pictures
from client.show.styled import Glyphs, Line, line, owner_style, wrapped
from client.table.words import owed_text
from client.texts import _
from client.wording import PLAIN, Called, called_at, event_text, refusal_text
from client.wording.asking import prompt_text
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.values import Value
from engine.core.waits import Choose

__all__ = ["Talk"]

NOBODY: Final = Seat(-1)
"""Whose view shows what everybody may see."""

KEPT: Final = 5000
"""Sentences of the log that are kept."""

LAST: Final = 8
"""Sentences that are shown when a table is resumed."""
YES: Final = ("y", "yes")
NO: Final = ("n", "no")

Send = Callable[[Asked, Sequence[Value]], None]


class Talk:
    """send: called with complete answers; leave: called when the person wants to go.

    log: every sentence of the game so far, with the height it was told at; sent_at: the height of the last answer;
    chat: what everybody has said; menu: the options of the draft; holding: who says no by itself; left: whether the
    person has left.
    """

    def __init__(self, glyphs: Glyphs, width: Callable[[], int], send: Send, leave: Callable[[], None]) -> None:
        self.glyphs = glyphs
        self.log: list[tuple[int, str]] = []
        self.chat: list[str] = []
        self.desk: Desk | None = None
        self.draft: Draft | None = None
        self.pictures: Pictures = pictures("")
        self.called: Called = PLAIN
        self.sent_at: int | None = None
        self.left = False
        self._width, self._send, self._leave = width, send, leave
        self._waiting: list[Asked] = []
        self.holding = Holding()
        self._sent: list[Event] = []
        self._out: list[Line] = []
        self.menu: Menu | None = None
        self._more = False
        self._questions: list[tuple[str, Callable[[bool], None]]] = []

    @property
    def width(self) -> int:
        """Columns to write in."""
        return max(self._width() - 1, 40)

    @property
    def names(self) -> list[str]:
        """The names of all seats."""
        return [self.desk.name(seat) for seat in range(self.desk.genesis.seats)] if self.desk else []

    def take(self) -> list[Line]:
        """The lines to show since the last call."""
        taken, self._out = self._out, []
        return taken

    def say(self, *lines: Line | str) -> None:
        """Show lines; texts are wrapped."""
        for each in lines:
            if isinstance(each, str):
                self._out += [line(part) for part in wrapped(each, self.width)] if each else [line("")]
            else:
                self._out.append(each)

    # The table talks -------------------------------------------------------------------------------------------------

    def sit(self, desk: Desk) -> None:
        """The table begins or goes on."""
        self.desk, self.pictures, self.called = desk, pictures(desk.genesis.game), called_at(desk.match.spec)
        self.log = [
            (height, event_text(event, self.names, self.called)) for height, told in desk.history for event in told
        ][-KEPT:]
        for seat, name in enumerate(self.names):
            mine = _("you") if seat in desk.seats else ""
            self.say(line((owner_style(seat), f"{chr(ord('A') + seat)}"), f"  {name}  {mine}".rstrip()))
        if self.log:
            self.say(_("What happened last:"))
            self.say(
                *(line(part) for _height, text in self.log[-LAST:] for part in wrapped("· " + text, self.width, "  "))
            )
        self.say(_("Type ? for help, map for the map, quit to leave; the table stays and can be resumed."))

    def show(self, text: str) -> None:
        """Lines as they are; a long word such as a ticket is not broken, so that it can be copied."""
        for text_line in text.split("\n"):
            self.say(line(text_line) if " " not in text_line else text_line)

    def confirm(self, question: str, answered: Callable[[bool], None]) -> None:
        """Ask for a yes or no before the table begins."""
        self._questions.append((question, answered))
        self.say(question)

    def confirmed(self, answered: Callable[[bool], None]) -> None:
        """The question is answered, or of no interest any more."""
        self._questions = [each for each in self._questions if each[1] is not answered]

    def asked(self, asked: Asked) -> None:
        """A seat owes an answer."""
        self._waiting.append(asked)
        if asked.refusal is not None:
            self.say(
                _("That was not taken: {reason}").format(reason=refusal_text(refusal_of(asked.refusal), self.called))
            )
        if len(self._waiting) == 1:
            self._begin()

    def withdrawn(self, asked: Asked) -> None:
        """An answer is not wanted any more, or has been taken."""
        if asked in self._waiting:
            first = self._waiting[0] is asked
            self._waiting.remove(asked)
            if first:
                self.draft = self.menu = None
                self._begin()

    def told(self, height: int, events: Sequence[Event]) -> None:
        """The game has something to say; what a sent draft has said already is not repeated."""
        for event in events:
            text = event_text(event, self.names, self.called)
            self.log.append((height, text))
            if self._sent and self._sent[0] == event:
                del self._sent[0]
            else:
                self._sent = []
                self.say(*(line(part) for part in wrapped("· " + text, self.width, "  ")))
        del self.log[:-KEPT]

    def notice(self, notice: Notice) -> None:
        """Something happened at the table."""
        from client.table.words import notice_text

        if notice.code == "chat" and notice.fields["text"] is not None:
            said = f"<{notice.fields['name']}> {shown(str(notice.fields['text']))}"
            self.chat.append(said)
            self.say(*(line(part) for part in wrapped(said, self.width, "  ")))
            return
        if notice.code == "rewound":
            self._sent = []
            self.log = [(height, text) for height, text in self.log if height < int(notice.fields["height"])]
        text = notice_text(notice)
        if text:
            self.say(*(line(part) for part in wrapped("* " + text, self.width, "  ")))
        if notice.code == "vote/open" and self.desk is not None and self.desk.votes():
            self.say(_("Say vote yes or vote no; either is final."))

    # The person talks ------------------------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """A line was typed: an answer, several with `;` between them, or a command."""
        if self.left:
            return
        if self._questions:
            self._reply(text.strip().lower())
            return
        parts = [text] if _is_speech(text) else text.split(";")
        for number, part in enumerate(parts, 1):
            self._more = number < len(parts)
            if not self._typed(" ".join(part.split())):
                break
        self._more = False

    def prompt(self) -> str:
        """What stands before the line that is typed."""
        if self.left:
            return ""
        if self._questions:
            return _("yes or no") + "> "
        if self.draft is None:
            if self.desk is not None and self.holding.seats(self.pictures, self.desk.match):
                return _("holding") + "> "
            return (_("watching") if self.desk is not None and not self.desk.seats else _("waiting")) + "> "
        seat = self.draft.asked.seat
        mark = "*" * bool(self.draft.values or self.draft.so_far)
        return f"{self.names[seat]}{mark}> "

    def status(self) -> str:
        """One line on how things stand, for the foot of the screen."""
        if self.desk is None:
            return ""
        return self.pictures.status(self.frame())

    def complete(self, text: str) -> list[str]:
        """What the text may become: whole options and commands."""
        return [*self.complete_options(text), *commands.completions(self, text)]

    def complete_options(self, text: str) -> list[str]:
        """The options that the text may become."""
        return [*dict.fromkeys(completions(self.menu, text))] if self.menu else []

    def frame(self, words: Sequence[str] = ()) -> Frame:
        """What pictures are drawn of: the draft while there is one, else the table as it stands."""
        assert self.desk is not None
        if self.draft is not None:
            view = self.draft.view()
        else:
            match, seats = self.desk.match, self.desk.seats
            if len(seats) == 1:
                view = match.view(seats[0], self.desk.lens(seats[0]), copy=False)
            else:  # several people at one terminal: nobody's secrets, drawn as the first of them sits
                view = replace(match.view(NOBODY, copy=False), seat=Seat(seats[0] if seats else NOBODY))
        return Frame(view, self.names, self.glyphs, words, self.width, self.called)

    # Answers ---------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Show what is asked: what to look at, the options, what is not possible, the draft so far."""
        draft = self.draft
        if draft is None:
            self.say(self._idle())
            return
        self._read_options()
        if draft.ask is None:
            self.say(self._picked(draft))
            self.say(
                _("Enter sends it. Dice, cards or others go on from there, so that is final; u takes a step back.")
            )
            return
        frame = self.frame()
        self.say("", *self.pictures.before(frame, draft.ask))
        question = self.pictures.question(frame, draft.ask, draft.so_far)
        question = question or prompt_text(draft.ask, self.names, self.called)
        self.say(*(line(("question", part)) for part in wrapped(question, self.width)))
        self._list()
        if draft.empty and self.pictures.waive(draft.ask) is not None:
            self.say(_("Type hold to say no now and to all further such questions of this phase."))
        if draft.so_far:
            self.say(_("So far: {picks}").format(picks=self._text(draft.ask, draft.so_far)))
        if draft.values:
            self.say(self._picked(draft))

    def send(self) -> None:
        """Send the draft."""
        draft = self.draft
        if draft is None or not draft.values:
            self.say(_("There is nothing to send."))
        elif draft.so_far:
            self.say(_("This answer lacks something: choose on, or take it back with u."))
        else:
            self._sent = [event for told in draft.told for event in told]
            self.sent_at = draft.asked.height
            self.give(draft.asked, draft.values)

    def give(self, asked: Asked, values: Sequence[Value]) -> None:
        """Give an answer, whatever was drafted."""
        self.draft = self.menu = None
        self._send(asked, tuple(values))

    def go(self) -> None:
        """Leave the table; it stays."""
        self.left = True
        self.say(_("The table stays; resume goes on with it."))
        self._leave()

    def _reply(self, text: str) -> None:
        question, answered = self._questions[0]
        if text in YES or text == _("yes"):
            answered(True)
        elif text in NO or text == _("no"):
            answered(False)
        elif text in ("quit", "exit"):
            self.go()
        else:
            self.say(_("Say yes or no."), question)

    def _typed(self, text: str) -> bool:
        """Do what one line says; False when it could not be done."""
        draft = self.draft
        if not text:
            if draft is not None and draft.values and draft.ask is None:
                self.send()
            else:
                self.ask()
            return True
        if commands.run(self, text):
            return True
        if draft is None or self.menu is None or draft.ask is None:
            self.say(_("“{text}” is no command; ? lists them. {idle}").format(text=shown(text), idle=self._idle()))
            return False
        return self._answer(draft, self.menu, text)

    def _answer(self, draft: Draft, menu: Menu, text: str) -> bool:
        read: Any = menu.read(text)
        if isinstance(read, Refusal):
            if read.code == "notation/unknown":
                divided = menu.divided(text)
                self.say(_("“{text}” is neither an option nor a command. ? helps.").format(text=shown(text)))
                if divided:
                    self.say(
                        _("Several answers in one line stand with ; between them: {text}").format(text=shown(divided))
                    )
            else:
                self.say(refusal_text(read, self.called))
            return False
        if isinstance(read, Narrowed):
            self._list(read.options)
            return False
        for event in draft.pick(read):
            self.say(
                *(line(part) for part in wrapped("~ " + event_text(event, self.names, self.called), self.width, "  "))
            )
        no = self.pictures.waive(draft.asked.ask)
        if self._more:
            self._read_options()
        elif draft.ask is None and no is not None and draft.values == [no]:
            self.send()  # a plain no to what is asked all the time: nothing to look over
        else:
            self.ask()
        return True

    def _picked(self, draft: Draft) -> str:
        answers = "; ".join(self._text(ask, value) for ask, value in draft.answered)
        return _("Picked, not sent: {answers}").format(answers=answers)

    def _text(self, ask: Choose[Any], answer: Value) -> str:
        return answer_text(self.pictures, self.names, ask, answer)

    def _begin(self) -> None:
        if self._waiting:
            asked = self._waiting[0]
            self.draft = Draft(asked)
            said = self.holding.answer(self.pictures, asked)
            if said is None:
                self.ask()
            else:
                self.give(asked, (said,))

    def _read_options(self) -> None:
        draft = self.draft
        if draft is None or draft.ask is None:
            self.menu = None
            return
        ask, frame, so_far = draft.ask, self.frame(), draft.so_far
        shows, names = self.pictures, self.names
        self.menu = Menu(
            draft,
            lambda option: shows.hint(frame, ask, option, so_far),
            shows.aside,
            self.called,
            lambda option: forms(shows, names, ask, option, so_far),
        )

    def _list(self, only: Sequence[int] | None = None) -> None:
        if self.menu is None:
            return
        for text in self.menu.lines(self.width, only):
            self._out.append(line(text))
        if only is None:
            for text in self.menu.reasons(self.width):
                self._out.append(line(("faint", text)))

    def _idle(self) -> str:
        if self.desk is None:
            return _("The table has not begun.")
        debts = {name: owed_text(kind) for name, kind in self.desk.debts().items()}
        named = ", ".join(f"{name} ({owed})" if owed else name for name, owed in debts.items())
        return _("Waiting for {names}.").format(names=named) if named else _("Nobody has to answer now.")


def _is_speech(text: str) -> bool:
    """Whether the line is said to the others as it is."""
    return text.lstrip().split(" ")[0].lower().removeprefix("/") in commands.SPEECH
