# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries that a member signs without a decision, as soon as they are due: those that follow from its secrets alone
(genesis, join, commit, open, reveal, result), refusals of pacts that came too late, signatures that leave out who has
left, proposals to wait no longer for the word of who counts no more, and reports of faults."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.effects import Work
from p2p.lockstep.ends import result
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.outbox import Outbox
from p2p.lockstep.overtaken import led_elsewhere
from p2p.lockstep.pacts import Pact, declining
from p2p.lockstep.proposing import Proposals
from p2p.lockstep.reading import Reading
from p2p.lockstep.rolling import Rolling
from p2p.lockstep.signing import Signing
from p2p.lockstep.step import RESTING
from p2p.lockstep.task import Job, Made, Task
from p2p.lockstep.voting import Voting
from p2p.wire.codec import Plain

LATE: Final = 1.0
"""Seconds after which all members are asked for partials of a roll, if those asked first are late."""


class AutomaticEntries:
    """The automatic entries of the member with these secrets.

    by_post: True if the others are days away, so that this member waits for nobody who is asked before it.
    """

    def __init__(
        self,
        member_secrets: MemberSecrets,
        reading: Reading,
        voting: Voting,
        proposals: Proposals,
        signing: Signing,
        outbox: Outbox,
    ) -> None:
        self.reading, self.voting, self.proposals, self.signing = reading, voting, proposals, signing
        self._me, self._secrets, self._outbox = member_secrets.me, member_secrets, outbox
        self.by_post = False
        self._making: tuple[Task, str, Job, Made | None] | None = None
        self._lifting: tuple[Rolling, float] | None = None

    @property
    def read_up(self) -> bool:
        """True if all entries of this member are part of this history, or of one that has been overtaken, so that it
        signs nothing twice."""
        unread, hearing = self.reading.waiting(self._me), self.reading.hearing
        return not unread or led_elsewhere(self.reading.position, hearing.feeds, hearing.ballots, self._me, unread)

    @property
    def hindrance(self) -> TableRefusal | None:
        """Why no entry of this member can fill a slot now, None if one can."""
        if self.signing.mute is not None:
            return self.signing.mute
        if self.voting.bound or self.voting.left_out:
            return TableRefusal("lockstep/voting" if self.voting.bound else "lockstep/left-out")
        return None if self.read_up else TableRefusal("lockstep/catching-up")

    def speak(self) -> bool:
        """Sign the next entry that is due. Return True if one was signed."""
        if self.signing.mute is not None:
            return False
        if not self.read_up:
            held_up = self.voting.estranged or (self.voting.bound and self.voting.behind is None)
            refused = self._refuse(self.voting.too_late() if held_up else self.voting.rival())
            return refused or (held_up and self._share())
        if self._me not in self.reading.hearing.joined:
            return self._join()
        if self._refuse(self.voting.too_late()) or self._report_fault() or self._share():
            return True
        if self._part() or self._unbind():
            return True
        all_joined = self.reading.all_joined
        if self.voting.bound or self.voting.left_out or not (all_joined or self._commits_first()):
            return False
        if self.reading.position.over:
            return self._sign_result()
        return (all_joined and self._open()) or self._give_what_is_asked()

    def _give_what_is_asked(self) -> bool:
        task = self.reading.position.step.task
        if self.by_post and isinstance(task, Rolling) and task.lifting:
            task.hurry()
        owed = any(who == self._me for _, who in self.reading.position.missing)
        return owed and not self.voting.undecided() and self.give()

    def _commits_first(self) -> bool:
        """True if the table begins with commitments. Those hide what they commit to, so that who has joined signs its
        own at once, and letters need not go around for it."""
        position = self.reading.position
        task = position.step.task
        return position.height == 0 and task is not None and ("commit", self._me) in task.owed()

    def _join(self) -> bool:
        genesis, position = self.reading.genesis, self.reading.position
        if self._me == genesis.members[0].key and not self.reading.hearing.feeds.feed(self._me):
            return self._say("genesis", genesis.body())
        return self._me in position.roster and self._say("join", None)

    def _say(self, kind: str, body: Plain, proven: object = None) -> bool:
        """Sign an entry. Return False if another one was signed in its place before."""
        return self.signing.say(kind, body, proven=proven) is None

    def _open(self) -> bool:
        """Sign the genesis as an entry, which a judge of the log needs, if this is the first member and has not done
        so."""
        if self.reading.hearing.opened:
            return False
        return self._say("genesis", self.reading.genesis.body())

    def _refuse(self, late: tuple[Pact, str] | None) -> bool:
        return late is not None and self._say("refuse", declining(*late))

    def _share(self) -> bool:
        """Propose what this member has signed and others never get, since its author shows them another history."""
        found = self.voting.unshared()
        return found is not None and self._say("pact", found.body())

    def _part(self) -> bool:
        """Sign that those are left out who have left, if the table waits for them."""
        found = self.proposals.parting_vote()
        if found is None:
            return False
        known = found.id in self.reading.hearing.ballots.pacts
        return self._say("sign", [found.id]) if known else self._say("pact", found.body())

    def _unbind(self) -> bool:
        """Propose that a `free` of an earlier height binds nobody any more, if it waits for members that count no
        more."""
        found = self.proposals.unbinding()
        return found is not None and self._say("pact", found.body())

    def _report_fault(self) -> bool:
        """Sign an entry that names the first proven fault of each peer, once, for later readers of the log."""
        for culprit, faults in self.reading.faults.proven.items():
            if culprit not in self.signing.reported and culprit != self._me:
                return self._say("fault", [culprit, faults[0].code, list(faults[0].entries)])
        return False

    def _sign_result(self) -> bool:
        position = self.reading.position
        said = self.reading.hearing.results.get(self._me)
        if said is not None and said.head == position.head:
            return False
        return self._say("result", result(position))

    # Dice, cards and openings ----------------------------------------------------------------------------------------

    def give(self) -> bool:
        """Sign what this member owes to dice, cards or openings. Return False if nothing is due or a job must make it
        first."""
        position = self.reading.position
        task = position.step.task
        kinds = [kind for kind, who in task.owed() if who == self._me] if task is not None else []
        if task is None or not kinds:
            return False
        if self._making is not None and self._making[:2] == (task, kinds[0]):
            made: Made | Job | None = self._making[3]
            if made is None:
                return False
        else:
            basis = position.step.basis(kinds[0]) if kinds[0] in RESTING else b""
            place = kinds[0], position.epoch, position.height, position.head, basis
            made = task.make(kinds[0], self._secrets.at(*place))
        if isinstance(made, Job):
            self._making = (task, kinds[0], made, None)
            self._outbox.tell(Work(made))
            return False
        if made is None:
            self.signing.stop("lockstep/secret-lost")
            return False
        body: Plain = [position.step.basis(made.kind), made.body] if made.kind in RESTING else made.body
        return self._say(made.kind, body, made.proven)

    def worked(self, job: Job, result: object) -> None:
        """Process the result of a job, perhaps one that makes an entry of this member."""
        if self._making is not None and self._making[2] is job and isinstance(result, Made):
            self._making = (*self._making[:3], result)

    def hurry(self, now: float) -> bool:
        """Ask all members for partials if a roll has waited LATE seconds for those asked first. Return True if it did.
        now: monotonic seconds."""
        task = self.reading.position.step.task
        if not (isinstance(task, Rolling) and task.lifting):
            self._lifting = None
        elif self._lifting is None or self._lifting[0] is not task:
            self._lifting = task, now
        elif now - self._lifting[1] >= LATE:
            task.hurry()
            return True
        return False
