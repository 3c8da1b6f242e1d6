//! What the comparisons share: timing by interleaved runs and their table.
