# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays tasks of bots in this process, or in several at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from threading import Thread
from typing import TypeVar

from client.bots.one_game import GameTask, PlayedGame, play_task

Key = TypeVar("Key")
AHEAD = 4
"""Tasks that wait in line for each worker, so that none is idle and an interruption loses little."""


def played(tasks: Iterable[tuple[Key, GameTask]], workers: int) -> Iterator[tuple[Key, PlayedGame]]:
    """Play the tasks and yield each row as soon as it is there, in any order.

    workers: the number of processes; 1 plays in this one. A worker that dies takes its games with it: they are played
    again by a new pool, twice at most, and then the error is raised.
    """
    if workers == 1:
        yield from ((key, play_task(task)) for key, task in tasks)
        return
    from concurrent.futures.process import BrokenProcessPool

    left = dict(enumerate(tasks))
    for attempt in range(3):
        try:
            for number, row in _by_pool(left, workers):
                yield left.pop(number)[0], row
            return
        except BrokenProcessPool:
            if attempt == 2:
                raise


def _by_pool(tasks: dict[int, tuple[Key, GameTask]], workers: int) -> Iterator[tuple[int, PlayedGame]]:
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from multiprocessing import get_context

    numbers = iter([*tasks])
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=end_with_parent) as pool:
        running: dict[Future[PlayedGame], int] = {}
        try:
            while True:
                for number in islice(numbers, workers * AHEAD - len(running)):
                    running[pool.submit(play_task, tasks[number][1])] = number
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    number = running.pop(future)
                    yield number, future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def end_with_parent() -> None:
    """Let this process end when the one that has started it ends. A killed one leaves its workers waiting for games."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
