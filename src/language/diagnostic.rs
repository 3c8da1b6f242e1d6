//! What is wrong with a rule file, and where.

/// Every code and what it is about.
pub const CODES: &[(&str, &str)] = &[
    ("E001", "the text cannot be read"),
    ("E010", "unknown name"),
    ("E011", "wrong number of arguments"),
    ("E012", "a name that is taken"),
    ("E020", "cell, digit, house, number or set mixed up"),
    ("E030", "a variable in the head that nothing limits"),
    ("E031", "a variable that nothing gives: only under `not` or in a generator, or a set"),
    ("E040", "a helper denied, gone through or collected in its own definition"),
    ("E050", "`place`, `eliminate` or `for` outside of a rule's head"),
    ("E060", "a parameter, level, assumption or example that makes no sense"),
    ("E070", "a number that could grow beyond 64 bits"),
    ("E080", "`suppose` where it cannot stand, or with rules that are not easier"),
    ("E081", "something that cannot be supposed or asked of a hypothesis"),
    ("E090", "a layout that makes no sense"),
    ("E091", "layouts that extend each other in a circle"),
    ("E100", "a variable in `mark` or `link` that no clause binds"),
    ("E101", "an unknown name in `mark` or `link`"),
    ("E102", "something that cannot be drawn"),
    ("W100", "a variable used once"),
    ("W110", "a condition that may become false again: the result may depend on the order"),
    ("W120", "a helper never used, a rule that can never fire"),
    ("W121", "conditions that share no variable: all combinations are tried"),
    ("W122", "a group asked where a digit is, which need not be there"),
    ("W130", "a title or an explanation that names what is not there"),
    ("W131", "no level, or levels that fall as the parameter grows"),
];

/// A rule file: its name in messages, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user wrote it, or the name of a bundled file.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A stretch of bytes of one source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Which of the sources loaded together.
    pub source: u16,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// How bad it is: a rule file with an error is refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The file is refused.
    Error,
    /// The file is used all the same.
    Warning,
}

/// One root cause: code, place, words, remedy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code, such as `E030`.
    pub code: &'static str,
    /// Whether the file is refused.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong, one sentence.
    pub message: String,
    /// What stands beside the caret, if anything.
    pub label: String,
    /// What to do about it, if it can be said.
    pub help: Option<String>,
    /// The same as an edit, if it is one: what to replace, and by what.
    pub remedy: Option<Box<(Span, String)>>,
}

impl Diagnostic {
    /// An error: the file is refused.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            label: String::new(),
            help: None,
            remedy: None,
        }
    }
    /// A warning: the file is used all the same.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }
    /// With these words beside the caret.
    pub fn label(self, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: label.into(), ..self }
    }
    /// With this remedy.
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
    /// With this edit as its remedy.
    pub fn remedy(self, span: Span, text: impl Into<String>) -> Diagnostic {
        Diagnostic { remedy: Some(Box::new((span, text.into()))), ..self }
    }
}
