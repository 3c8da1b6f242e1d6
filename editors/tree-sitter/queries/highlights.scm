(comment) @comment
(string) @string
(number) @number
(cell) @constant
(variable) @variable

[
  "rule" "level" "assumes" "tags" "scores" "title" "explain" "trace" "example" "gives"
] @keyword
["not" "forall" "exists" "for" "in"] @keyword.operator
["place" "eliminate" "contradiction"] @function.builtin
(operator) @operator
["+" "-" "\\" "&" "*" "|" ".." ":-" ":"] @operator
["," "."] @punctuation.delimiter
["(" ")" "{" "}"] @punctuation.bracket

(header name: (name) @type)
(assumes (name) @label)
(tags (name) @label)
(title language: (name) @label)
(explain language: (name) @label)
(head (atom name: (name) @function))
(atom name: (name) @function.call)
