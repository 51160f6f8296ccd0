# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof of each step of a table: its authors, its signed entries, its dice and cards, the members that hold it; and
what is sealed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import localtime, strftime
from typing import Final

from client.proof.audit_chance import name_of
from client.proof.luck import LUCK_NOTE, luck, luck_lines
from client.session.news import joined, teller
from client.session.past import members_of, verified_by
from client.session.session import Session
from client.session.troubles import doubtful
from client.show.document import Cell, Note, Part, Sheet, TextTable
from client.show.pictures import pictures
from client.show.styled import owner_letter
from client.system.texts import N_, _
from client.table.notices import DivergenceFound, SplitFound, StateDiverged
from client.table.words import owed_text
from client.words.rolls import purpose_text
from engine.core.dataclass import dataclass
from p2p.lockstep.account import RollReport, StepReport

CHANCE: Final[Mapping[str, str]] = {
    "shuffle": "cards",
    "deal": "cards",
    "show": "cards",
    "seal": "seal",
    "reveal": "opened",
}
"""What a step waits for → what was hidden or random in it."""
PARTS: Final[Mapping[str, str]] = {
    "shuffle": N_("mixed in turn by {names}, each with a proof that no card was changed ✓"),
    "remask": N_("sealed anew by {names}, with a proof ✓"),
    "tag": N_("blinded in turn by {names}, each with a proof ✓"),
    "share": N_("unlocked by {names}, each with a proof that the share is the right one ✓"),
    "seal": N_("fixed by {names}, before anything is opened ✓"),
    "reveal": N_("opened by {names}, as it was fixed ✓"),
    "partial": N_("unlocked by {names} for who was silent ✓"),
}
"""What members do to cards and choices, by the kind of their entries."""
SHORT: Final = 8
"""Letters shown of a commitment or a seed."""


@dataclass(frozen=True, slots=True)
class ProvenStep:
    """One step of the table.

    Attributes:
        height: its number.
        who: the name of its author, "" for a step without one.
        text: what happened, in words.
        roll: the dice of the step, None without dice.
        seen: the seats whose members are known to hold it and all earlier steps, ascending.
        report: its signed entries and running hashes, None where nothing is signed.
        wrong: True if its dice do not fit, or if programs or histories differ from here on.
    """

    height: int
    who: str
    text: str
    roll: RollReport | None
    seen: Sequence[int]
    report: StepReport | None = None
    wrong: bool = False

    @property
    def chance(self) -> str:
        """What was hidden or random: "dice", "cards", "seal" for a choice that was fixed, "opened", or ""."""
        return "dice" if self.roll is not None else CHANCE.get(self.report.kind if self.report is not None else "", "")


def proven_steps(session: Session, last: int) -> list[ProvenStep]:
    """The last steps that were not taken back, the newest first."""
    controls, names = session.table.controls, session.table.names
    if controls is None:
        return []
    rolls = {roll.height: roll for roll in controls.rolls()}
    told: dict[int, list[int]] = {}
    for at, each in enumerate(session.events.entries):
        if not each.undone:
            told.setdefault(each.height, []).append(at)
    held, found = controls.held(), []
    parted = min(_parted(session), default=None)
    heights = sorted({*told, *rolls, *(() if parted is None else (parted,))}, reverse=True)[:last]
    reports = controls.steps(heights[-1]) if heights else {}
    for height in heights:
        run = [session.events.entries[at] for at in told.get(height, ())]
        who = teller(run[0], names) if run else ""
        alone = bool(run) and all(teller(each, names) == who for each in run)
        text = joined(run, who) if alone else " ".join(each.text for each in run)
        seen = verified_by(held, controls.seats, len(names), height)
        roll = rolls.get(height)
        wrong = (roll is not None and not roll.ok) or (parted is not None and height >= parted)
        found.append(ProvenStep(height, who, text, roll, seen, reports.get(height), wrong))
    return found


def _parted(session: Session) -> Iterator[int]:
    """The steps from which on programs or histories differ: each led to a position that was compared."""
    for trouble in session.troubles():
        match trouble.notice:
            case StateDiverged(height=height) | DivergenceFound(height=height) | SplitFound(height=height):
                yield height - 1


def authors(session: Session, step: ProvenStep) -> str:
    """The letters of who took a step, or of the members that took part in it."""
    if step.roll is not None:
        return members_of(session, (part.member for part in step.roll.parts))
    if step.who:
        return owner_letter(session.table.names.index(step.who))
    return "" if step.report is None else members_of(session, (entry.author for entry in step.report.entries))


