# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts about custom content: the errors in a file, by table and key."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_, NN_, _, ngettext

EVENTS: Final[dict[str, str]] = {}

REFUSALS: Final[dict[str, str]] = {
    "content/back": N_("{path}: a tile of kind {0} has no back {1}: plain or atomic, none for the two of the middle."),
    "content/deep": N_("Line {1} goes deeper than {0} levels of tables and lists."),
    "content/effect-twice": N_("{path}: the effect {0} stands twice; one technology may have it."),
    "content/form": N_("It is not written in the one canonical form."),
    "content/homes": N_("{path}: name {0} different spaces of the map, none of them the middle."),
    "content/id": N_("{path}: an id has 3 to {0} letters a to z and digits, with single hyphens between them."),
    "content/id-twice": N_("{path}: the id {0} stands twice among tiles and technologies."),
    "content/long-word": N_("Line {1} holds a key, a number or a text of more than {0} characters."),
    "content/missing": N_("{path} is missing."),
    "content/name": N_("{path}: a name has 1 to {0} printable characters."),
    "content/no-own": N_("{0} takes no content of a table."),
    "content/not-utf8": N_("It is not text in UTF-8 (byte {0})."),
    "content/players": N_("{path}: give one value for each of {all} players."),
    "content/range": N_("{path} is {0}; from {1} to {2} is possible."),
    "content/role": N_("{path}: the effect {0} is used in the role {1}."),
    "content/since": N_("{path}: it does not say rightly since when it stands: {0}."),
    "content/tile-kinds": NN_(
        "{path}: {1} tile of kind {0}; there are {2}.", "{path}: {1} tiles of kind {0}; there are {2}.", "1"
    ),
    "content/tiles": NN_(
        "{path}: {0} tile; the map takes {1}, the Black Hole among them.",
        "{path}: {0} different tiles; the map takes {1}, the Black Hole among them.",
        "0",
    ),
    "content/toml": N_("It is not TOML: {0}"),
    "content/too-long": N_("It has more than {1} bytes, and more are not possible."),
    "content/type": N_("{path} is {1}; what belongs there: {0}."),
    "content/unfit": N_("Its tables do not fit together: {0}"),
    "content/units": N_("{path}: name each of these once: {all}."),
    "content/unknown-key": N_("{path} is no key of this table; its keys: {all}."),
    "content/version": N_("{path} is {1}; {0} is possible."),
}

TERMS: Final[dict[str, str]] = {}

WANTED: Final = {
    "a table": N_("a table"),
    "a list": N_("a list"),
    "int": N_("a whole number"),
    "str": N_("a text"),
    "bool": N_("true or false"),
}
"""The texts for what a key may hold."""


def wanted_text(wanted: str) -> str:
    """What a key may hold, in words; a list of permitted texts stays as written in the file."""
    choice = wanted.removeprefix("one of ")
    if choice != wanted:
        return _("one of {values}").format(values=choice)
    count = wanted.removesuffix(" items")
    if count != wanted:
        return ngettext("{n} value", "{n} values", int(count)).format(n=count)
    return _(WANTED.get(wanted, wanted))
