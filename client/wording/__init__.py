"""The one place where codes become sentences: events, refusals and terms of the rules, in the language in use.

Rules and network speak in stable ids with named values.  Each game has a module here with three tables of English
texts, marked for translation with `N_`:

EVENTS    event id → sentence with the event's arguments as `{name}`; `{seat}` and other seats appear as names
REFUSALS  refusal code → sentence with the details as `{0}`, `{1}` … `{rest}` and the place as `{path}`
TERMS     kebab-case id of a piece, technology, resource … → its name

An id that has no text yet is shown as it is, with its values, so nothing is ever lost or raised; a test lists those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Final

from client.texts import _
from engine.core.errors import Refusal
from engine.core.events import Event

__all__ = ["SEAT_ARGUMENTS", "event_text", "refusal_text", "tables", "term"]

MODULES: Final = ("core", "content", "table", "eclipse", "eclipse_events", "emperor", "rex", "rex_terms")
"""The modules of this package that hold texts."""

SEAT_ARGUMENTS: Final = frozenset(
    {"seat", "partner", "start", "attacker", "defender", "owner", "winner", "by", "seats"}
)
"""Event arguments that hold a seat's number (or several)."""


def event_text(event: Event, names: Sequence[str]) -> str:
    """What happened, as a sentence; `names` are the seats' names, made safe to show."""
    shown = {name: _argument(name, value, names) for name, value in event.args.items()}
    template = tables("EVENTS").get(event.id)
    if template is None:
        return " ".join([event.id, *(f"{name}={value}" for name, value in shown.items())])
    text = _(template)
    told = text.format_map(_Known(shown))
    begins_with_name = any(text.startswith(f"{{{name}}}") for name in SEAT_ARGUMENTS)
    return told if begins_with_name else told[:1].upper() + told[1:]


def refusal_text(refusal: Refusal) -> str:
    """Why something is not possible, as a sentence."""
    details = [term(str(detail)) for detail in refusal.detail]
    template = tables("REFUSALS").get(refusal.code)
    if template is None:
        return str(refusal)
    padded = details + ["?"] * 8
    return _(template).format(*padded, rest=", ".join(details[1:]), all=", ".join(details), path=refusal.path)


def term(id: str) -> str:
    """The name of a piece, technology, resource …; `*` marks an advanced square; an id without one stands for
    itself.
    """
    if id.endswith("*") and id[:-1] in tables("TERMS"):
        return _("{square} (advanced)").format(square=term(id[:-1]))
    name = tables("TERMS").get(id)
    return id if name is None else _(name)


@cache
def tables(kind: str) -> Mapping[str, str]:
    """All texts of one kind (EVENTS, REFUSALS or TERMS), of the core and every game."""
    merged: dict[str, str] = {}
    for module in MODULES:
        merged |= getattr(import_module(f"client.wording.{module}"), kind)
    return merged


class _Known(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _argument(name: str, value: object, names: Sequence[str]) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(_argument(name, item, names) for item in value) or _("none")
    if value is None:
        return "–"
    if name in SEAT_ARGUMENTS and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else _("the neutral fleet") if value < 0 else str(value)
    return term(str(value))
