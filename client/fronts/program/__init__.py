# SPDX-License-Identifier: GPL-3.0-or-later
"""Seats that nobody sits at. A program plays by the JSON that `client.fronts.web` serves; a bot plays by itself.

`bots` is the user for whom a bot plays.
"""