def step_lines(session: Session, step: ProvenStep, letters: int = SHORT) -> Iterator[str]:
    """How a step came about: the stages of a roll, what was done to cards and choices, or who took it. letters: the
    most letters of a hash that are shown."""
    genesis, chance = session.table.running.genesis, step.chance
    if step.roll is not None:
        before = "" if step.report is None else step.report.before.hex()
        yield from _roll_lines(session, step.roll, before, letters)
        return
    entries = () if step.report is None else step.report.entries
    for kind, template in PARTS.items():
        names = dict.fromkeys(name_of(genesis, each.author) for each in entries if each.kind == kind)
        if names:
            yield _(template).format(names=", ".join(names))
    if chance == "cards":
        yield _("Nobody could choose a card or look at it: one honest player among them is enough.")
    elif not chance:
        text = _("Taken by {who}, signed, and played again here: every program must come to the same position.")
        if step.who and step.report is not None and not entries:
            text = _(
                "Taken by the stand-in of {who}, and played again here: every program must come to the same position."
            )
        yield text.format(who=step.who or _("the game"))


def hash_lines(session: Session, step: ProvenStep) -> Iterator[str]:
    """The signed entries of a step, and its place in the chain of running hashes."""
    genesis, report = session.table.running.genesis, step.report
    if report is None:
        yield _("Nothing is signed here.")
        return
    for entry in report.entries:
        text = _("{name} signed {kind}, entry {seq} of {name}: {id}; signature {signature} ✓")
        name, id, signature = name_of(genesis, entry.author), entry.id.hex(), entry.signature.hex()
        yield text.format(name=name, kind=entry.kind, seq=entry.seq, id=id, signature=signature)
    if report.entries:
        yield _("state before: {hex}, named in each of these entries").format(hex=report.entries[0].state.hex())
    yield _("running hash before: {hex}").format(hex=report.before.hex())
    yield _("running hash after: {hex}").format(hex=report.after.hex())
    names = ", ".join(name_of(genesis, key) for key in report.built)
    text = _("Signed on top of it: {names}. Whoever does so confirms this step and all before it.")
    yield text.format(names=names) if names else _("Nobody has signed anything on top of it yet.")


def hash_path(session: Session, step: ProvenStep) -> Iterator[str]:
    """The running hash after this step and after each later one, up to now."""
    for height, report in sorted(session.table.running.steps(step.height).items()):
        letters = members_of(session, report.built)
        yield f"{height:>5}  {report.after.hex()}  {letters}"


def _roll_lines(session: Session, roll: RollReport, before: str = "", letters: int = SHORT) -> Iterator[str]:
    """The stages of a roll, a numbered sentence for each. before: the running hash before it, "" to leave it out."""
    yield from (f"{number} {text}" for number, text in enumerate(_stages(session, roll, before[:letters], letters), 1))
    if len(roll.parts) > 1:
        yield _("Nobody could choose this: one honest player among them is enough.")


def _stages(session: Session, roll: RollReport, before: str, letters: int) -> Iterator[str]:
    dice = ", ".join(f"{count}d{sides}" for sides, count in Counter(roll.sides).items())
    asked = _("asked: {what}, {dice}, at step {height}")
    asked = asked.format(what=purpose_text(roll.tag), dice=dice, height=roll.height)
    yield _("{asked}, running hash {hex}").format(asked=asked, hex=before) if before else asked
    seats = {part.member: members_of(session, [part.member]) for part in roll.parts}
    if roll.parts:
        parts = "  ".join(f"{seats[part.member]} {part.committed.hex()[:letters]}" for part in roll.parts)
        yield _("fixed before it was asked: {parts}").format(parts=parts)
        opened = [(part.member, _("absent") if part.seed is None else part.seed.hex()[:letters]) for part in roll.parts]
        fits = _("each fits what was fixed ✓") if roll.ok else _("a seed does not fit")
        parts = "  ".join(f"{seats[member]} {seed}" for member, seed in opened)
        yield _("opened: {parts}; {fits}").format(parts=parts, fits=fits)
    mixed = _("mixed: their hash {hex} makes {faces}, all equally likely ✓")
    if roll.lock:
        mixed = _("mixed, unlocked by {names} ({n} needed): {hex} → {faces}, all equally likely ✓")
    faces = " ".join(map(str, roll.faces)) or "–"
    names = members_of(session, roll.lifted)
    yield mixed.format(names=names, n=roll.lock, hex=roll.value.hex()[:letters], faces=faces)


# What is proven of all -----------------------------------------------------------------------------------------------


HEADS: Final = (
    N_("step"), N_("who"), N_("signed"), N_("hash"), N_("random"), N_("held by"), N_("what happened"),
)  # fmt: skip
FITS: Final[Mapping[str, str]] = {
    "": "-", "dice": N_("dice ✓"), "cards": N_("cards ✓"), "seal": N_("sealed ✓"), "opened": N_("opened ✓"),
}  # fmt: skip
SLOW: Final = 5
"""Seconds after which who owes a part of a roll or deal is named."""


