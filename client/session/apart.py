# SPDX-License-Identifier: GPL-3.0-or-later
"""Two programs that differ, in words: whose program is alone, what computes on both sides, and what to do.

What a member signed over another state stays signed, also when its program is mended, so a table may stay stopped
although all programs agree again: then all agree to read on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from client.system.names import shown
from client.system.texts import N_, _
from client.table.notices import DivergenceFound, Party, Program, StateDiverged

T = TypeVar("T")

_BOTH: Final = N_(
    "Both sides should run the same version of starlock; then leave and resume, and the log is played again. If the "
    "table stays stopped, because something was signed over another state, all agree to read on."
)
_THEIRS: Final = N_(
    "{name} should run the same version of starlock as you, leave and resume. If the table stays stopped, because "
    "something was signed over another state, all agree to read on."
)
_OURS: Final = N_(
    "Run the same version of starlock as the others: leave and resume, and the log is played again. If the table stays "
    "stopped, because something was signed over another state, all agree to read on."
)
_SIGNED: Final = N_(
    "To resume again changes nothing: what was signed over another state stays signed. All agree to read on, or go on "
    "without the one who signed it."
)
_OUT: Final = N_(
    "Run the same version of starlock as the others: leave and resume. Until then this program cannot follow the table."
)
_FACTS: Final = N_("starlock {version}, Python {python}, rules {rules}, content {content}")


def heads(notices: Sequence[T]) -> list[T]:
    """The notices without those that tell the same difference again, from another member on the same side."""
    found = [each for each in notices if isinstance(each, DivergenceFound)]
    again = {
        id(other)
        for at, one in enumerate(found)
        for other in found[at + 1 :]
        if (one.height, one.rows) == (other.height, other.rows) and _side(one, one.member) == _side(one, other.member)
    }
    return [each for each in notices if id(each) not in again]


def _side(found: DivergenceFound, member: Party) -> Sequence[Party]:
    """The members that agree with this one, itself included."""
    return next((side for side in found.sides if member in side), (member,))


def more(found: StateDiverged | DivergenceFound) -> int:
    """By how many members this side is larger than the other; 0 if that is not known."""
    if isinstance(found, StateDiverged) or len(found.sides) < 2:
        return 0
    return len(found.sides[0]) - len(_side(found, found.member))


def signed(notice: StateDiverged | DivergenceFound) -> bool:
    """True if the programs agree by now, and only what was signed does not."""
    return notice.how == "own" if isinstance(notice, StateDiverged) else not notice.path


def stopping(notice: StateDiverged | DivergenceFound) -> str:
    """Why the table has stopped, in a few words."""
    match notice:
        case StateDiverged(_member, height, "own"):
            return _("your step {n} does not fit this program").format(n=height)
        case DivergenceFound(path=""):
            return _("something was signed over another state")
        case DivergenceFound() if more(notice) < 0:
            return _("this program differs from the others")
    return _("{name}'s program differs").format(name=shown(notice.member.name))


def todo(notice: StateDiverged | DivergenceFound, *, out: bool) -> str:
    """What to do about two programs whose values are known. out: True if the others go on without this member."""
    alike = _BOTH if not more(notice) else _THEIRS if more(notice) > 0 else _OURS
    text = _OUT if out else _SIGNED if signed(notice) else alike
    return _(text).format(name=shown(notice.member.name))


def why(notice: DivergenceFound) -> str:
    """What computes on both sides, and what may be the cause."""
    here, there = notice.here, notice.there
    if here is None or there is None:
        return ""
    if _facts(here) != _facts(there):
        both = _("{facts} here; {other} there").format(facts=_facts(here), other=_facts(there))
    else:
        both = _("{facts} on both sides").format(facts=_facts(here))
    if not here.repeats or not there.repeats:
        name = _("this program") if not here.repeats else _("{name}'s program").format(name=shown(notice.member.name))
        cause = _("played again from the log, {name} gets other values than before: it computed wrongly once")
        return f"{both}; {cause.format(name=name)}"
    if here.version != there.version:
        return f"{both}; {_('different versions')}"
    return f"{both}; {_('each gets its own values again from the log: the code of one of them has been changed')}"


def _facts(program: Program) -> str:
    names = {name: shown(getattr(program, name)) for name in ("version", "python", "rules", "content")}
    return _(_FACTS).format_map(names)
