"""The engine, compiled."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, final

__version__: str

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class DokulogError(ValueError):
    """What is asked has no answer."""

class PuzzleError(DokulogError):
    """A text is no puzzle."""

    line: int | None
    column: int | None

class RulesError(DokulogError):
    """Rules have errors."""

    problems: list[Problem]

class UnknownRule(DokulogError):
    """There is no such rule."""

class NotUnique(DokulogError):
    """The rules are for puzzles with one solution."""

class NotMade(DokulogError):
    """There is no puzzle, or layout, as asked for."""

class GivenUp(DokulogError):
    """It would take too long."""

@final
class Problem:
    """One thing that is wrong with a rule file."""

    @property
    def code(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def help(self) -> str | None: ...

@final
class Puzzle:
    """A puzzle, or the state of one: digits that are placed, candidates elsewhere."""

    def __new__(cls, text: str, layout: str | None = None) -> Puzzle:
        """The first puzzle of a text in any form that is known; `layout` is the name of a bundled
        layout, or the text of a rule file that has one."""

    @staticmethod
    def read(text: str, layout: str | None = None) -> list[Puzzle]:
        """All puzzles of a text in any form that is known."""

    @staticmethod
    def generate(seed: int = 1) -> Puzzle:
        """A 9×9 puzzle with one solution, none of whose clues can go; `Rules.generate` makes
        others."""

    @property
    def size(self) -> int: ...
    @property
    def solved(self) -> bool: ...
    @property
    def pencil_marks(self) -> str:
        """Every digit of every cell, a dot where it is gone."""

    def digit(self, row: int, column: int) -> int | None:
        """The digit placed in a cell; row and column count from 1."""

    def candidates(self, row: int, column: int) -> list[int]:
        """The digits that are still possible in a cell; row and column count from 1."""

    def count(self, limit: int = 2) -> int:
        """How many solutions there are, counted up to a limit."""

    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Deduction:
    """What the rules alone decide."""

    @property
    def puzzle(self) -> Puzzle: ...
    @property
    def outcome(self) -> str:
        """solved, stuck or contradiction."""

    @property
    def cut_off(self) -> list[str]:
        """Rules that tried too much: they may have had more to say."""

    def _repr_svg_(self) -> str: ...

@final
class Solution:
    """The solutions of a puzzle."""

    @property
    def outcome(self) -> str:
        """none, one or several."""

    @property
    def puzzle(self) -> Puzzle | None: ...
    @property
    def other(self) -> Puzzle | None: ...
    def _repr_svg_(self) -> str | None: ...

@final
class Rating:
    """How hard a puzzle is."""

    @property
    def grade(self) -> str | None:
        """easy, medium, hard, very hard, extreme; nothing if the rules do not solve it."""

    @property
    def hardest(self) -> str | None: ...
    @property
    def score(self) -> int: ...
    @property
    def steps(self) -> int: ...

@final
class Step:
    """One step, and why it follows."""

    @property
    def rule(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def chain(self) -> list[str]: ...
    @property
    def places(self) -> list[tuple[int, int, int]]:
        """Digits placed: row, column and digit, from 1."""

    @property
    def eliminates(self) -> list[tuple[int, int, int]]:
        """Candidates eliminated: row, column and digit, from 1."""

    @property
    def before(self) -> Puzzle: ...
    def _repr_svg_(self) -> str: ...

@final
class Explanation(Sequence[Step]):
    """A run, step by step."""

    @property
    def steps(self) -> list[Step]: ...
    @property
    def outcome(self) -> str: ...
    @property
    def end(self) -> Puzzle: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Step: ...  # type: ignore[override]
    def page(self, title: str = "Sudoku") -> str:
        """The run as one HTML page that needs nothing else."""

    def _repr_html_(self) -> str: ...

@final
class Proof:
    """What the prover says of a rule, on 9×9."""

    @property
    def rule(self) -> str: ...
    @property
    def sound(self) -> bool: ...
    @property
    def verdict(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def counterexample(self) -> str | None: ...

@final
class Reasons:
    """Why a cell is what it is."""

    @property
    def status(self) -> str:
        """placed, given, excluded or undecided."""

    @property
    def sentence(self) -> str: ...
    @property
    def steps(self) -> list[int]:
        """The steps of the explanation that it rests on, from 1."""

@final
class Table:
    """Columns of answers; pyarrow, polars, pandas and DuckDB read it as it is."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def to_arrow(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_pandas(self) -> Any: ...

