:- use_module(library(clpfd)).
sudoku(Rows) :- length(Rows, 9), maplist(same_length(Rows), Rows),
  Rows = [As,Bs,Cs,Ds,Es,Fs,Gs,Hs,Is], blocks(As, Bs, Cs).
blocks([N1,N2,N3|Ns1], [N4,N5,N6|Ns2], [N7,N8,N9|Ns3]) :- all_distinct([N1,N2,N3,N4,N5,N6,N7,N8,N9]).
problem(1, [[8,_,_,_,1,7,2,5,_],
            [_,_,_,6,_,_,_,_,_],
            [1,_,_,4,_,_,9,_,6],
            [_,_,_,1,_,_,_,_,5],
            [9,6,5,8,_,_,_,_,_],
            [2,4,1,_,9,6,3,_,_],
            [_,_,_,7,_,1,_,_,_],
            [_,_,7,_,_,_,_,3,_],
            [6,_,2,_,_,8,1,_,_]]).
problem(2, [[X0,7,X2,X3,6,X5,X6,X7,X8],[X0,1,X2,X3,X4,X5,4,8,7],[2,X1,X2,X3,4,X5,6,X7,X8],[4,X1,X2,X3,X4,X5,X6,3,2],[6,X1,X2,3,X4,X5,5,X7,X8],[X0,X1,1,X3,X4,8,X6,X7,X8],[X0,X1,2,7,X4,X5,9,X7,X8],[1,3,X2,X3,2,4,X6,X7,6],[X0,X1,X2,X3,X4,3,X6,X7,4]]).
