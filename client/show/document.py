# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture as a document: blocks of plain data, the same for lines of text, cards on a screen and HTML.

A sheet is drawn as a card with a title, and a cell as a box in it. A cell with picks can be clicked: a single pick is
taken at once; among several the person chooses. `kind` tells the blocks apart in JSON. `id` names a block from position
to position, in every language, and no other one of its document; it is "" where nothing refers to the block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from client.show.styled import Line, line, packed, wrapped
from client.system.names import columns
from engine.core.dataclass import dataclass, field, fields_of, replace
from engine.core.values import Value

PLAIN: Final = frozenset({str, int, bool, type(None)})
"""What is the same in JSON."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One of the options of the present question.

    Attributes:
        option: its index among the options.
        text: what it does with the cell, in a few words.
        note: its result, "" for none.
        about: more of its result, worked out when it is marked; None for nothing.
    """

    option: int
    text: str
    note: str = ""
    about: Callable[[], Document] | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing on a sheet.

    Attributes:
        text: its name.
        note: more about it, "" for nothing.
        look: name of a style, as of a run of text, "" for the usual one.
        picks: what can be done with it now.
        share: a percentage to draw as a bar in a table, None for no bar.
    """

    text: str
    note: str = ""
    look: str = ""
    picks: Sequence[Pick] = ()
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Dial:
    """Numbers from 0 of which one is set, above the cells of a sheet.

    Attributes:
        at: the number that is set, -1 for none and while it is hidden.
        most: the greatest number.
        setting: True while the person sets it.
    """

    name: str
    at: int
    most: int
    setting: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cells that belong together, such as the slots of a ship."""

    title: str
    note: str = ""
    look: str = ""
    cells: Sequence[Cell] = ()
    dial: Dial | None = None
    weight: int = 0
    id: str = ""
    kind: str = "sheet"


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows under headings.

    Attributes:
        right: the columns that are flush right.
        marked: the rows that count now.
    """

    heads: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]
    right: Sequence[int] = ()
    marked: Sequence[int] = ()
    weight: int = 0
    id: str = ""
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence or two. look: name of a style. indent: before all lines but the first."""

    text: str
    look: str = ""
    indent: str = "  "
    weight: int = 0
    kind: str = "note"


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A rolled die.

    Attributes:
        colour: an id, "" if all dice are alike.
        hit: True if it hit, None if the die alone does not tell.
        damage: what a hit does; 0 where all hits do the same.
    """

    face: int
    colour: str = ""
    hit: bool | None = None
    damage: int = 0


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that were rolled. title: whose roll it is; note: what hits, and the result."""

    title: str
    note: str
    look: str
    dice: Sequence[ShownDie]
    weight: int = 0
    id: str = ""
    kind: str = "dice"


@dataclass(frozen=True, slots=True)
class Track:
    """A row of cells of which one counts, such as a row of numbers with cubes on them.

    Attributes:
        cells: their texts.
        at: the index of the one that counts, or of the one below it.
        counts: True to mark it.
        note: what stands beside the track.
    """

    name: str
    cells: Sequence[str]
    at: int
    counts: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tracks:
    """Tracks whose cells stand below each other."""

    tracks: Sequence[Track]
    id: str = ""
    kind: str = "tracks"


@dataclass(frozen=True, slots=True)
class Ware:
    """One thing that can be bought, or could be.

    Attributes:
        title: its name.
        tail: how many are left and what one pays, flush right.
        look: name of a style, "" for the usual one.
        first: the option that leads to the question about it.
        options: the options that buy it, one of several if it can be put to several places.
        gives: what it brings, in short.
        about: everything else about it, worked out when it is marked.
    """

    title: str
    tail: str
    look: str
    first: Value
    options: Sequence[Value]
    gives: str
    about: Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Wares of a kind, with the heading of their tails."""

    title: str
    tail: str
    wares: Sequence[Ware]
    id: str = ""
    kind: str = "shelf"


@dataclass(frozen=True, slots=True)
class Spot:
    """The cells of a space, without its walls. head: columns of its name at the start of the first row, 0 if the row
    does not start with it."""

    x: int
    y: int
    width: int
    height: int
    head: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """A map.

    Attributes:
        lines: the map as text.
        spots: the cells of its spaces, by the ids in options and events.
    """

    lines: Sequence[Line] = ()
    spots: Mapping[str, Spot] = field(default_factory=dict)
    kind: str = "chart"

    @property
    def width(self) -> int:
        """Its columns."""
        return max((sum(columns(text) for _style, text in each) for each in self.lines), default=0)


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks under a heading, which are left out where there are too few rows, and named then.

    Attributes:
        word: what is typed behind the name of the picture to see this part alone.
    """

    title: str
    word: str
    note: str = ""
    look: str = ""
    blocks: Sequence[Block] = ()
    weight: int = 1
    id: str = ""
    kind: str = "part"