_Column = _ArrowStream | _ArrowArray | Iterable[str | Puzzle | None]

@final
class Rules:
    """A set of rules."""

    @staticmethod
    def standard() -> Rules:
        """The bundled rules that people start with: singles, intersections, subsets."""

    @staticmethod
    def extended() -> Rules:
        """Those, and the bundled rules that most players know."""

    @staticmethod
    def all() -> Rules:
        """All bundled rules: advanced and forcing ones, and those for puzzles with one solution,
        too."""

    @staticmethod
    def load(text: str) -> Rules:
        """The rules of a rule file, whose text this is, and no others."""

    def with_(self, *more: str) -> Rules:
        """These and others: the text of a rule file; `extended`, `advanced`, `forcing` or `all`; or
        a bundled rule by its name."""

    def only(self, *names: str) -> Rules:
        """Some of these rules, by their names: naked_single, or naked_subset:2."""

    def assuming_unique(self) -> Rules:
        """With those rules, too, that are for puzzles with one solution."""

    @property
    def names(self) -> list[str]:
        """The rules by name, in the order in which they are tried."""

    def deduce(self, puzzle: Puzzle | str) -> Deduction:
        """What the rules alone decide."""

    def solve(self, puzzle: Puzzle | str) -> Solution:
        """The solution: by the rules, and a search of what they leave."""

    def count(self, puzzle: Puzzle | str, limit: int = 2) -> int:
        """How many solutions there are, counted up to a limit."""

    def rate(self, puzzle: Puzzle | str) -> Rating:
        """How hard a puzzle is for someone with these rules."""

    def explain(self, puzzle: Puzzle | str, lang: str = "en") -> Explanation:
        """Every step with its reason."""

    def hint(self, puzzle: Puzzle | str) -> Step | None:
        """The next step, if the rules know one."""

    def why(self, puzzle: Puzzle | str, question: str, lang: str = "en") -> Reasons:
        """Why a cell is what it is, or is not: r5c2=4, r5c2!=4, or r5c2 alone."""

    def fire(self, rule: str, puzzle: Puzzle | str) -> list[Step]:
        """Every match of one rule on this very state."""

    def query(self, goal: str, puzzle: Puzzle | str, limit: int = 1000) -> list[dict[str, str]]:
        """The answers to a goal on this very state, as Prolog's prompt gives them."""

    def prove(self, rule: str) -> list[Proof]:
        """Proves a rule on 9×9, or shows a puzzle on which it goes wrong."""

    def generate(
        self,
        count: int = 1,
        *,
        seed: int = 1,
        size: int | None = None,
        layout: str | None = None,
        clues: int | tuple[int, int] | None = None,
        symmetry: str = "none",
        requires: str | None = None,
        level: int | tuple[int, int] | None = None,
        beyond_rules: bool = False,
        add: bool = False,
        solution: Puzzle | str | None = None,
        attempts: int = 20_000,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> list[Puzzle]:
        """Puzzles with one solution, as `dokulog generate` makes them; without `clues` none of their
        clues can go. `clues` and `level` are a number, or the least and the most."""

    def deduce_all(
        self,
        puzzles: _Column,
        *,
        candidates: bool = False,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> Table:
        """What the rules alone decide of each puzzle of a column."""

    def solve_all(
        self, puzzles: _Column, *, threads: int | None = None, progress: bool | None = None
    ) -> Table:
        """The solution of each puzzle of a column."""

    def count_all(
        self,
        puzzles: _Column,
        *,
        limit: int = 2,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> Table:
        """How many solutions each puzzle of a column has, counted up to a limit."""

    def rate_all(
        self, puzzles: _Column, *, threads: int | None = None, progress: bool | None = None
    ) -> Table:
        """How hard each puzzle of a column is."""

def main(arguments: list[str]) -> int:
    """The command `dokulog`; gives the exit code."""
