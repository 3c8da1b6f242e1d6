% The first enumerator of the Prolog project: deductions to exhaustion, reductions (twins and
% triplets of both types, isolated and mixed groups with N = 2) only when cells remain, and again;
% then enumeration, fewest candidates first at every node.

:- include(common).

solution(Givens, Placed) :-
    empty_cells(Givens, Cells),
    treat(Cells, Givens, Left, So),
    enumerate(Left, So, Placed).

enumerate([], Placed, Placed).
enumerate([Cell|Cells], So, Placed) :-
    fewest([Cell|Cells], Best, Rest),
    Best = cell(N, _, _, _, Ds),
    member(D, Ds),
    assign(Best, D, Rest, Updated),
    enumerate(Updated, [N-D|So], Placed).

treat([], So, [], So) :- !.
treat(Cells, So, Left, End) :- deduce(Cells, N-D, Rest, Cell), !,
    assign(Cell, D, Rest, Updated),
    treat(Updated, [N-D|So], Left, End).
treat(Cells, So, Left, End) :- reduce(Cells, Reduced), !,
    treat(Reduced, So, Left, End).
treat(Cells, So, Cells, So).

% deduce(+Cells, -N-D, -Rest, -Cell): one candidate in a cell, or one cell for a digit in a house.
deduce(Cells, N-D, Rest, Cell) :-
    Cell = cell(N, _, _, _, [D]),
    select(Cell, Cells, Rest), !.
deduce(Cells, N-D, Rest, Cell) :-
    house(House), members(House, Cells, Members),
    Cell = cell(N, _, _, _, Ds),
    select(Cell, Members, Others), member(D, Ds), absent(D, Others), !,
    selectchk(Cell, Cells, Rest).

absent(_, []).
absent(D, [cell(_, _, _, _, Ds)|Cells]) :- \+ memberchk(D, Ds), absent(D, Cells).

house(row(I)) :- between(0, 8, I).
house(column(I)) :- between(0, 8, I).
house(box(I)) :- between(0, 8, I).

in(row(R), cell(_, R, _, _, _)).
in(column(C), cell(_, _, C, _, _)).
in(box(B), cell(_, _, _, B, _)).

members(House, Cells, Members) :- include(in(House), Cells, Members).

% reduce(+Cells, -Reduced): the first reduction that takes a candidate away.
reduce(Cells, Reduced) :-
    house(Here), house(There), crossing(Here, There),
    members(Here, Cells, Members),
    between(1, 9, D),
    include(has(D), Members, Spots), Spots = [_|_],
    forall(member(Spot, Spots), in(There, Spot)),
    remove(Cells, [D], [There], [Here], [], Reduced), Reduced \== Cells, !.
reduce(Cells, Reduced) :-
    house(House), members(House, Cells, Members),
    pair(Members, cell(N, _, _, _, Ds), cell(M, _, _, _, Es)),
    union(Ds, Es, Both), length(Both, 2),
    remove(Cells, Both, [House], [], [N, M], Reduced), Reduced \== Cells, !.
reduce(Cells, Reduced) :-
    house(House), members(House, Cells, Members),
    between(1, 8, D), From is D + 1, between(From, 9, E),
    include(has(D), Members, [_|_]), include(has(E), Members, [_|_]),
    include(has_one_of(D, E), Members, [cell(N, _, _, _, _), cell(M, _, _, _, _)]),
    keep(Cells, [D, E], [N, M], Reduced), Reduced \== Cells, !.

crossing(box(_), row(_)).
crossing(box(_), column(_)).
crossing(row(_), box(_)).
crossing(column(_), box(_)).

has(D, cell(_, _, _, _, Ds)) :- memberchk(D, Ds).
has_one_of(D, E, Cell) :- ( has(D, Cell) -> true ; has(E, Cell) ).

pair([A|Cells], A, B) :- member(B, Cells).
pair([_|Cells], A, B) :- pair(Cells, A, B).

% remove(+Cells, +Digits, +Within, +Outside, +Except, -Reduced)
remove([], _, _, _, _, []).
remove([Cell|Cells], Ds, Within, Outside, Except, [New|Reduced]) :-
    Cell = cell(N, R, C, B, Es),
    (   forall(member(H, Within), in(H, Cell)), \+ ( member(H, Outside), in(H, Cell) ),
        \+ memberchk(N, Except)
    ->  subtract(Es, Ds, Left), New = cell(N, R, C, B, Left)
    ;   New = Cell
    ),
    remove(Cells, Ds, Within, Outside, Except, Reduced).

keep([], _, _, []).
keep([cell(N, R, C, B, Es)|Cells], Ds, Ns, [cell(N, R, C, B, Left)|Reduced]) :-
    (   memberchk(N, Ns) -> intersection(Es, Ds, Left) ; Left = Es ),
    keep(Cells, Ds, Ns, Reduced).
