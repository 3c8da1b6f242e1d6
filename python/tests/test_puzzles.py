"""Puzzles, rules and answers."""

import pickle

import pytest

import dokulog
from dokulog import DokulogError, Puzzle, Rules

LINE = "2..1...578...76..2...2..8.96...93...75...............4.....1....987...........38."
SOLVED = "249138657835976412176254839624593178751842963983617524462381795398765241517429386"


def test_the_main_job_is_one_line() -> None:
    assert str(Rules.standard().deduce(LINE)) == SOLVED
    assert str(Rules.standard().solve(LINE)) == SOLVED


def test_puzzles_are_read_in_any_layout() -> None:
    rows = "\n".join(LINE[9 * row : 9 * row + 9] for row in range(9))
    assert Puzzle(rows) == Puzzle(LINE)
    assert hash(Puzzle(rows)) == hash(Puzzle(LINE))
    assert [str(puzzle) for puzzle in Puzzle.read(f"{LINE}\n{SOLVED}\n")] == [LINE, SOLVED]
    puzzle = Puzzle(LINE)
    assert (puzzle.size, puzzle.digit(1, 1), puzzle.digit(1, 2)) == (9, 2, None)
    assert puzzle.candidates(1, 2) == [3, 4, 6]
    with pytest.raises(IndexError, match="from 1 to 9"):
        puzzle.digit(0, 1)


def test_what_is_no_puzzle_says_where() -> None:
    with pytest.raises(dokulog.PuzzleError) as caught:
        Puzzle("2" + LINE[:80])
    assert caught.value.line is None or caught.value.line >= 1
    with pytest.raises(dokulog.PuzzleError):
        Puzzle("")


def test_rules_with_errors_show_them_with_carets() -> None:
    with pytest.raises(dokulog.RulesError) as caught:
        Rules.standard().with_('rule bad "Bad" {\n    level 1.\n    place(C, D) :- C in unsloved.\n}')
    problem = caught.value.problems[0]
    assert (problem.code, problem.line) == ("E010", 3)
    assert "unsolved" in (problem.help or "")
    assert "^^^" in str(problem)


def test_every_question_has_an_answer() -> None:
    rules = Rules.extended()
    assert rules.solve(LINE).outcome == "one"
    assert rules.count("." * 81, limit=5) == 5
    rating = rules.rate(LINE)
    assert rating.grade is not None and rating.steps > 0 and rating.score > 0
    explanation = rules.explain(LINE)
    assert len(explanation) == rating.steps
    assert str(explanation.end) == SOLVED
    assert explanation[-1].places
    assert explanation[6].title in str(explanation[6])
    french = rules.explain(LINE, lang="fr")
    assert str(french[0]) != str(explanation[0])
    hint = rules.hint(LINE)
    assert hint is not None and str(hint) == str(explanation[0])
    assert rules.hint(SOLVED) is None
    placed = explanation[-1].places[0]
    why = rules.why(LINE, f"r{placed[0]}c{placed[1]}={placed[2]}")
    assert why.status == "placed" and why.steps and why.sentence in str(why)
    assert rules.why(LINE, f"r{placed[0]}c{placed[1]}", lang="fr").sentence != why.sentence
    with pytest.raises(DokulogError, match="is no cell"):
        rules.why(LINE, "r5=4")
    answers = rules.query("bivalue(C, X, Y)", LINE)
    assert {"C", "X", "Y"} == set(answers[0])
    before = next(step for step in explanation if step.rule.startswith("pointing")).before
    assert any(step.rule == "pointing" for step in rules.fire("pointing", before))


def test_a_slip_is_refuted_by_a_puzzle() -> None:
    text = """
rule guess "Guess" {
    level 1.
    place(C, D) :- C in unsolved, D in candidates(C), |candidates(C)| <= 2.
    explain "{C} may be {D}".
}"""
    proof = Rules.load(text).prove("guess")[0]
    assert not proof.sound and proof.verdict == "unsound" and proof.counterexample
    assert Rules.standard().prove("pointing")[0].sound
    with pytest.raises(dokulog.UnknownRule, match="did you mean pointing"):
        Rules.standard().prove("pointin")


def test_rules_and_puzzles_travel() -> None:
    rules = Rules.load('rule only "Only" { level 1. place(C, D) :- candidates(C) within {D}, C in unsolved. explain "{C}". }')
    again = pickle.loads(pickle.dumps(rules))
    assert again.names == rules.names == ["only"]
    for base in (Rules.standard(), Rules.all().only("naked_single", "naked_subset:2")):
        assert pickle.loads(pickle.dumps(base)).names == base.names
    state = Rules.standard().explain(LINE)[5].before
    assert pickle.loads(pickle.dumps(state)) == state


def test_pictures() -> None:
    explanation = Rules.standard().explain(LINE)
    assert Puzzle(LINE)._repr_svg_().startswith("<svg")
    assert "</svg>" in explanation[0]._repr_svg_()
    page = explanation._repr_html_()
    assert page.startswith("<iframe") and '<script' not in page.split('srcdoc="')[0]
