# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock rules`: looks something up in the rules."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.commands.arguments import add_content, add_game
from client.session.lookup import contents, looked_up, shown
from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _
from client.table.custom_content import changes_text, read_custom
from client.table.options import known_game
from client.words.reference import entries
from engine.core.registry import game

MOST = 60
"""Most entries shown with their texts; more are listed by their words."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and the word."""
    add_game(parser)
    add_content(parser)
    parser.add_argument(
        "word",
        metavar=_("WORD"),
        nargs="*",
        default=[],  # else argparse says that it is required
        help=_("a chapter, a name or the beginning of one (default: the contents)"),
    )


def run(args: Namespace, context: Context) -> int:
    """Show the contents, a chapter, or the articles for a word."""
    known_game(args.game)
    own = None if args.content is None else read_custom(game(args.game), args.content)
    found = entries(args.game if own is None else own.spec)
    word = "-".join(args.word).lower()
    if word:
        found = looked_up(args.game, found, word)
    text = "\n\n".join(map(shown, found)) if word and len(found) <= MOST else contents(args.game, found)
    differs = [] if own is None else [{"path": c.path, "built_in": c.built_in, "own": c.own} for c in own.changes]
    context.answer(
        text if own is None or word else f"{changes_text(own)}\n\n{text}",
        game=args.game,
        **({} if own is None else {"content": own.id.hex(), "changes": differs}),
        word=word,
        entries=[
            {"word": one.word, "kind": one.kind, "title": one.title, "text": one.text, "source": one.source}
            for one in found
        ],
    )
    return DONE
