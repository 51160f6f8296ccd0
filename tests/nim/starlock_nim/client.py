"""What the client knows of Nim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from client.show.document import Document, Note
from client.show.pictures import Documents, Frame, Picture, Pictures, Questioning
from client.system.registry import GameClient
from client.system.texts import N_, NN_, _
from client.words.reference import Article
from engine.core.values import Value
from engine.core.waits import Choose

EVENTS = {
    "nim/taken": NN_(
        "{seat} takes {stones} stone from heap {heap}.", "{seat} takes {stones} stones from heap {heap}.", "stones"
    ),
    "nim/won": N_("{seat} takes the last stone and wins."),
}
REFUSALS: dict[str, str] = {}
TERMS = {
    "take": N_("take"),
    "heap": N_("heap"),
    "stones": N_("stones"),
    "last": N_("the last stone"),
    "option/heaps": N_("how many stones there are"),
    "title/heaps": N_("Stones"),
    "title/heaps=three": N_("9 in three heaps"),
    "title/heaps=four": N_("24 in four heaps"),
}
PROMPTS = {"turn": N_("Which heap, and how many stones?")}
REASONS = {"turn": N_("it leaves each binary digit twice where it can")}


def heaps(frame: Frame) -> Document:
    """Return a note for each heap."""
    return tuple(Note(f"{heap}: {'o' * there or '-'}") for heap, there in enumerate(frame.g.stones.heaps, 1))


def hint(frame: Frame, _choose: Choose[Any], option: Any, _so_far: tuple[Value, ...]) -> str:
    """Return what a heap then has."""
    return _("{stones} left").format(stones=frame.g.stones.heaps[option.heap - 1] - option.stones)


PICTURES = Pictures(
    documents=Documents(
        {"heaps": Picture("", N_("the heaps of stones"), heaps)},
        before=lambda frame, _choose: heaps(frame),
        status=lambda frame: _("{stones} stones").format(stones=sum(frame.g.stones.heaps)),
    ),
    questions=Questioning(hint=hint),
)


def entries() -> Iterator[Article]:
    """Return the one article."""
    yield Article("stones", "topic", _("Stones"), _("Whoever takes the last stone wins."), _("folklore"))


NIM = GameClient(
    title=N_("Nim"),
    texts=("starlock_nim.client",),
    prompts="starlock_nim.client:PROMPTS",
    pictures="starlock_nim.client:PICTURES",
    reference="starlock_nim.client:entries",
    bot="starlock_nim.bot:answer",
    reasons="starlock_nim.client:REASONS",
    weigh="starlock_nim.bot:weigh",
    most_options=64,
)
