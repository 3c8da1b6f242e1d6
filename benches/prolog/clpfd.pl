% Sudoku with SWI-Prolog's finite-domain constraints, the way its manual teaches it: rows, columns
% and boxes are all distinct, then label, smallest domain first.
%
%   swipl -q -g main -t halt clpfd.pl -- 81_CHARACTERS

:- use_module(library(clpfd)).

main :-
    current_prolog_flag(argv, [Text|_]),
    atom_chars(Text, Chars),
    maplist(cell, Chars, Cells),
    Cells ins 1..9,
    rows(Cells, Rows),
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    bands(Rows),
    statistics(inferences, Before),
    (   labeling([ff], Cells) -> maplist(write, Cells) ; write(none) ),
    statistics(inferences, After),
    Inferences is After - Before,
    format(" ~d~n", [Inferences]).

cell(Char, Digit) :- char_type(Char, digit(Digit)), Digit > 0, !.
cell(_, _).

rows([], []).
rows([A,B,C,D,E,F,G,H,I|Cells], [[A,B,C,D,E,F,G,H,I]|Rows]) :- rows(Cells, Rows).

bands([]).
bands([A,B,C|Rows]) :- boxes(A, B, C), bands(Rows).

boxes([], [], []).
boxes([A,B,C|Xs], [D,E,F|Ys], [G,H,I|Zs]) :- all_distinct([A,B,C,D,E,F,G,H,I]), boxes(Xs, Ys, Zs).
