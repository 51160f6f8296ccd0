"""The members of a table of tests, as notices name them."""

from __future__ import annotations

from client.table.notices import Party

__all__ = ["ANNA", "BOB", "CARL", "DEE"]

ANNA, BOB, CARL, DEE = (Party(number, name) for number, name in enumerate(("Anna", "Bob", "Carl", "Dee")))
