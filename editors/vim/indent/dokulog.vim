" Four columns more inside a rule, and four more inside a clause that goes on.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=DokulogIndent() indentkeys=o,O,0} autoindent
let b:undo_indent = 'setlocal indentexpr< indentkeys< autoindent<'

if exists('*DokulogIndent')
  finish
endif

" A line without its comment and without its texts.
function s:Code(number) abort
  return substitute(substitute(getline(a:number), '"[^"]*"', '""', 'g'), '\s*%.*$', '', '')
endfunction

function DokulogIndent() abort
  let inside = 0
  let goes_on = 0
  for number in range(1, v:lnum - 1)
    let code = s:Code(number)
    if code =~# '^\s*rule\>'
      let inside = 0
    endif
    if code =~# '^\s*rule\>.*{\s*$'
      let inside = 1
      let goes_on = 0
    elseif code =~# '^\s*}\s*$'
      let inside = 0
      let goes_on = 0
    elseif code !~# '^\s*$'
      let goes_on = code !~# '\.\s*$'
    endif
  endfor
  if getline(v:lnum) =~# '^\s*}'
    return 0
  endif
  return shiftwidth() * (inside + goes_on)
endfunction
