% The second enumerator of the Prolog project: no treatment beforehand, the list of empty cells,
% fewest candidates first at every node; a placement updates empty cells only.

:- include(common).

solution(Givens, Placed) :-
    empty_cells(Givens, Cells),
    enumerate(Cells, Givens, Placed).

enumerate([], Placed, Placed).
enumerate([Cell|Cells], So, Placed) :-
    fewest([Cell|Cells], Best, Rest),
    Best = cell(N, _, _, _, Ds),
    member(D, Ds),
    assign(Best, D, Rest, Updated),
    enumerate(Updated, [N-D|So], Placed).
