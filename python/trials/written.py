"""Figures that a trial writes into a document, between a line that names it and an end."""

from __future__ import annotations

from pathlib import Path

END = "<!-- end -->"


def write(document: Path, trial: str, lines: list[str]) -> None:
    """Replaces what the document says between the two."""
    begin = f"<!-- measured by {trial} -->"
    head, rest = document.read_text().split(begin)
    text = "\n".join(lines)
    document.write_text(f"{head}{begin}\n{text}\n{END}{rest.split(END, 1)[1]}")
