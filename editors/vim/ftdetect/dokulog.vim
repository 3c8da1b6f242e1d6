" Rule files of dokulog. Others call theirs `.rules` too, so there must be a rule or a clause in it.
autocmd BufNewFile,BufRead *.rules call s:Detect()

function! s:Detect() abort
  let lines = getline(1, 400)
  let empty = join(lines, '') =~# '^\s*$'
  if (empty && expand('%:p') !~# '/etc/') || match(lines, '^\s*rule\s\+\l\|:-') >= 0
    set filetype=dokulog
  endif
endfunction
