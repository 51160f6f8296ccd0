"""The words of Eclipse: every record that an answer may hold registers itself here."""

from __future__ import annotations

from engine.core.values import Vocabulary

__all__ = ["words"]

words = Vocabulary()
