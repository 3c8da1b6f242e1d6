//! Bytes as a row of choices.

/// Choices made by bytes, one a choice (two where a byte has too few values); when the bytes are
/// used up, the first alternative is always taken.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    /// The choices that these bytes make.
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes }
    }

    /// A number below `bound`, which is at most 65,536.
    pub fn below(&mut self, bound: usize) -> usize {
        let mut number = self.byte();
        if bound > 256 {
            number = number << 8 | self.byte();
        }
        number % bound
    }

    /// One of some things.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn byte(&mut self) -> usize {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(first)
    }
}
