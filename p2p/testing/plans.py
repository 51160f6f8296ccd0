"""What goes wrong at a simulated table, and the disk that it goes wrong on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from p2p.lockstep.effects import Keep
from p2p.wire.entry import Attachment, Entry
from seeds.dataclass import dataclass, field


class Violation(AssertionError):  # noqa: N818 - what is violated is the promise
    """Something that must always hold did not; says what, and the number that replays it."""


class Crash(Exception):  # noqa: N818 - no error of the program
    """The power went out in the middle of a write."""


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """What goes wrong until `calm` seconds; `limit` ends the run.

    Attributes:
        holdings: seats of each member.
        loss, twice: chances of a message.
        delay: seconds, at most.
        cuts, one_way, crashes: how many, each lasting up to 15 s.
        torn: how many more, after each of which the disk has lost its last commits (a damaged log, or an older copy put
            back).
        sleeps: how many, of up to five minutes.
        takebacks: how many are proposed.
        draws, patience: options of the table.
        hostile: the strategy (a key of `hostile.STRATEGIES`) of some members.
    """

    holdings: tuple[tuple[int, ...], ...]
    rounds: int = 1
    loss: float = 0.0
    twice: float = 0.0
    delay: float = 0.2
    cuts: int = 0
    one_way: int = 0
    crashes: int = 0
    torn: int = 0
    sleeps: int = 0
    takebacks: int = 0
    draws: str = "open"
    patience: str = "1m"
    calm: float = 60.0
    limit: float = 2400.0
    hostile: Mapping[int, str] = field(default_factory=dict)


def random_plan(seed: int) -> FaultPlan:
    """The plan of a number: 2 to 6 seats on 2 to 5 members and a mixture of faults."""
    random = Random(seed)
    members = random.choice((2, 3, 3, 4, 4, 5))
    holdings = [[number] for number in range(members)]
    if members < 5 and random.random() < 0.3:
        holdings[random.randrange(members)].append(members)
    return FaultPlan(
        tuple(map(tuple, holdings)),
        rounds=random.choice((1, 2, 4)),
        loss=random.choice((0.0, 0.0, 0.02, 0.1)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 2, 6)),
        one_way=random.choice((0, 0, 2)),
        crashes=random.choice((0, 1, 3)),
        takebacks=random.choice((0, 0, 1)),
        draws=random.choice(("open", "open", "sealed")),
    )


def sleepy_plan(seed: int) -> FaultPlan:
    """The plan of a number: 3 to 5 members of whom some sleep, some are persons, and sometimes one is hostile."""
    random = Random(seed)
    members = random.choice((3, 4, 5))
    others = random.sample(range(members), members - members // 2 - 1)
    kinds = ["Person", "Hasty", "Startled", "Startled", "Contrary"]
    if members == 5:
        kinds += ["Mute", "Boaster", "Herald", "Silent", "Mortal"]
    return FaultPlan(
        tuple((number,) for number in range(members)),
        rounds=random.choice((8, 24)),
        loss=random.choice((0.0, 0.0, 0.02)),
        delay=random.choice((0.05, 0.3)),
        sleeps=random.choice((1, 2, 3)),
        draws=random.choice(("open", "open", "sealed")),
        hostile={number: random.choice(kinds) for number in others if random.random() < 0.7},
    )


class SimDisk:
    """What survives. crash: called before and after every write, may raise Crash."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.commits: list[tuple[tuple[tuple[Entry, Attachment | None], ...], Mapping[str, bytes]]] = []
        self._batch: list[tuple[Entry, Attachment | None]] = []
        self.proven: set[bytes] = set()

    @property
    def entries(self) -> list[tuple[Entry, Attachment | None]]:
        """All that is durable, in the order in which it was stored."""
        return [stored for entries, _ in self.commits for stored in entries]

    @property
    def choices(self) -> dict[str, bytes]:
        """The secrets that were stored with own entries."""
        return {name: value for _, choices in self.commits for name, value in choices.items()}

    def commit(self, keep: Keep, crash: Callable[[], None]) -> None:
        """Make an own entry durable, with its secrets and all that was received before."""
        crash()
        batch, self._batch = self._batch, []
        self.commits.append(((*batch, (keep.entry, keep.attachment)), dict(keep.secrets)))
        crash()

    def receive(self, keep: Keep) -> None:
        self._batch.append((keep.entry, keep.attachment))

    def flush(self) -> None:
        if self._batch:
            self.commits.append((tuple(self._batch), {}))
            self._batch = []

    def lose_power(self) -> None:
        """Of the batch under way a part may have been written."""
        self._batch = self._batch[: self._random.randint(0, len(self._batch))]
        self.flush()

    def lose_tail(self) -> None:
        """The last commits were never written, or this is an older copy: by one commit often, by all at times."""
        lost = self._random.choice((1, 1, 2, 5, self._random.randint(1, 1000)))
        del self.commits[-lost:]
