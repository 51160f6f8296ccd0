# SPDX-License-Identifier: GPL-3.0-or-later
"""A public key as ten words that two people can compare aloud.

The words encode 80 bits of a hash of the key, so finding another key with the same words is infeasible. Any two of the
256 words differ within their first three letters, so an unclear ending does no harm. The words and their order never
change, since friends compare what their programs print.
"""

from __future__ import annotations

from typing import Final

from seeds.hashing import H

_LIST: Final = """
acid acorn agent alarm album alley amber angle apple arena armor arrow aspen atlas attic axis bacon badge baker
bamboo banjo basil beaver berry bingo birch blade blue bonus book bottle brass bread brick burger butter cabin
cactus camel candle carpet castle cedar cello chalk cherry cider cinema circle citrus clay cliff clover cobra cocoa
comet coral cotton cradle crystal daisy dance delta denim desert dial dinner dolphin donkey dragon dwarf eagle echo
elbow engine envoy epoch fabric falcon family fern fiddle finch flame flute fog forest fox fresco gadget galaxy
garlic gecko ghost ginger glacier globe goat golf grape guitar gypsum habit hammer harbor hazel helmet hermit hippo
hobby honey hotel humble hunter igloo image indigo iron island ivory jacket jaguar jelly jigsaw joker jungle kayak
kernel kettle kidney kiosk kiwi koala ladder lagoon lantern laser lemon level linen lizard llama lobby lotus lunar
magnet mango marble melon meteor mimosa mint mirror moose motor muffin museum napkin nectar needle nickel noble
nougat nutmeg nylon oasis ocean octave olive omega onion opera orbit osprey otter oven owl oyster panda parrot
pebble pelican pepper piano pilot planet plum pocket poem polar prism puzzle python quartz quick rabbit radar raven
rebel relic ribbon river robot rocket rope ruby saddle salmon satin scout sequoia shadow silver sketch sloth smoke
snail soap sofa spider squid stable sugar summit swan syrup table tango teapot temple thorn tiger toast topaz tower
tulip tunnel turtle unicorn urban valley vanilla velvet violin volcano waffle walnut whale willow window wizard
yacht yellow yogurt zebra zigzag
"""
WORDS: Final = tuple(_LIST.split())
COUNT: Final = 10


def fingerprint(public_key: bytes) -> str:
    """Return the ten words of a 32-byte public key, separated by spaces."""
    return " ".join(WORDS[byte] for byte in H("fingerprint", public_key)[:COUNT])
