# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own environment: `.venv` with exactly the locked packages, created when it is missing or out of date.

The scripts that people start first use it, on a machine with only Python, so it needs only the standard library; when
the set-up is current, no module is imported that the interpreter has not loaded already. All messages go to standard
error.
"""

from __future__ import annotations

import os
import sys

import catalogues

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
PLAY = "requirements.lock"
TEST = "requirements-test.lock"
OLDEST = (3, 11)

NO_NETWORK = (
    "name resolution",
    "Failed to establish",
    "NewConnectionError",
    "ConnectTimeout",
    "ProxyError",
    "Network is unreachable",
    "timed out",
    "nodename nor servname",
    "getaddrinfo failed",
)


def ready(lock: str) -> str:
    """Return the Python of the environment that holds the packages of `lock`, setting it up first where needed."""
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:3]))
        fail(
            f"starlock needs Python 3.11 or newer; this is {found} ({sys.executable}).",
            "Install a newer one from python.org or your system, and start this script with it (python3.12 …).",
        )
    if not _current(lock):
        _set_up(lock)
    catalogues.compile_all()
    return PYTHON


def run(python: str, arguments: list[str]) -> None:
    """Run `python` with these arguments in place of this process; never returns."""
    command = [python, *arguments]
    if os.name != "nt":
        os.execv(python, command)
    import subprocess

    with subprocess.Popen(command) as child:
        while True:
            try:
                sys.exit(child.wait())
            except KeyboardInterrupt:
                continue  # Ctrl-C has reached the child too; its exit code is ours


def fail(what: str, todo: str) -> None:
    """Print what is missing and what to do, and end."""
    print(f"{what}\n{todo}", file=sys.stderr)
    sys.exit(2)


def _stamp(lock: str) -> str:
    return os.path.join(VENV, f"{lock}.installed")


def _wanted(lock: str) -> str:
    """The contents of the stamp of a current set-up: its path (a moved environment does not run) and the lock."""
    with open(os.path.join(ROOT, lock), encoding="utf-8") as file:
        return f"{ROOT}\n{file.read()}"


def _current(lock: str) -> bool:
    try:
        with open(_stamp(lock), encoding="utf-8") as file:
            return file.read() == _wanted(lock) and os.path.exists(PYTHON)
    except FileNotFoundError:
        return False


def _set_up(lock: str) -> None:
    with open(os.path.join(ROOT, PLAY), encoding="utf-8") as turnstile:
        _wait_for_others(turnstile)
        if _current(lock):
            return
        try:
            if not _works():
                _make_venv()
            _install(lock)
            _link()
            for done in (PLAY, TEST) if lock == TEST else (PLAY,):
                with open(_stamp(done), "w", encoding="utf-8") as file:
                    file.write(_wanted(done))
        except OSError as error:
            fail(f"Setting up {VENV} failed: {error}.", "Make the folder writable or free some space, and start again.")
    print("Set-up is done.", file=sys.stderr)


def _wait_for_others(turnstile) -> None:  # type: ignore[no-untyped-def]  # the type would need an import
    """Let two scripts that start at the same time set up one after the other."""
    try:
        if os.name == "nt":
            import msvcrt

            turnstile.seek(1 << 30)  # a byte that nobody reads, because locks are mandatory on Windows
            msvcrt.locking(turnstile.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(turnstile.fileno(), fcntl.LOCK_EX)
    except OSError:
        print("This disk knows no locks: do not start a second set-up at the same time.", file=sys.stderr)


def _works() -> bool:
    import subprocess

    check = f"import sys, pip; sys.exit(sys.version_info < {OLDEST})"
    try:
        return subprocess.run([PYTHON, "-c", check], capture_output=True).returncode == 0
    except OSError:
        return False


def _make_venv() -> None:
    import importlib.util
    import subprocess

    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        fail(
            f"This Python ({sys.executable}) comes without {' and '.join(missing)}, so no environment can be made.",
            "On Debian and Ubuntu: sudo apt install python3-venv. Elsewhere: install Python from python.org.",
        )
    print(f"Making the environment {VENV} …", file=sys.stderr)
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True)
    if made.returncode:
        fail(
            f"Making {VENV} failed: {_last_line(made.stderr or made.stdout)}",
            "If your system splits Python into packages, install the one for venv (python3-venv), then start again.",
        )


def _install(lock: str) -> None:
    import subprocess

    print(f"Installing the packages of {lock} (once) …", file=sys.stderr)
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2", "--require-hashes"]
    arguments = ["-m", "pip", "install", *options, "-r", os.path.join(ROOT, lock)]
    done = subprocess.run([PYTHON, *arguments], capture_output=True, text=True)
    if done.returncode == 0:
        return
    said = done.stderr + done.stdout
    if any(sign in said for sign in NO_NETWORK):
        fail(
            "The packages could not be fetched: no connection to the Python package index.",
            "Connect to the network for this one time (behind a proxy set HTTPS_PROXY), and start again.",
        )
    if "DO NOT MATCH THE HASHES" in said:
        fail(
            f"A fetched package is not the one that {lock} names: its hash differs. Nothing of it was installed.",
            "Start again; if it stays so, somebody between you and the package index changes files.",
        )
    fail(f"Installing the packages failed: {_last_line(said)}", f"All that pip said:\n{said.strip()}")


def _link() -> None:
    """Let the environment's Python find the packages of this folder, wherever it is started."""
    import subprocess

    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    where = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=True)
    with open(os.path.join(where.stdout.strip(), "starlock.pth"), "w") as file:  # read in the system's own encoding
        file.write(ROOT + "\n")


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else "no reason given"