def verdict(session: Session, steps: Sequence[ProvenStep]) -> Iterator[Note]:
    """How far the game is verified here, what does not fit, and who keeps a roll or cards waiting."""
    controls = session.table.running
    text = _("Steps played and verified on this machine: {n}; rolls: {rolls}; deals: {deals}.")
    told = text.format(n=controls.match.height, rolls=len(controls.rolls()), deals=controls.deals())
    doubts, wrong = [*filter(doubtful, session.troubles())], sum(step.wrong for step in steps)
    fits = _("Problems: {n}").format(n=wrong) if wrong else "" if doubts else _("All fit ✓")
    yield Note(f"{told} {fits}".rstrip(), "question")
    yield from (Note(each.text, "alarm") for each in doubts)
    for seat, kind in session.table.debts.items():
        since = session.screens.since.get(seat)
        if owed_text(kind) and since is not None and session.screens.seconds(since) >= SLOW:
            text = _("{name} {owes} since {moment}; nothing is rolled or dealt a second time.")
            name, moment = session.table.names[seat], strftime("%H:%M", localtime(since))
            yield Note(text.format(name=name, owes=owed_text(kind), moment=moment), "alarm")


def steps_table(session: Session, steps: Iterable[ProvenStep]) -> TextTable:
    """Number, who, signatures, running hash, what was random, the members that hold it, and what happened."""
    return TextTable([Cell(_(each)) for each in HEADS], [_row(session, each) for each in steps], right=(0,))


def _row(session: Session, step: ProvenStep) -> Sequence[Cell]:
    report = step.report
    signed = "✓" if report is not None and report.entries else "-"
    built = "!" if step.wrong else "✓" if report is not None and len(report.built) > 1 else "…"
    chance = _("dice !") if step.roll is not None and not step.roll.ok else _(FITS[step.chance])
    held = "".join(owner_letter(seat) if seat in step.seen else "." for seat in range(len(session.table.names)))
    return [*map(Cell, (str(step.height), authors(session, step), signed, built, chance, held, step.text))]


def step_part(session: Session, step: ProvenStep) -> Part:
    """How a step came about."""
    title = _("How step {n} came about").format(n=step.height)
    return Part(title, "", blocks=[Note(text, indent="    ") for text in step_lines(session, step)])


def sealed_lines(session: Session) -> Iterator[str]:
    """What is sealed now: secret choices by seat, and face-down cards in decks."""
    controls, names = session.table.controls, session.table.names
    if controls is None:
        return
    decks = controls.match.g.decks
    chosen = Counter(int(seat) for _index, seat, *_rest in decks.seals)
    if chosen:
        listed = ", ".join(f"{count} ({names[seat]})" for seat, count in sorted(chosen.items()))
        yield _("Secret choices that stand sealed: {listed}").format(listed=listed)
    lying = ", ".join(f"{_deck(session, deck)} {len(order)}" for deck, order in sorted(decks.order.items()) if order)
    if lying:
        yield _("Face down in the decks: {listed}").format(listed=lying)
    held: dict[str, list[str]] = {}
    for seat, counts in sorted(controls.hands().items()):
        for deck, count in counts.items():
            held.setdefault(_deck(session, deck), []).append(f"{count} {names[seat]}")
    if held:
        listed = "; ".join(f"{deck} {', '.join(each)}" for deck, each in sorted(held.items()))
        yield _("Held face down: {listed}; proven to come from the decks ✓").format(listed=listed)


def _deck(session: Session, id: str) -> str:
    term = f"deck/{id}"
    name = session.table.display_names(term)
    return id if name == term else name


# Luck and the last rolls ----------------------------------------------------------------------------------------------


LAST: Final = 8
"""Rolls that are shown."""
BAR: Final = 8
"""Columns of the longest bar."""


def fairness_sheet(session: Session) -> Sequence[Sheet]:
    """Each seat's luck compared with its expected value; then how the last rolls came about, the newest first."""
    rolls = session.table.running.rolls()
    about = _("Before a roll each member fixes a seed by a commitment; then all seeds are opened, and make the dice.")
    return [
        luck_sheet(session, _("Luck")),
        Sheet(_("Rolls so far: {n}").format(n=len(rolls)), about),
        *(
            Sheet(purpose_text(roll.tag), cells=tuple(map(Cell, _roll_lines(session, roll))))
            for roll in reversed(rolls[-LAST:])
        ),
    ]


def luck_sheet(session: Session, title: str = "") -> Sheet:
    """Each seat's luck in sentences, with the faces that its dice show."""
    controls = session.table.running
    events = [event for _height, told in controls.history for event in told]
    names, game = session.table.names, controls.genesis.game
    dice = luck(events, len(names)) if pictures(game).fights.dice else ()
    faces = (_faces(each.faces) if each.dice else "" for each in dice)
    texts = luck_lines(events, names, game, controls.match.g)
    return Sheet(title, _(LUCK_NOTE), cells=[Cell(text, next(faces, "")) for text in texts])


def _faces(counts: Sequence[int]) -> str:
    most = max(counts)
    return "  ".join(
        f"{face} {'█' * max(BAR * count // most, count > 0)} {count}" for face, count in enumerate(counts, 1)
    )
