# SPDX-License-Identifier: GPL-3.0-or-later
"""Rex: Final Days of an Empire.

``content/`` holds the tables; :mod:`~engine.rex.tables` describes their rows and :mod:`~engine.rex.catalog` numbers
them. The state stores numbers; answers use the ids. A round is seven phases, each a module in the order of the
document: influence, bidding, recruitment, maneuver (with deployment), battle (with orders, plans, decide, spoils),
collection, bombardment; then victory. :mod:`~engine.rex.first` and :mod:`~engine.rex.setup` come before,
:mod:`~engine.rex.windows` asks for Strategy cards between the steps, :mod:`~engine.rex.effects` carries them out,
:mod:`~engine.rex.alliances` is the ceasefire. :mod:`~engine.rex.reasons` helps to say why a pick is not possible.

Hands, traitors, betrayal cards, the influence and the bombardment deck are sealed decks: the state holds handles.
What a seat picks from a hidden hand can be checked by others only when the card is opened, so public options list every
card and a lens leaves those that fit; a card that does not fit its play is discarded without effect.

:mod:`~engine.rex.rulings` lists the rulings where the sources are silent or disagree, :mod:`~engine.rex.options` what a
table may choose.
"""
