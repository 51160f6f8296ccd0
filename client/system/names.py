# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes text of others safe to show: it cannot move the cursor, reverse the line or imitate another name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from client.system.errors import UserError
from client.system.texts import _

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lobby.messages import Sitter
    from p2p.lockstep.genesis import Row

MAX_COLUMNS: Final = 24
MAX_MARKS: Final = 3

INVISIBLE: Final = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200c\u200d\u2800\u3164\uffa0\U00016fe4"
).union(map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0)))
JOINING: Final = "\u1160-\u11ff\ud7b0-\ud7ff"
"""Vowels and endings of Korean that join the letter before them, as ranges: like a mark they take no column."""
WIDE: Final = (
    "\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2630-\u2637"
    "\u2648-\u2653\u267f\u268a-\u268f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea"
    "\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0"
    "\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u3029\u3030-\u303e"
    "\u3041-\u3096\u309b-\u30ff\u3105-\u312f\u3131-\u3163\u3165-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247"
    "\u3250-\ua48c\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52\ufe54-\ufe66"
    "\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6\U00016fe0-\U00016fe3\U00016ff2-\U00016ff6\U00017000-\U00018cda"
    "\U00018cff-\U00018d20\U00018d80-\U00018df2\U00018e00-\U00019191\U000191a0-\U000191d2"
    "\U0001aff0-\U0001aff3\U0001aff5-\U0001affb\U0001affd\U0001affe\U0001b000-\U0001b128\U0001b132"
    "\U0001b150-\U0001b152\U0001b155\U0001b164-\U0001b168\U0001b170-\U0001b2fb\U0001d300-\U0001d356"
    "\U0001d360-\U0001d376\U0001f004\U0001f0cf\U0001f18e\U0001f191-\U0001f19a\U0001f1ae\U0001f1e6-\U0001f202"
    "\U0001f210-\U0001f23b\U0001f240-\U0001f248\U0001f250\U0001f251\U0001f260-\U0001f265\U0001f300-\U0001f320"
    "\U0001f32d-\U0001f335\U0001f337-\U0001f37c\U0001f37e-\U0001f393\U0001f3a0-\U0001f3ca"
    "\U0001f3cf-\U0001f3d3\U0001f3e0-\U0001f3f0\U0001f3f4\U0001f3f8-\U0001f43e\U0001f440\U0001f442-\U0001f4fc"
    "\U0001f4ff-\U0001f53d\U0001f54b-\U0001f54e\U0001f550-\U0001f567\U0001f57a\U0001f595\U0001f596\U0001f5a4"
    "\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cc\U0001f6d0-\U0001f6d2\U0001f6d5-\U0001f6d9"
    "\U0001f6dc-\U0001f6df\U0001f6eb\U0001f6ec\U0001f6f4-\U0001f6fc\U0001f7da\U0001f7e0-\U0001f7eb\U0001f7f0"
    "\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa70-\U0001fa7c"
    "\U0001fa80-\U0001fac6\U0001fac8\U0001facc-\U0001fadd\U0001fadf-\U0001faeb\U0001faef-\U0001fafa"
    "\U00020000-\U0002fffd\U00030000-\U0003fffd"
)
"""Letters that take two columns, as ranges: what `wcwidth` says, for pages, which have no such table."""
TWINS: Final = dict(
    zip(
        "аеорсухіјѕԁԛԝһӏвгкмнтАВСЕНІЈКМОРЅТХУԌԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧαοινρυգհոսօւ",
        "aeopcyxijsdqwhlBrkMHTABCEHIJKMOPSTXYGQWABEZHIKMNOPTYXaoivpughnuou",
        strict=True,
    )
)
"""Letters of other scripts that most fonts draw like a Latin one: Cyrillic, Greek, Armenian (Unicode UTS #39)."""


NARROW: Final = re.compile("[ -~¡-¬®-ʯ–—‘-”•…─-◼✓✎★]*")
"""Characters that take one column on every terminal."""
_JOINING: Final = re.compile(f"[{JOINING}]")
ALIKE: Final = (("0", "o"), ("1", "l"), ("|", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"))
"""What is easily taken for what."""
FRAMING: Final = "<>‹›˂˃〈〉:∶꞉;,‚&"
"""Characters that stand around, behind and between names where they are shown, and what looks like them. In a name they
could end it there: what follows would be taken for words of somebody else."""
BOT: Final = "(bot)"
"""The end of a bot's name, as it is shown. What is signed is its level."""
NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")
"""Names of bots by seat."""


@lru_cache(1024)
def shown(text: str) -> str:
    r"""The text with everything that a terminal or a reader could misread written as \u{…}.

    That is: control characters (line breaks and tabs too), bidirectional, invisible, private and unassigned ones, more
    than three marks on one letter, and letters that look like Latin ones in a word that has Latin letters.
    """
    return "".join(_shown_word(word) for word in re.split("( )", text))


def whole(text: str) -> str:
    """A typed text with ? for each byte that is none of UTF-8, of which a terminal makes half a character that can
    neither be written nor sent."""
    return text.encode("utf-8", "replace").decode()


def checked_name(text: str) -> str:
    """The name as it is sent: NFC, single spaces, at most 24 columns, and without the sign of a bot and what stands
    around names. UserError says what is wrong with it."""
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text)).strip(" ")
    if _signed_as_bot(name):
        raise UserError(
            "name/bot", _("A name with {sign} is a bot's.").format(sign=BOT), _("Choose a name without it.")
        )
    if not name:
        raise UserError("name/empty", _("A name needs at least one letter."), _("Give one with --name."))
    if shown(name) != name:
        raise UserError(
            "name/misleading",
            _("The name “{name}” has characters that others cannot see or would take for other ones.").format(
                name=shown(name)
            ),
            _("Leave out the characters that stand here as \\u{…}."),
        )
    framing = "".join(one for one in dict.fromkeys(name) if _has(one, FRAMING))
    if framing:
        raise UserError(
            "name/framing",
            _("The name “{name}” has characters that stand around or between names: {signs}").format(
                name=name, signs=" ".join(framing)
            ),
            _("Choose a name without them."),
        )
    if columns(name) > MAX_COLUMNS:
        raise UserError(
            "name/long",
            _("The name “{name}” takes {columns} columns in a terminal; {limit} are allowed.").format(
                name=name, columns=columns(name), limit=MAX_COLUMNS
            ),
            _("Choose a shorter one."),
        )
    return name


