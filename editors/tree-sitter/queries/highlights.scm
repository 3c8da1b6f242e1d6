(comment) @comment
(string) @string
(number) @number
(cell) @constant
(variable) @variable

[
  "rule" "layout" "extends" "size" "boxes" "by" "regions" "house" "group" "level" "assumes" "tags" "scores" "title" "explain" "trace" "example" "gives" "mark" "as" "link" "to"
] @keyword
["not" "forall" "exists" "for" "in" "suppose" "below"] @keyword.operator
["place" "eliminate" "contradiction"] @function.builtin
(operator) @operator
["+" "-" "\\" "&" "*" "|" ".." ":-" ":"] @operator
["," "."] @punctuation.delimiter
["(" ")" "{" "}"] @punctuation.bracket

(header name: (name) @type)
(layout name: (name) @type)
(assumes (name) @label)
(tags (name) @label)
(title language: (name) @label)
(explain language: (name) @label)
(head (atom name: (name) @function))
(atom name: (name) @function.call)
