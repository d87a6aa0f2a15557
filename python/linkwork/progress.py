"""How far something is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def teller(progress: bool | Callable[[float], object] | None, what: str) -> Callable[[float], object] | None:
    """Who is told the share that is done: nobody, a function, or a line on stderr."""
    if progress is None or progress is False:
        return None
    return Bar(what) if progress is True else progress


class Bar:
    """A line on stderr that appears when something takes long."""

    def __init__(self, what: str, patience: float = 0.5) -> None:
        self._what = what
        self._since = time.monotonic()
        self._patience = patience
        self._shown = False

    def __call__(self, share: float) -> None:
        spent = time.monotonic() - self._since
        if share >= 1:
            if self._shown:
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()
            return
        if spent < self._patience:
            return
        self._shown = True
        left = spent * (1 - share) / share if share > 0 else float("inf")
        filled = "#" * int(30 * share)
        remaining = f"{left:.0f} s left" if left < 1e6 else ""
        sys.stderr.write(f"\r{self._what} [{filled:<30}] {100 * share:3.0f} %  {remaining}\033[K")
        sys.stderr.flush()