def clipped(text: str, limit: int = MAX_COLUMNS) -> str:
    """A stranger's text made safe and cut to `limit` columns, with … for the missing part."""
    safe = shown(unicodedata.normalize("NFC", text))
    if columns(safe) <= limit:
        return safe
    kept, width = "", 0
    for character in safe:
        width += columns(character)
        if width > limit - 1:
            break
        kept += character
    return kept + "…"


def seat_name(row: Row) -> str:
    """The name on a seat, safe to show: a bot's ends with its sign, and no person's does."""
    if row.level is not None:
        return f"{plain_name(row.name, MAX_COLUMNS - len(BOT) - 1)} {BOT}"
    return plain_name(_without(row.name, "(") if _signed_as_bot(row.name) else row.name)


def plain_name(text: str, limit: int = MAX_COLUMNS) -> str:
    """A stranger's name made safe, without what stands around and between names, and cut to `limit` columns."""
    return clipped(_without(text, FRAMING), limit)


def _signed_as_bot(name: str) -> bool:
    """True if a reader could take something in the name for the sign of a bot, whatever marks it has."""
    bare = "".join(one for one in unicodedata.normalize("NFKD", name) if unicodedata.category(one)[0] != "M")
    return skeleton(BOT) in skeleton(bare)


def _without(name: str, signs: str) -> str:
    """The name with these characters written out, of whatever width and height they are."""
    return "".join(_written(one) if _has(one, signs) else one for one in name)


def _has(character: str, signs: str) -> bool:
    return not {*unicodedata.normalize("NFKD", character)}.isdisjoint(signs)


def member_name(rows: Sequence[Row]) -> str:
    """The name of a machine, safe to show: the names of its people, or of its bots if there is no person, joined by a
    sign that stands between no two machines."""
    from p2p.lockstep.genesis import JOINT, people_of  # who has rows has loaded it

    names = list(dict.fromkeys(map(seat_name, people_of(rows))))
    return names[0] if len(names) == 1 else clipped(JOINT.join(names))


def sitter_name(sitter: Sitter) -> str:
    """The name of a machine that has no seat yet, safe to show, as `member_name`."""
    return member_name(sitter.rows(range(sitter.count)))


def bot_name(seat: int) -> str:
    """The name of the bot in a seat, without its sign."""
    return NAMES[seat] if seat < len(NAMES) else f"Peer {seat}"


def skeleton(name: str) -> str:
    """A form that is equal for names that look alike: two such names must not be at one table."""
    letters = [letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)]
    plain = "".join(TWINS.get(letter, letter) for letter in letters).casefold()
    for drawn, seen in ALIKE:
        plain = plain.replace(drawn, seen)
    return plain


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if somebody at the table has one that looks like it."""
    return next(free_names(name, taken), name)


def free_names(name: str, taken: Iterable[str]) -> Iterator[str]:
    """The name and the same with a number, as far as nobody at the table has one that looks like it."""
    others = {skeleton(other) for other in taken}
    numbered = (name if number == 1 else f"{clipped(name, MAX_COLUMNS - 3)} {number}" for number in range(1, 100))
    return (one for one in numbered if skeleton(one) not in others)


def columns(text: str) -> int:
    """The columns of a shown text in a terminal, which has cells for each of its characters."""
    if (text.isascii() and text.isprintable()) or NARROW.fullmatch(text):
        return len(text)
    from wcwidth import wcwidth  # its tables load slowly, and most texts do not need them

    return sum(max(wcwidth(letter), 0) for letter in text)


def _shown_word(word: str) -> str:
    latin = any(letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN") for letter in word)
    pieces: list[str] = []
    marks = 0
    for character in word:
        marks = marks + 1 if _is_mark(character) else 0
        hidden = marks > MAX_MARKS or _misleading(character) or (latin and character in TWINS)
        pieces.append(_written(character) if hidden else character)
    return "".join(pieces)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or _JOINING.fullmatch(character) is not None


def _written(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


def _misleading(character: str) -> bool:
    if character in INVISIBLE:
        return True
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp") or (category == "Zs" and character != " ")


def default_name(bot_level: str | None) -> str:
    """The name of a player who gives none."""
    import getpass
    import secrets

    if bot_level is not None:
        return f"{bot_level} {secrets.randbelow(900) + 100}"
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "player"
