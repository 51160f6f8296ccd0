# SPDX-License-Identifier: GPL-3.0-or-later
"""Several people at one screen: their number and names."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from client.commands.seating import is_served
from client.system.errors import INTERRUPTED, UserError
from client.system.names import checked_name, skeleton
from client.system.texts import _

if TYPE_CHECKING:
    from p2p.lockstep.genesis import Member


def add_people(parser: ArgumentParser) -> None:
    """Add --people."""
    parser.add_argument(
        "--people",
        metavar="N",
        type=int,
        default=1,
        help=_("how many people play at this screen, each with a hand that the others do not see (default: 1)"),
    )


def check_people(args: Namespace, seats: int) -> None:
    """Raise UserError for a number of people that cannot share this screen."""
    if not 1 <= args.people <= seats:
        raise UserError(
            "cli/people",
            _("{people} people cannot play at a table with {seats} seats.").format(people=args.people, seats=seats),
            _("Give a number from 1 to {seats}, or more seats with --players.").format(seats=seats),
        )
    if args.people > 1 and args.level is not None:
        raise UserError(
            "cli/people-bot",
            _("A bot plays for one person only."),
            _("Leave out --as, or --people."),
        )
    if args.people > 1:
        no_page(args)


def no_page(args: Namespace) -> None:
    """Raise UserError for a page or a program, which would see every hand."""
    if is_served(args):
        raise UserError(
            "cli/people-page",
            _("Several people can share a terminal, but no page in the browser and no program: it shows every hand."),
            _("Leave out --web, --web-port and --api."),
        )


def check_shared(args: Namespace, member: Member | None) -> None:
    """Raise UserError if a table of several people at one screen would continue on a page."""
    if member is not None and sum(row.level is None for row in member.rows) > 1:
        no_page(args)


def names_of_people(args: Namespace) -> list[str]:
    """The names of all the people, by seat. UserError for invalid names."""
    names = _asked(args.people) if args.name is None else [checked_name(each) for each in args.name.split(",")]
    if len(names) != args.people:
        raise UserError(
            "cli/people-names",
            _("{people} people need as many names; --name gives {given}.").format(people=args.people, given=len(names)),
            _("Give them with commas between: --name Ann,Bob"),
        )
    if len({skeleton(each) for each in names}) < len(names):
        raise UserError(
            "cli/people-alike",
            _("Two of these names look alike: {names}.").format(names=", ".join(names)),
            _("Give each person another name."),
        )
    return names


def _asked(people: int) -> list[str]:
    """The names, asked at the terminal one by one."""
    if not sys.stdin.isatty():
        raise UserError(
            "cli/people-unnamed",
            _("There is no terminal to ask for the names of the people."),
            _("Give them with commas between: --name Ann,Bob"),
        )
    names: list[str] = []
    while len(names) < people:
        try:
            said = input(_("Name of person {number}: ").format(number=len(names) + 1))
        except EOFError:
            raise UserError("cli/interrupted", _("Interrupted."), "", INTERRUPTED) from None
        try:
            names.append(_free(checked_name(said), names))
        except UserError as error:
            print(error.message)
    return names


def _free(name: str, taken: list[str]) -> str:
    """The checked name. UserError if it has a comma, or another name looks like it."""
    if "," in name or skeleton(name) in map(skeleton, taken):
        raise UserError("cli/people-alike", _("Give each person another name, without a comma."))
    return name
