# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Rex.

pictures  all of them, by their command names
map       the spaces in words; pieces: the city with all that stands there
cards     own cards, leaders, cards that were looked at
hints     questions stage by stage, and the meaning of options
boards    the seats, side by side and each in full
fight     the present battle: both plans
counts    figures of a seat and numbers over time
"""
