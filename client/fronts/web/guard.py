# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the requests to the server of the page. Sans-IO."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from typing import Final

KEY_HEADER: Final = "x-starlock"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types starlock"
)
SANDBOX: Final = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""The policy of the report page: it has its own Content-Security-Policy, and an origin separate from the board's."""
HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every response."""


class Guard:
    """Checks requests for the server at `port`, the TCP port that it listens on."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._keys: dict[str, str] = {}

    def new_key(self) -> str:
        """A key that requests may carry, for a program that reads it from a place of its own."""
        return self._new_key(secrets.token_urlsafe(16))

    def new_code(self) -> str:
        """A code that can be traded once, for a key of its own."""
        code = secrets.token_urlsafe(16)
        self._keys[code] = ""
        return code

    def traded(self, code: str) -> str | None:
        """A new key for an unused code; None for any other. A code that comes a second time was read by somebody else,
        so that its key ends too (RFC 6749, 4.1.2)."""
        for known in [known for known in self._keys if hmac.compare_digest(known.encode(), code.encode())]:
            if not self._keys[known]:
                return self._new_key(known)
            del self._keys[known]
        return None

    def _new_key(self, code: str) -> str:
        key = self._keys[code] = secrets.token_urlsafe(32)
        return key

    def refused(self, method: str, path: str, headers: Mapping[str, str]) -> int | None:
        """The status code of the refusal, None for a request to be answered: 421 for another host, 403 for another
        origin or a cross-site request that is no navigation to the page, 403 for a POST without the key, 405 for other
        methods. headers: names in lower case."""
        own = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if headers.get("host", "") not in own:
            return 421
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in own}:
            return 403
        navigation = method == "GET" and path == "/" and headers.get("sec-fetch-mode", "navigate") == "navigate"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not navigation:
            return 403
        if method not in ("GET", "POST"):
            return 405
        if method == "POST" and path != "/key" and not self._holds_key(headers.get(KEY_HEADER, "")):
            return 403
        return None

    def _holds_key(self, given: str) -> bool:
        known = [hmac.compare_digest(key.encode(), given.encode()) for key in self._keys.values() if key]
        return any(known)
