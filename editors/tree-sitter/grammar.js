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
    // A comma after `for …` goes on with it, or begins the next conclusion; only after `in` it is
    // known whether `trace` comes.
    conflicts: ($) => [[$.generator], [$.traced, $._term]],

    rules: {
        file: ($) => repeat(choice($.rule, $.layout, $.clause)),

        rule: ($) => seq("rule", $.header, "{", repeat($._member), "}"),
        header: ($) => seq(field("name", $.name), optional($.parameter), optional(field("title", $.string))),
        parameter: ($) => seq("(", $.variable, "in", $.range, ")"),
        range: ($) => seq($.number, "..", $.number),

        _member: ($) =>
            choice($.level, $.assumes, $.tags, $.scores, $.title, $.explain, $.example, $.mark, $.link, $.clause),
        level: ($) => seq("level", $._expression, "."),
        assumes: ($) => seq("assumes", $.name, "."),
        tags: ($) => seq("tags", list($.name), "."),
        scores: ($) => seq("scores", list($.string), "."),
        title: ($) => seq("title", field("language", $.name), $.string, "."),
        explain: ($) =>
            seq("explain", optional(field("language", $.name)), $.string, optional(seq("trace", list($.atom))), "."),
        example: ($) => seq("example", $.string, "gives", list($.conclusion), "."),
        mark: ($) => seq("mark", $.node, "as", $.name, optional(seq("for", $.generator)), "."),
        link: ($) => seq("link", $.node, "to", $.node, optional($.name), optional(seq("for", $.generator)), "."),
        node: ($) => seq($._expression, optional(seq(",", $._expression))),

        layout: ($) =>
            seq("layout", field("name", $.name), optional($.ordinal), optional($.string), "{", repeat($._layout_member), "}"),
        ordinal: ($) => seq("(", $.number, ")"),
        _layout_member: ($) => choice($.extends, $.board_size, $.boxes, $.regions, $.house, $.clause),
        extends: ($) => seq("extends", $.name, optional($.ordinal), "."),
        board_size: ($) => seq("size", $.number, "."),
        boxes: ($) => seq("boxes", choice(seq($.number, "by", $.number), repeat1($.string)), "."),
        regions: ($) => seq("regions", $.name, repeat1($.string), "."),
        house: ($) =>
            seq(choice("house", "group"), $.name, optional($.ordinal), optional($.string), "=", $._expression, "."),

        clause: ($) => seq(list($.head), optional(seq(":-", $.body)), "."),
        head: ($) => choice($.atom, seq($.conclusion, optional(seq("for", $.generator)))),
        conclusion: ($) => seq(choice("place", "eliminate", "contradiction"), optional($.arguments)),
        body: ($) => list($._condition),
        generator: ($) => list($._condition),
        _condition: ($) => choice($.negation, $.forall, $.exists, $.suppose, $._comparison),
        negation: ($) => seq("not", $._comparison),
        forall: ($) => seq("forall", $.generator, ":", "(", $.body, ")"),
        exists: ($) => seq("exists", $.generator, ":", "(", $.body, ")"),
        suppose: ($) =>
            seq("suppose", list($.conclusion), "below", $._expression, ":", "(", choice($.conclusion, $.atom), ")"),
        _comparison: ($) => choice($._expression, $.comparison, $.traced),
        // The call is one of those on which the other one rests.
        traced: ($) => seq($.atom, "in", "trace", $.atom),
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
        arguments: ($) => seq("(", list(choice($._expression, $.sizes)), ")"),
        sizes: ($) => seq($._expression, "..", $._expression),

        variable: (_) => /[A-Z_][A-Za-z0-9_]*/,
        name: (_) => /[a-z][A-Za-z0-9_]*/,
        cell: (_) => token(prec(1, /r[0-9]+c[0-9]+/)),
        number: (_) => /[0-9]+/,
        string: (_) => /"[^"\n]*"/,
        comment: (_) => /%[^\n]*/,
    },
});
