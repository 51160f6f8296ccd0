# SPDX-License-Identifier: GPL-3.0-or-later
"""Games and bots of installed packages, found by the entry points of their metadata; no code of them runs for that.

    [project.entry-points."starlock.games"]
    pearls = "my_pearls.spec:PEARLS"

    [project.entry-points."starlock.bots"]
    patient = "my_bots:PatientBot"

A package is a program of its author that runs with the rights of who installed it. One that is broken, or that takes a
name which is taken, is told of in a sentence wherever its game or bot is named, and changes nothing else.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from client.system.errors import UserError
from client.system.names import shown
from client.system.texts import N_, _, add_package
from engine.core.dataclass import dataclass

GAMES: Final = "starlock.games"
BOTS: Final = "starlock.bots"
ENDINGS: Final = (".dist-info", ".egg-info")
"""Of folders of metadata."""
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
BRINGS: Final = {
    GAMES: N_("The package {package} brings the game “{name}”, which cannot be used: {reason}."),
    BOTS: N_("The package {package} brings the bot “{name}”, which cannot be used: {reason}."),
}


@dataclass(frozen=True, slots=True)
class Point:
    """An entry point.

    Attributes:
        group: `GAMES` or `BOTS`.
        place: what it names, as `module:name`.
        package: name and version of the package that brings it.
    """

    group: str
    name: str
    place: str
    package: str


@cache
def points(group: str) -> Mapping[str, tuple[Point, ...]]:
    """The entry points of a group by their names; two packages may bring the same."""
    found: dict[str, tuple[Point, ...]] = {}
    for package, text in _metadata():
        for point in _read(package, text):
            same = found.get(point.name, ())
            if point.group == group and point not in same:
                found[point.name] = (*same, point)
    return found


def forget() -> None:
    """Look for packages anew the next time."""
    points.cache_clear()


def loaded(points: Iterable[Point], taken: bool = False) -> Any:
    """What entry points of one name stand for. taken: starlock has something of that name. UserError if it cannot be
    used."""
    first, *others = points
    if taken:
        raise trouble(first, _("starlock has one of that name"))
    if others:
        raise trouble(first, _("{package} brings one of that name too").format(package=shown(others[0].package)))
    if not re.fullmatch(NAME, first.name):
        raise trouble(first, _("its name is not made of small letters, digits and hyphens"))
    found = place_of(first, first.place)
    _translate(first)
    return found


def _translate(point: Point) -> None:
    """Take the catalogues of a package, `locale/<language>/LC_MESSAGES/<package>.mo` in its folder."""
    name = point.place.partition(":")[0].partition(".")[0]
    for folder in getattr(sys.modules[name], "__path__", ()):
        try:
            add_package(name, Path(folder, "locale"))
        except Exception as error:
            raise trouble(point, f"{type(error).__name__}: {shown(str(error))}") from error


def sources(group: str, name: str) -> list[Path]:
    """The source files of the packages that bring this; none for what starlock has. They must be importable."""
    found = list[Path]()
    for point in points(group).get(name, ()):
        module = import_module(point.place.partition(":")[0].partition(".")[0])
        folders = getattr(module, "__path__", ())
        found += [path for folder in folders for path in sorted(Path(folder).rglob("*.py"))]
        found += [] if folders or module.__file__ is None else [Path(module.__file__)]
    return found


def place_of(point: Point, place: str) -> Any:
    """What stands at a place of the package. UserError if nothing does, or if its code fails."""
    module, colon, name = place.partition(":")
    if not (colon and name.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise trouble(point, _("“{text}” is no place such as my_pearls.spec:PEARLS").format(text=shown(place)))
    try:
        return getattr(import_module(module), name)
    except (Exception, SystemExit) as error:
        raise trouble(point, f"{type(error).__name__}: {shown(str(error))}") from error


def trouble(point: Point, reason: str) -> UserError:
    """Why what a package brings cannot be used."""
    text = _(BRINGS[point.group]).format(package=shown(point.package), name=shown(point.name), reason=reason)
    return UserError(
        "package/unusable",
        text,
        _("Tell its author, or take it out: pip uninstall {package}").format(
            package=shown(point.package.partition(" ")[0])
        ),
    )


# Metadata ------------------------------------------------------------------------------------------------------------


def _metadata() -> Iterator[tuple[str, str]]:
    """Name and version of each package with entry points of ours, and their text."""
    for place in dict.fromkeys(sys.path):
        try:
            folders = sorted(each.name for each in os.scandir(place or ".") if each.name.endswith(ENDINGS))
        except OSError:
            continue
        for folder in folders:
            try:
                data = Path(place, folder, "entry_points.txt").read_bytes()
            except OSError:
                continue
            if b"starlock." in data:
                name, version = (folder.rpartition(".")[0] + "-").split("-")[:2]
                yield f"{name.replace('_', '-')} {version}", data.decode("utf-8", "replace")


def _read(package: str, text: str) -> list[Point]:
    """The entry points of ours in a text as packaging.python.org describes it; none in a text of another form. For this
    alone `importlib.metadata` would take as long as the rest of a short command."""
    from configparser import ConfigParser, Error

    file = ConfigParser(delimiters=("=",), interpolation=None)
    file.optionxform = str  # type: ignore[assignment,method-assign]  # as the documentation of the module says
    try:
        file.read_string(text)
    except Error:
        return []
    return [Point(group, *each, package) for group in BRINGS if file.has_section(group) for each in file.items(group)]
