% What both enumerators share: reading 81 characters, the neighbourhood of a cell, the report.
%
%   swipl -q -g main -t halt first.pl -- 1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..
%
% prints the solution (or "none") and the inferences that SWI-Prolog counted.

:- use_module(library(lists)).
:- use_module(library(apply)).

main :-
    current_prolog_flag(argv, [Text|_]),
    atom_chars(Text, Chars),
    findall(N-D, ( nth0(N, Chars, Char), char_digit(Char, D) ), Givens),
    statistics(inferences, Before),
    (   solution(Givens, Placed) -> true ; Placed = none ),
    statistics(inferences, After),
    Inferences is After - Before,
    (   Placed == none -> write(none)
    ;   msort(Placed, Sorted), forall(member(_-D, Sorted), write(D))
    ),
    format(" ~d~n", [Inferences]).

char_digit(Char, D) :- char_type(Char, digit(D)), D > 0.

place_of(N, Row, Column, Box) :-
    Row is N // 9, Column is N mod 9, Box is 3 * (Row // 3) + Column // 3.

% sees(+Row, +Column, +Box, +Row2, +Column2, +Box2)
sees(R, _, _, R, _, _) :- !.
sees(_, C, _, _, C, _) :- !.
sees(_, _, B, _, _, B).

% cell(N, Row, Column, Box, Candidates): an empty cell.
empty_cells(Givens, Cells) :-
    numlist(0, 80, Ns),
    exclude(given_in(Givens), Ns, Empty),
    maplist(start(Givens), Empty, Cells).

given_in(Givens, N) :- memberchk(N-_, Givens).

start(Givens, N, cell(N, R, C, B, Ds)) :-
    place_of(N, R, C, B),
    findall(D, ( member(M-D, Givens), place_of(M, R2, C2, B2), sees(R, C, B, R2, C2, B2) ), Seen),
    subtract([1,2,3,4,5,6,7,8,9], Seen, Ds).

% fewest(+Cells, -Cell, -Rest): a cell with the fewest candidates.
fewest([Cell|Cells], Best, Rest) :-
    count(Cell, Count),
    fewest(Cells, Cell, Count, Best, Rest).

fewest([], Best, _, Best, []).
fewest([Cell|Cells], So, Least, Best, [Other|Rest]) :-
    count(Cell, Count),
    (   Count < Least -> Other = So, fewest(Cells, Cell, Count, Best, Rest)
    ;   Other = Cell, fewest(Cells, So, Least, Best, Rest)
    ).

count(cell(_, _, _, _, Ds), Count) :- length(Ds, Count).

% assign(+Cell, +Digit, +Cells, -Updated): fails when a cell is left without candidates.
assign(_, _, [], []).
assign(At, D, [cell(N, R, C, B, Ds)|Cells], [cell(N, R, C, B, Left)|Updated]) :-
    At = cell(_, R0, C0, B0, _),
    (   sees(R0, C0, B0, R, C, B) -> without(Ds, D, Left), Left = [_|_] ; Left = Ds ),
    assign(At, D, Cells, Updated).

without([], _, []).
without([D|Ds], D, Ds) :- !.
without([E|Ds], D, [E|Left]) :- without(Ds, D, Left).
