# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Galactic Emperor.

pictures  all of them, by their command names
svg       the galaxy as SVG
hints     the meaning of an option in the present position, and what remains after it
words     sentences that the pictures share
sheets    the same as cells: boards, cards, points
fight     the present battle: three phases
growth    numbers over time, and how to find battles in the events
odds      the chances of a battle; whatif: with other units
"""
