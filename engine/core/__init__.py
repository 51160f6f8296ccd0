# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine that runs every game.

The agenda, ``flow.agenda``, lists the segments to run. A segment is a generator that reads like the rulebook and
yields the eight waits of :mod:`engine.core.waits`. A :class:`~engine.core.match.Match` steps it input by input:
``check``, ``apply``, ``batch``, ``clone``, ``digest``, ``dump``/``load``, ``view``. A game provides a
:class:`~engine.core.registry.GameSpec`. :mod:`engine.testing.lint` checks that its rules can be replayed.

The state never contains secrets: it holds handles, and the faces are in a seat's lens. A game's ``veil`` names numbers
that all peers compute with but that are private at the table. Screens and bots see the state only through
``Match.view``. :func:`engine.core.imagine.imagine` makes a whole game of a view again, with fair deals of what it
hides, for a bot that thinks ahead; :mod:`engine.core.history` is the public record that this needs.

Positions
---------
``Match.position()`` gives JSON for tests and bug reports, with ``position`` (format version), ``rules``
(``eclipse2/1``) and one object for each section, at the start of the running segment. Sections that every game has:

``table``   game (text), seats (number), options (text by name), rules (number)
``flow``    now, agenda (segments: name and arguments), cursor (0), notices
``decks``   order (undealt handles of each deck, top first), made (handles ever made), seals, claims

Each game's ``state`` module describes its own sections. :mod:`engine.testing.judges` judges a
position and refuses by path and value (``seats.discs.1: 17 of 16``).
"""
