" Rule files of dokulog.
if exists('b:current_syntax')
  finish
endif

syntax keyword dokulogKeyword rule layout extends in within not forall exists for suppose below level assumes tags scores title explain trace example gives mark as link to
syntax keyword dokulogConclusion place eliminate contradiction
syntax keyword dokulogFunction candidates spots missing peers common_peers cells touching row column box choose sees excludes given live rectangle orientation
syntax keyword dokulogSet digits rows columns boxes lines houses groups pieces unsolved
syntax match dokulogVariable /\<[A-Z_][A-Za-z0-9_]*\>/
syntax match dokulogNumber /\<[0-9]\+\>/
syntax match dokulogCell /\<r[0-9]\+c[0-9]\+\>/
syntax match dokulogOperator /:-\|\.\.\|!=\|<=\|>=\|[=<>+*&|\\-]/
syntax match dokulogRuleName /\(\<rule\s\+\)\@<=[a-z][A-Za-z0-9_]*/
syntax match dokulogTemplate /{[^}"]*}/ contained
syntax region dokulogString start=/"/ end=/"/ oneline contains=dokulogTemplate
syntax match dokulogComment /%.*$/ contains=@Spell

highlight default link dokulogKeyword Keyword
highlight default link dokulogConclusion Statement
highlight default link dokulogFunction Function
highlight default link dokulogSet Constant
highlight default link dokulogVariable Identifier
highlight default link dokulogNumber Number
highlight default link dokulogCell Constant
highlight default link dokulogOperator Operator
highlight default link dokulogRuleName Type
highlight default link dokulogTemplate Special
highlight default link dokulogString String
highlight default link dokulogComment Comment

let b:current_syntax = 'dokulog'
