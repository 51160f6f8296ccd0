# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Galactic Emperor.

pictures  all of them, by their command names
pieces    the galaxy with all that stands there
hints     the meaning of an option in the present position, and what remains after it
words     sentences that the pictures share
boards    boards, roles, tiles, technologies, prices, numbers over time
fight     the present battle: three phases
odds      the chances of a battle
"""
