"""How far a long call is, where someone is there to see it."""

from __future__ import annotations

import sys
import time
from typing import Any

#: Shorter calls say nothing.
QUIET_SECONDS = 1.0


class Bar:
    """Nothing for a while, then rows done; tqdm draws it where it is installed."""

    def __init__(self, total: int, shown: bool | None) -> None:
        self._total = total
        self._begin = time.monotonic()
        self._shown = _someone_looks() if shown is None else shown
        self._patience = QUIET_SECONDS if shown is None else 0.0
        self._tqdm: Any = None
        self._written = False

    def update(self, rows: int) -> None:
        """So many rows are done."""
        if not self._shown or time.monotonic() - self._begin < self._patience:
            return
        if self._tqdm is None and not self._written:
            try:
                from tqdm.auto import tqdm

                self._tqdm = tqdm(total=self._total, unit=" puzzles", leave=False)
            except ImportError:
                pass
        if self._tqdm is not None:
            self._tqdm.update(rows - self._tqdm.n)
            return
        self._written = True
        print(f"\r{rows:,} of {self._total:,} puzzles", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """The call has ended."""
        if self._tqdm is not None:
            self._tqdm.close()
        elif self._written:
            print(f"\r{' ' * 60}\r", end="", file=sys.stderr, flush=True)


def _someone_looks() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def bar(progress: bool | None, total: int) -> Bar:
    """For the native code: `None` shows it where a terminal or notebook is there."""
    return Bar(total, progress)
