# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Rex.

pictures  all of them, by their command names
pieces    the city with all that stands there, and its spaces in words
hints     questions stage by stage, and the meaning of options
boards    the seats, side by side and each in full, numbers over time, own cards, leaders, cards that were looked at
fight     the present battle: both plans
"""
