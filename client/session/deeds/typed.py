# SPDX-License-Identifier: GPL-3.0-or-later
"""What a typed line means: deeds by their names in the language in use or the beginnings of them, and their arguments;
the reply to a line that means nothing; and what each front on a terminal does in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from client.session.choices import ENDS, Choices, Narrowed, few
from client.session.choices import completions as options_of
from client.session.deeds import DEEDS, deeds_of
from client.session.deeds.deed import ANSWERS, DECIDED, PROGRAM, TOPICS, Argument, Deed
from client.session.deeds.kinds import PROPOSAL, TEXT
from client.session.deeds.looked import MAP
from client.session.deeds.others import alone_by
from client.session.deeds.outcomes import Answer, Done, Given, Lacking, NotDone, Told, done
from client.session.notation import yes_or_no
from client.session.session import Session
from client.session.waiting import idle_text
from client.show.document import Cell, Note, TextTable
from client.system.meant import hint_of, nearest
from client.system.names import shown
from client.system.texts import N_, NC_, _
from client.words import refusal_text
from client.words.plain import called, number_of, plain
from engine.core.dataclass import replace
from engine.core.errors import LocalError, Refusal

DO: Final = "do"
"""The deed of a front that takes several answers in one line."""


def named_deeds(deeds: Mapping[str, Deed]) -> Mapping[str, Deed]:
    """Deeds by what is typed for them: in the language in use, without accents, then in English."""
    english = {name: each for each in deeds.values() for name in each.names}
    return {plain(called(name)): each for name, each in english.items() if len(name) > 1} | english


def typed_names(deed: Deed) -> Sequence[str]:
    """What is typed for a deed: in the language in use, then in English."""
    return tuple(dict.fromkeys((*map(called, deed.names), *deed.names)))


def usage(deed: Deed) -> str:
    """The names of a deed and its arguments, as they are typed."""
    return " ".join(filter(None, (", ".join(map(called, deed.names)), _(deed.usage))))


class Typing:
    """Reads the typed lines of one front.

    Attributes:
        offered: the ids of the proposals as they were listed last: a typed number means one of them.
        more: True while further steps of the line follow.
    """

    def __init__(self, session: Session, own: Mapping[str, Callable[[], None]], *words: str) -> None:
        """own: what the front does in its own way, by the ids of deeds. words: options of `starlock resume` for the
        same front."""
        self._session, known = session, {**DEEDS, **OF_FRONTS}
        done_here = {id: replace(known[id], run=_acting(act)) for id, act in own.items()}
        helps = replace(known["help"], run=lambda session, given: _helped(session, self.deeds, given.get("word", "")))
        self._own = {**OF_FRONTS, **done_here, "help": helps, "alone": replace(known["alone"], run=alone_by(*words))}
        self.offered: tuple[str, ...] = ()
        self.more = False

    @property
    def deeds(self) -> Mapping[str, Deed]:
        """The deeds that have a place here, by their ids: those of the lobby take no words from a game."""
        begun = self._session.table.controls is not None
        known = {**deeds_of(self._session), **self._own}
        return {id: each for id, each in known.items() if each.later or not begun}

    def typed(self, text: str) -> Iterator[tuple[Deed, Answer | Narrowed]]:
        """Process a line: a deed, an answer, several separated by `;`, or a yes or no where that is asked. Yields what
        came of each step; the rest of a line is not done after one that means nothing."""
        session = self._session
        if session.left or (session.mail or session).pasted(text):
            return
        if session.asking.awaited is not None and yes_or_no(text):
            yield DEEDS["here"], DEEDS["here"].do(session, {})  # Enter alone is too easily pressed twice
        elif session.questions:
            yield self._replied(next(iter(session.questions.values()))(), text)
        else:
            parts = self.steps(text)
            for number, part in enumerate(parts, 1):
                self.more = number < len(parts)
                deed, answer = self._step(" ".join(part.split()))
                yield deed, answer
                if deed.id == "pick" and not isinstance(answer, Done):
                    break
            self.more = False

    def _replied(self, question: str, text: str) -> tuple[Deed, Answer]:
        said = yes_or_no(text.strip())
        if said is None and self.first(text) == "quit":
            return self.deeds["quit"], self.deeds["quit"].do(self._session, {})
        wanted = Lacking((_("Say yes or no."), question))
        return DEEDS["reply"], wanted if said is None else DEEDS["reply"].do(self._session, {"yes": said})

    def _step(self, text: str) -> tuple[Deed, Answer | Narrowed]:
        """A deed, an option of the question, or nothing, which sends what is picked or asks again."""
        session, choices = self._session, self._session.asking.choices
        sends = not text and session.asking.sendable and choices is None
        done = (DEEDS["send"], DEEDS["send"].do(session, {})) if sends else self.do(text or "options")
        if done is not None:
            return done
        if choices is None:
            return DEEDS["pick"], Lacking([*untimely(session, text, self._suggested)])
        read: Any = choices.read(text)
        if isinstance(read, Refusal):
            return DEEDS["pick"], Lacking([*misread(session, choices, text, read, self._suggested)])
        if isinstance(read, Narrowed):
            return DEEDS["pick"], read
        session.asking.pick(read, self.more)
        return DEEDS["pick"], Done()

    def steps(self, text: str) -> list[str]:
        """The answers and deeds of a typed line: separated by `;`, after `do` by commas too. What is said to all is
        one."""
        found = list[str]()
        if self.first(text) == "chat":
            return [text]
        for part in text.split(";"):
            many = part.split(maxsplit=1)[1:] if self.first(part) == DO else []
            found += many[0].split(",") if many else [part]
        return found

    def first(self, text: str) -> str:
        """The id of the deed whose whole name a line begins with, "" for none."""
        word, named = text.lstrip().partition(" ")[0].removeprefix("/").lower(), named_deeds(self.deeds)
        found = named.get(word) or named.get(plain(word))
        return "" if found is None else found.id

    def do(self, text: str) -> tuple[Deed, Answer] | None:
        """Do the deed that a line names; None if it names none."""
        found = self._meant(text)
        if found is None:
            return None
        deed, rest = found
        reason = deed.why_not(self._session, {})
        given = NotDone(reason) if reason else self._given(deed, rest)
        answer = given if isinstance(given, NotDone | Lacking) else deed.do(self._session, given)
        if deed.topic == DECIDED and deed.id != "vote" and isinstance(answer, Done):
            self.offered = ()
        if deed.id == "table" and isinstance(answer, Told):
            shown, offer = answer.document, [Note(text, indent="") for text in self.offer()]
            answer = replace(answer, document=lambda width: [*shown(width), *offer])
        return deed, answer

    def offer(self) -> list[str]:
        """The open proposals with the numbers that answer them."""
        votes = self._session.votes()
        self.offered = tuple(each.id for each in votes)
        said = _("Proposal {number}, by {name}: {what}.") if len(votes) > 1 else _("{name} proposes: {what}.")
        listed = [said.format(number=n, name=each.name, what=each.text) for n, each in enumerate(votes, 1)]
        if len(votes) > 1:
            return [*listed, _("Say vote yes or vote no, and the number; either is final.")]
        return [*listed, _("Say vote yes or vote no; either is final.")] if votes else []

    def completions(self, text: str) -> list[str]:
        """What completes an unfinished line: options, names of deeds, or an argument."""
        options = options_of(self._session.asking.choices, text) if self._session.asking.choices is not None else []
        text, deeds = text.lower(), self.deeds.values()
        names = dict.fromkeys(name for each in deeds for name in typed_names(each) if len(name) > 1)
        named = [name for name in names if name.startswith(text)]
        return [*dict.fromkeys(options), *named, *self._arguments(text)]

    @property
    def _suggested(self) -> Sequence[str]:
        """The names that a typing mistake may mean: none of what is decided together, such as giving somebody up."""
        harmless = (each for each in self.deeds.values() if each.topic != DECIDED)
        return [name for each in harmless for name in typed_names(each) if len(name) > 1]

    def _arguments(self, text: str) -> list[str]:
        head, space, rest = text.partition(" ")
        deed = named_deeds(self.deeds).get(head) if space else None
        at = 0 if deed is None else min(rest.count(" "), max(len(deed.arguments) - 1, 0))
        if deed is None or not deed.arguments:
            return []
        kind = deed.arguments[at].kind
        *before, last = rest.split(" ", at) if at else [rest]
        known = [] if kind.listed else [text for _value, text in kind.choices(self._session)]
        return [" ".join((head, *before, each)) for each in known if each.lower().startswith(last)]

    def _meant(self, text: str) -> tuple[Deed, str] | None:
        """The deed that a line begins with, and the rest of it: by a whole name that is no option, or by a beginning of
        one that no option shares. A line that begins with / is no option."""
        word, _space, rest = text.partition(" ")
        word, forced = word.removeprefix("/"), word.startswith("/")
        known, choices = named_deeds(self.deeds), self._session.asking.choices
        if not forced and choices is not None and choices.exactly(text):
            return None
        second, _space, left = rest.strip().partition(" ")
        for name, remains in ((f"{word} {second}".rstrip(), left), (word, rest)):
            found = known.get(name) or known.get(plain(name) if len(name) > 1 else name.lower())
            if found is not None:
                return found, remains.strip()
        word = word.lower()
        if not forced and choices is not None and options_of(choices, text):
            return None
        if word == MAP[:1] and MAP in known:
            return known[MAP], rest.strip()
        long = len(word) > 1 - forced
        near = {each.id: each for name, each in known.items() if long and name.startswith(word)}
        return (next(iter(near.values())), rest.strip()) if len(near) == 1 else None

    def _given(self, deed: Deed, text: str) -> Given | Lacking:
        """The arguments of a deed from the rest of a line: one word for each, the rest for the last one; for a final
        deed a yes."""
        if deed.about is not None:
            sure = _("If you are sure: {deed} {yes}").format(deed=called(deed.names[0]), yes=_("yes"))
            return {} if yes_or_no(text) else Lacking((deed.about(), sure))
        found: dict[str, Any] = {}
        for number, argument in enumerate(deed.arguments, 1):
            word, _space, rest = text.partition(" ") if number < len(deed.arguments) else (text, "", "")
            if not word and argument.optional:
                continue
            value = self._value(argument, word)
            if value is None:
                return Lacking(self._lacking(argument, deed, text))
            found[argument.name], text = value, rest.strip()
        return found

    def _value(self, argument: Argument, text: str) -> Any:
        """The value of an argument that a text means, None for none: of a listed one by its number."""
        kind = argument.kind
        if not kind.listed:
            return kind.read(self._session, text)
        open_now = [value for value, _text in kind.choices(self._session)]
        listed = self.offered if kind is PROPOSAL else open_now
        at = number_of(text or "1")
        meant = at is not None and 1 <= at <= len(listed) and (text or len(listed) == 1)
        return listed[at - 1] if meant and at is not None and listed[at - 1] in open_now else None

    def _lacking(self, argument: Argument, deed: Deed, text: str) -> Sequence[str]:
        """What to say where an argument is missing or means nothing. text: the rest of the line."""
        if deed.arguments[-1].kind is not PROPOSAL:
            return (argument.kind.lacking(self._session),)
        if not self._session.votes():
            return (_("Nothing is proposed."),)
        if not self.offered:
            return (_("Read first what is open now:"), *self.offer())
        at, open_now = number_of(text.rpartition(" ")[2]) or 1, [each.id for each in self._session.votes()]
        gone = at <= len(self.offered) and self.offered[at - 1] not in open_now
        return (*([_("What you were asked is not open any more. This is:")] if gone else []), *self.offer())


REASONS: Final = 3
"""Most reasons shown for a refused text."""


def misread(session: Session, choices: Choices, text: str, refusal: Refusal, known: Sequence[str]) -> Iterator[str]:
    """Why a text is no option now, and what may have been meant. known: the deeds that may be suggested."""
    if refusal.code != "notation/unknown":
        yield refusal_text(refusal, session.table.display_names)
        return
    reasons = choices.why(text)
    if reasons:
        for reason, options in list(reasons.items())[:REASONS]:
            yield _("Not now: {options}: {reason}").format(options=few(options), reason=reason)
        return
    yield _("“{text}” is neither an option nor a command. ? helps.").format(text=shown(text))
    yield from _meant(session, text, known)
    divided = choices.divided(text)
    if divided:
        yield _("Several answers in one line stand with ; between them: {text}").format(text=shown(divided))


def untimely(session: Session, text: str, known: Sequence[str]) -> Iterator[str]:
    """That nothing can be picked now, for a text that names no deed."""
    if session.asking.draft is not None:
        yield _("Everything is picked: Enter sends it, u takes a step back.")
    else:
        said = _("“{text}” is no command, and you have nothing to answer now. {idle}")
        yield said.format(text=shown(text), idle=idle_text(session))
    yield from _meant(session, text, known)


def _meant(session: Session, text: str, known: Sequence[str]) -> Iterator[str]:
    """The command or first word of an option that was probably meant, as a question; nothing if none is near, and for a
    word that ends a choice, which is out of place and not misspelt."""
    word = text.partition(" ")[0].lower()
    if word in ENDS:
        return
    firsts = [each.partition(" ")[0].lower() for each in session.asking.choices.texts] if session.asking.choices else []
    hint = hint_of(nearest(word, [*known, *firsts]), "")
    if hint:
        yield hint


# What a front does in its own way -------------------------------------------------------------------------------------


ALL: Final = ("all", "commands")


def _acting(act: Callable[[], None]) -> Callable[[Session, Given], Answer]:
    return done(lambda _session, _given: act())


def _by_front(_session: Session, _given: Given) -> Answer:
    raise LocalError("each front on a terminal does this in its own way")


OF_FRONTS: Final[Mapping[str, Deed]] = {each.id: each for each in (
    Deed("options", (NC_("command", "options"),), N_("show again what is asked"), ANSWERS, _by_front),
    Deed(DO, (NC_("command", "do"),), N_("answer and go on in one line: do 2, send"), ANSWERS, _by_front,
         N_("ANSWER, …")),
    Deed("page", (NC_("command", "page"),), N_("a new address of the board in the browser"), PROGRAM, _by_front,
         before=True),
    Deed("help", (NC_("command", "help"), "?", "h"), N_("this list, or the rules of a word"), PROGRAM, _by_front,
         N_("[WORD]"), arguments=(Argument("word", TEXT, optional=True),), before=True),
)}  # fmt: skip
"""The deeds that only fronts on a terminal have, by their ids."""


def _helped(session: Session, deeds: Mapping[str, Deed], word: str) -> Answer:
    """How to answer and the deeds by topic; or all deeds, one deed, or the rules for a word."""
    typed = [each for each in deeds.values() if each.names]
    named = named_deeds(deeds)
    about = named.get(word) or named.get(plain(word))
    if word in ALL or word == _("all"):
        return _usages(typed)
    if about is not None:
        return _usages([about])
    if word:
        return DEEDS["rules"].do(session, {"word": word})
    topics = [
        (f"  {_(topic)}", ", ".join(called(each.names[0]) for each in typed if each.topic == topic)) for topic in TOPICS
    ]
    last = _("? COMMAND tells about one, ? all about all of them, ? WORD the rules of a word.")
    table = TextTable((), [(Cell(topic), Cell(names)) for topic, names in topics if names])
    return Told(_("Help"), lambda _width: [*_manner(session), table, Note(last, indent="")])


def _manner(session: Session) -> list[Note]:
    example = session.table.pictures.questions.example
    texts = (
        _("An answer is a number of the list, its letter, its words, or beginnings of some of them."),
        _("So you may type {example}.").format(example=_(example)) if example else "",
        _("Players are picked by their letter or name. Where an amount is asked for, a number is the amount."),
        _("Several answers stand in one line with ; between them. Enter alone sends when nothing is left to choose."),
        _("Tab completes what you type."),
    )
    return [Note(text, indent="") for text in texts if text]


def _usages(deeds: Sequence[Deed]) -> Told:
    table = TextTable((), [(Cell(f"  {usage(each)}"), Cell(_(each.does))) for each in deeds])
    return Told(_("Help"), lambda _width: [table])
