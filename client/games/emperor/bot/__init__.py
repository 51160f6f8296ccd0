# SPDX-License-Identifier: GPL-3.0-or-later
"""The greedy bot for Galactic Emperor.

turns  answers by their immediate value
worth  values of tiles, ships and spaces; `reasons`: answers explained
"""
