"""The pictures of Rex.

pictures  all of them, by the names they are asked for
map       the city as text; city: as a plan; svg: as SVG
cards     one's own cards, leaders, what was looked at
hints     what is asked stage by stage, and what an option means
sheets    the same as cells: boards, cards, points, battles
fight     the battle under way: both plans
growth    what counts over time, and how battles are told when they are over
"""
