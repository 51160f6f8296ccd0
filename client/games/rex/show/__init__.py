# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Rex.

pictures  all of them, by their command names
map       the city as text; city: as a plan; svg: as SVG
cards     own cards, leaders, cards that were looked at
hints     questions stage by stage, and the meaning of options
sheets    the same as cells: boards, cards, points, battles
fight     the present battle: both plans
growth    numbers over time, and how to find battles in the events
"""
