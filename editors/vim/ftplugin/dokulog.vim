" Rule files of dokulog: comments, four columns, canonical layout with gq.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:% commentstring=%\ %s
setlocal expandtab shiftwidth=4 softtabstop=4 textwidth=100
setlocal iskeyword=@,48-57,_
if executable('dokulog')
  setlocal formatprg=dokulog\ fmt\ -
  setlocal makeprg=dokulog\ check\ --format\ text\ %
  setlocal errorformat=%E%>error[%n]:\ %m,%W%>warning[%n]:\ %m,%E%trror[%*[A-Z0-9]]:\ %m,%W%tarning[%*[A-Z0-9]]:\ %m,%C%*\\s-->\ %f:%l:%c,%-G%.%#
endif
let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop<'
      \ . ' textwidth< iskeyword< formatprg< makeprg< errorformat<'
