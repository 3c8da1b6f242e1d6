/**
 * Rule files of dokulog, for editors that colour and fold with tree-sitter.
 *
 * The language itself is grammar/rules.pest; what this one cannot read, that one can neither:
 * the tests hold it against every bundled rule.
 */

const list = (rule) => seq(rule, repeat(seq(",", rule)));

module.exports = grammar({
    name: "dokulog",
    word: ($) => $.name,
    extras: ($) => [/[\s\uFEFF]/, $.comment],
    // A comma after `for …` goes on with it, or begins the next conclusion.
    conflicts: ($) => [[$.generator]],

    rules: {
        file: ($) => repeat(choice($.rule, $.clause)),

        rule: ($) => seq("rule", $.header, "{", repeat($._member), "}"),
        header: ($) => seq(field("name", $.name), optional($.parameter), optional(field("title", $.string))),
        parameter: ($) => seq("(", $.variable, "in", $.range, ")"),
        range: ($) => seq($.number, "..", $.number),

        _member: ($) =>
            choice($.level, $.assumes, $.tags, $.scores, $.title, $.explain, $.example, $.clause),
        level: ($) => seq("level", $._expression, "."),
        assumes: ($) => seq("assumes", $.name, "."),
        tags: ($) => seq("tags", list($.name), "."),
        scores: ($) => seq("scores", list($.string), "."),
        title: ($) => seq("title", field("language", $.name), $.string, "."),
        explain: ($) =>
            seq("explain", optional(field("language", $.name)), $.string, optional(seq("trace", list($.atom))), "."),
        example: ($) => seq("example", $.string, "gives", list($.conclusion), "."),

        clause: ($) => seq(list($.head), optional(seq(":-", $.body)), "."),
        head: ($) => choice($.atom, seq($.conclusion, optional(seq("for", $.generator)))),
        conclusion: ($) => seq(choice("place", "eliminate", "contradiction"), optional($.arguments)),
        body: ($) => list($._condition),
        generator: ($) => list($._condition),
        _condition: ($) => choice($.negation, $.forall, $.exists, $._comparison),
        negation: ($) => seq("not", $._comparison),
        forall: ($) => seq("forall", $.generator, ":", "(", $.body, ")"),
        exists: ($) => seq("exists", $.generator, ":", "(", $.body, ")"),
        _comparison: ($) => choice($._expression, $.comparison),
        comparison: ($) => seq($._expression, $.operator, $._expression),
        operator: (_) => choice("within", "in", "!=", "<=", ">=", "=", "<", ">"),

        _expression: ($) => choice($.sum, $.product, $._term),
        sum: ($) => prec.left(1, seq($._expression, choice("+", "-", "\\"), $._expression)),
        product: ($) => prec.left(2, seq($._expression, choice("&", "*"), $._expression)),
        _term: ($) => choice($.variable, $.size, $.set, $.group, $.number, $.cell, $.atom),
        size: ($) => seq("|", $._expression, "|"),
        set: ($) => seq("{", optional(choice($.collected, list($._expression))), "}"),
        collected: ($) => seq($.variable, optional(seq("in", $._expression)), ":", $.generator),
        group: ($) => seq("(", $._expression, ")"),
        atom: ($) => seq(field("name", $.name), optional($.arguments)),
        arguments: ($) => seq("(", list($._expression), ")"),

        variable: (_) => /[A-Z_][A-Za-z0-9_]*/,
        name: (_) => /[a-z][A-Za-z0-9_]*/,
        cell: (_) => token(prec(1, /r[0-9]+c[0-9]+/)),
        number: (_) => /[0-9]+/,
        string: (_) => /"[^"\n]*"/,
        comment: (_) => /%[^\n]*/,
    },
});
