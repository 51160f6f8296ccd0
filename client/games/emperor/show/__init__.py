# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Galactic Emperor.

pictures  all of them, by their command names
pieces    the galaxy with all that stands there, drawn and in words
hints     the meaning of an option in the present position, and what remains after it
boards    boards, roles, tiles, technologies, prices, numbers over time
fight     the present battle: three phases, and hypothetical ones
odds      the chances of a battle
"""
