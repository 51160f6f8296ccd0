# SPDX-License-Identifier: GPL-3.0-or-later
"""Galactic Emperor.

``content/`` holds the tables; :mod:`~engine.emperor.tables` describes their rows, :mod:`~engine.emperor.catalog`
numbers them and precomputes what rules ask often. The state stores numbers; answers use the ids. One module a role
stands in ``roles``; :mod:`~engine.emperor.combat` fights the Warlord's battles, :mod:`~engine.emperor.duel` the one
that breaks a tie. :mod:`~engine.emperor.rulings` lists the rulings where the document is silent: many values of this
game are reconstructions, so every row of content carries its confidence, and a table may bring content of its
own: :mod:`~engine.emperor.custom_content` lays it over the game's, :mod:`~engine.emperor.limits` judges both.

The map is a hexagon of 37 spaces in rows a (north) to g (south), each numbered from the west: ``d4`` is the centre,
``a1``, ``a4``, ``d1``, ``d7``, ``g1`` and ``g4`` are the corners.
"""
