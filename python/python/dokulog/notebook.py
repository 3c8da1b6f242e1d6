"""Notebooks: a cell of rules, read and checked as it is run."""

from __future__ import annotations

import html
from typing import Any

from ._native import Rules, RulesError


class Diagnostics:
    """What is wrong with a rule cell, with its carets."""

    def __init__(self, error: RulesError) -> None:
        self.problems = error.problems

    def __str__(self) -> str:
        return "\n\n".join(str(problem) for problem in self.problems)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f'<pre style="color:#b00020">{html.escape(str(self))}</pre>'


def rules(line: str, cell: str, namespace: dict[str, Any]) -> Rules | Diagnostics:
    """`%%rules [NAME] [standard|extended|all|alone]`: the rules of the cell, and those named with
    them, under a name of the notebook; `rules` and `standard` unless said."""
    bases = {"standard": Rules.standard, "extended": Rules.extended, "all": Rules.all}
    words = line.split()
    base = "standard"
    if words and (words[-1] in bases or words[-1] == "alone"):
        base = words.pop()
    name = words.pop() if words else "rules"
    if words or not name.isidentifier():
        raise ValueError("write %%rules, %%rules NAME, or %%rules NAME standard|extended|all|alone")
    try:
        made = Rules.load(cell) if base == "alone" else bases[base]().with_(cell)
    except RulesError as error:
        return Diagnostics(error)
    namespace[name] = made
    return made


def register(ipython: Any) -> None:
    """Gives IPython the magic."""

    def magic(line: str, cell: str) -> Rules | Diagnostics:
        return rules(line, cell, ipython.user_ns)

    ipython.register_magic_function(magic, "cell", "rules")
