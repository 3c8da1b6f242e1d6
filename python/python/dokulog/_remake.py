"""Rules travel as text, and are compiled once in each process where they arrive."""

from __future__ import annotations

from functools import lru_cache

from ._native import Rules


@lru_cache(maxsize=32)
def _made(base: str, steps: tuple[tuple[str, tuple[str, ...]], ...]) -> Rules:
    if base == "load":
        (_, (text,)), *steps_left = steps
        rules, steps = Rules.load(text), tuple(steps_left)
    else:
        rules = getattr(Rules, base)()
    for step, arguments in steps:
        rules = getattr(rules, step)(*arguments)
    return rules


def remake(base: str, steps: list[tuple[str, list[str]]]) -> Rules:
    """The rules of a recipe."""
    return _made(base, tuple((step, tuple(arguments)) for step, arguments in steps))