Block: TypeAlias = Sheet | TextTable | Note | Dice | Chart | Tracks | Shelf | Part
Document: TypeAlias = Sequence[Block]

SHOWN: Final[Mapping[type, Sequence[str]]] = {
    Pick: ("option", "text", "note"), Ware: ("title", "tail", "look", "gives"),
}  # fmt: skip
"""What is shown of a pick and a ware before they are marked."""


def as_plain(value: object) -> Any:
    """A document, or records that hold some, as JSON; of a pick and a ware what is shown before they are marked."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple or kind is list:
        assert isinstance(value, tuple | list)
        return [each if type(each) in PLAIN else as_plain(each) for each in value]
    names = SHOWN.get(kind) or fields_of(kind)
    if names:
        held: Iterable[tuple[str, object]] = [(name, getattr(value, name)) for name in names]
    elif isinstance(value, Mapping):
        held = value.items()
    else:
        return value
    return {name: each if type(each) in PLAIN else as_plain(each) for name, each in held}


def kept(document: Document, sizes: Sequence[int], height: int) -> list[bool]:
    """Which blocks are shown in so many rows (0 for any number): the first and those of weight 0, then the others as
    long as they fit, the lightest first. sizes: the rows of each."""
    weights = [0 if not number or not height else getattr(block, "weight", 0) for number, block in enumerate(document)]
    room = height - sum(size for size, weight in zip(sizes, weights, strict=True) if not weight)
    shown = [not weight for weight in weights]
    for at in sorted(range(len(weights)), key=weights.__getitem__):
        if weights[at]:
            if sizes[at] > room:
                break
            shown[at], room = True, room - sizes[at]
    return shown


def dial_parts(dial: Dial, numbers: int = 11) -> Iterator[tuple[str, int]]:
    """The parts of a dial in words, each with the number that a click on it sets, -1 for none; of many numbers so many
    around the one that is set."""
    first = max(min(dial.at - numbers // 2, dial.most - numbers + 1), 0)
    last = min(first + numbers - 1, dial.most)
    if dial.setting:
        yield "◂", max(dial.at - 1, 0)
    for number in range(first, last + 1):
        yield f"[{number}]" if number == dial.at else str(number), number if dial.setting else -1
    if dial.setting:
        yield "▸", min(max(dial.at, 0) + 1, dial.most)
    if last - first < dial.most:
        yield f"(0…{dial.most})", -1
    if dial.at < 0 and not dial.setting:
        yield "?", -1


def dial_text(dial: Dial) -> str:
    """A dial in words, without what sets it."""
    return f"{dial.name}: " + " ".join(text for text, _number in dial_parts(replace(dial, setting=False)))


def headed(block: Sheet | Dice | Part, width: int) -> list[Line]:
    """The title of a block in its style with the note behind it, in lines of at most `width` columns; sentences stand
    below it."""
    if sentences := block.note if block.note.endswith(".") else "":
        block = replace(block, note="")
    first, *others = packed(filter(None, (block.title, block.note)), width, "  ")
    if sentences:
        others += wrapped(f"  {sentences}", width, "  ")
    size = len(block.title) if first.startswith(block.title) else len(first)
    return [line((f"{block.look} title".strip(), first[:size]), first[size:]), *map(line, others)]
