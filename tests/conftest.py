"""Settings that every test runs under."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from catalogues import compile_all
from hypothesis import HealthCheck, configuration, settings
from volume import GATE, VOLUME
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

import client.system.registry  # noqa: F401  # with it, tests of every game play tests/nim too, the game of another package
from p2p.testing.products import remember_products

if TYPE_CHECKING:
    from pty_driver import Terminal

ROOT = Path(__file__).parent.parent
SCHEDULE = os.environ.get("STARLOCK_SCHEDULE", "0")

SHARED = {
    "test_class_names": "sources",
    "test_convictions": "faults",
    "test_crafted_signatures": "crafted",
    "test_distributions": "rolls",
    "test_floods": "floods",
    "test_import_rule": "sources",
    "test_link_conformance": "links",
    "test_lint_and_types": "sources",
    "test_judges_agree": "faults",
    "test_judges_agree_ends": "faults",
    "test_judges_agree_told": "faults",
    "test_mutations": "mutations",
    "test_replay_branch": "replays",
    "test_replay_pages": "replays",
    "test_replay_screen": "replays",
    "test_report_browser": "pages",
    "test_report_checks": "pages",
    "test_report_marks": "pages",
    "test_report_page": "pages",
    "test_rooms": "sources",
    "test_rows": "rows",
    "test_screen_map_keys": "screens",
    "test_screen_mouse": "screens",
    "test_screen_pictures": "screens",
    "test_screen_table": "screens",
    "test_show_eclipse": "positions",
    "test_snapshot": "snapshots",
    "test_table_ending": "endings",
    "test_verify_fair": "verdicts",
    "test_wheel": "wheel",
}
"""Modules whose tests share something costly, such as a played game: one worker runs all tests of a group."""

compile_all(str(ROOT / "tests" / "nim" / "starlock_nim" / "locale"), "starlock_nim")

# Nothing that tests leave behind lands beside the sources.
configuration.set_hypothesis_home_dir(ROOT / ".venv" / "cache" / "hypothesis")

settings.register_profile(
    "gate", derandomize=True, max_examples=40 * VOLUME, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("STARLOCK_HYPOTHESIS", "gate"))


def pytest_sessionstart() -> None:
    """One process plays all members of a table, and judges its log several times."""
    remember_products()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The gate leaves out what is marked `soak`; what takes long comes first, so that all workers end together."""
    if VOLUME == GATE:
        later = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in later]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """What is loaded by now lives to the end: the collector of cycles need not walk through it again and again."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Gives each worker one test after the other, and the tests of a group to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return SHARED.get(Path(nodeid.partition("::")[0]).stem, nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    return GroupScheduling(config, log)


def pytest_report_header() -> str:
    """Say which order of tasks is tried."""
    return f"schedule: STARLOCK_SCHEDULE={SCHEDULE}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """trio runs tasks that are ready in a random order: each test has its own one, the same in every run with the same
    STARLOCK_SCHEDULE. trio has no public way to say so; pytest-trio does the same for hypothesis."""
    scheduler = sys.modules.get("trio._core._run")
    if scheduler is not None:
        scheduler._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[attr-defined]
        scheduler._r.seed(f"{SCHEDULE}/{item.nodeid}")


class Failing:
    """Names a test as soon as it has failed: a run that is ended from outside has no summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            terminal.write_line(f" {report.nodeid} failed")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Failing(config))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """One process has one language: a test that speaks another one leaves English behind."""
    texts = sys.modules.get("client.system.texts")
    if texts is not None and texts.current() != "en":
        texts.use("en")


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Counts what a test has tried. The end of the run says the sum of all tests, in whatever pieces they ran."""
    return lambda what, count: record_property("tally", [what, count])


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how much was tried in all, of what the tests have counted."""
    sums: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == "tally":
                sums[value[0]] += value[1]
    for what, count in sums.items():
        terminalreporter.write_line(f"{count} {what}")


@pytest.fixture
def opened() -> Iterator[list[Terminal]]:
    """Terminals that are closed at the end; see `pty_driver.open_terminal`."""
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def starlock_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own for the client, which speaks English; nothing is in it yet."""
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path / "home"


@pytest.fixture
def greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time of day is that of everywhere."""
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
