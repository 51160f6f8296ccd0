"""The machine that every game runs on.

The outer machine is data: ``flow.agenda`` lists the segments to run.  Each segment is a generator that reads like the
rulebook and asks one of the eight waits of :mod:`engine.core.waits`.  A :class:`~engine.core.match.Match` steps it
input by input: ``check``, ``apply``, ``batch``, ``clone``, ``digest``, ``dump``/``load``, ``view``.  What a game must
give stands in :class:`~engine.core.registry.GameSpec`; :mod:`engine.testing.lint` holds rules to what replay needs.

What is secret never stands in the state: it holds handles, and faces are in a seat's lens.  What all peers compute with
and is private at the table all the same, a game names as its ``veil``; ``Match.view`` is the only way to a picture.

Positions
---------
``Match.position()`` gives JSON for tests and bug reports, with ``position`` (format version), ``rules``
(``eclipse2/1``) and one object a section, at the start of the running segment.  Sections that every game has:

``table``   game (text), seats (number), options (text by name), rules (number)
``flow``    now, agenda (segments: name and arguments), cursor (0), notices
``decks``   order (undealt handles of each deck, top first), made (handles ever made), seals, claims

Each game's ``state`` module describes its own sections.  :mod:`engine.testing.judges` judges a
position and refuses by path and value (``seats.discs.1: 17 of 16``).
"""
