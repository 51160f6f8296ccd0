"""By post a letter takes a day: how many a game takes, and what each of them had to wait for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from random import Random

from client.bots import NODES, bot
from client.table.machine import GameMachine
from client.table.options import settled
from engine.core.cards import Lens
from engine.core.match import Match
from engine.core.registry import game
from engine.core.values import plain
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.step import STAGE
from p2p.testing.tables import fixed_genesis, member
from p2p.wire.entry import Entry

STEPS = 88


@dataclass(frozen=True)
class Letter:
    """What one member has to say at its turn, in the order in which it signed it."""

    author: bytes
    entries: tuple[Entry, ...]


class Correspondent:
    """A member that reads all letters at its turn, answers at random and says all that it can."""

    def __init__(self, peer: Lockstep, seed: int) -> None:
        assert peer.me is not None
        self.peer, self.me, self._random, self._bot = peer, peer.me, Random(seed), bot("random")
        peer.start(new=True, by_post=True)

    def write(self) -> Letter:
        said: list[Entry] = []
        while True:
            new = [each.entry for each in self.peer.settled() if isinstance(each, Keep) and each.is_own]
            said += new
            if not new and not self._answered():
                return Letter(self.me, tuple(said))

    def _answered(self) -> bool:
        seats = self.peer.owing().get(self.me, [])
        if not seats:
            return False
        machine = self.peer.position.machine
        assert isinstance(machine, GameMachine)
        view = machine.match.view(seats[0], Lens(machine.lens(seats[0])))
        assert view.ask is not None
        value = self._bot.choose(view, view.ask, self._random, NODES)
        return self.peer.answer(seats[0], [plain(value)]) is None


@cache
def letters() -> list[Letter]:
    """The letters of three who play the second edition and write in turn, whoever has something to say, up to STEPS."""
    table = settled(game("eclipse2"), 3, ["pace=post"])
    fresh = GameMachine(Match.new(game("eclipse2"), table))
    genesis, keys = fixed_genesis([[0], [1], [2]], 7, fresh, dict(table.options), "eclipse2")
    them = [Correspondent(member(genesis, each, fresh.clone()), seed) for seed, each in enumerate(keys)]
    written: list[Letter] = []
    while them[-1].peer.position.height < STEPS:
        for each in them:
            letter = each.write()
            if letter.entries:
                written.append(letter)
                for other in them:
                    for entry in letter.entries if other is not each else ():
                        other.peer.feed(entry)
    return written


def waited_for(number: int) -> tuple[str, list[Entry]]:
    """What the author of a letter could not sign with its letter before: the kind of the first entry in this one, and
    the entries of lower height or stage that others have written in between."""
    first, author = letters()[number].entries[0], letters()[number].author
    before = max((at for at in range(number) if letters()[at].author == author), default=-1)
    between = [entry for letter in letters()[before + 1 : number] for entry in letter.entries]
    stage = STAGE[first.kind] if first.kind in ("ok", "partial") else 0
    return first.kind, [each for each in between if (each.height, STAGE.get(each.kind, 0)) < (first.height, stage)]


def test_no_letter_could_have_travelled_with_an_earlier_one_of_its_author() -> None:
    """Each but the first of an author begins with what names the state after entries that others had still to write: an
    answer, which is a decision about it, the keys, which are sealed to keys that all had to show, `ok`, which names all
    keys, or the release of a roll. A roll that follows a decision and is released before it shows the dice to t members
    who can still decide otherwise."""
    found = Counter[str]()
    for number, letter in enumerate(letters()):
        kind, came = waited_for(number)
        if letter.author not in {each.author for each in letters()[:number]}:
            kind = "first"
        elif kind == "partial":
            last = max(came, key=lambda each: (each.height, STAGE.get(each.kind, 0)))
            assert last.kind in ("answer", "ok"), "a roll that follows another could be part of it"
        assert came or kind == "first", (number, kind)
        found[kind] += 1
    assert found == {"first": 3, "keys": 2, "ok": 2, "answer": 26, "partial": 7}
    assert found.total() == 40
