"""The pictures of Eclipse."""

from __future__ import annotations

from client.show.pictures import NONE

PICTURES = NONE
