//! The truths of the meaning of rules, as literals of the solver.

use crate::board::{Candidate, Cell, Cells, House, Houses, Layout};
use crate::language::ConstantSet;
use crate::meaning::{OnLayout, Truth, houses_called};

use super::encode::Encoder;
use super::sat::{Lit, Solver};

impl OnLayout for Encoder {
    fn layout(&self) -> &Layout {
        Encoder::layout(self)
    }
    fn is_general(&self) -> bool {
        self.general.is_some()
    }
    fn all_cells(&self) -> Cells {
        self.general
            .as_ref()
            .map_or_else(|| Encoder::layout(self).all_cells(), |board| board.all_cells())
    }
    fn houses_called(&self, word: ConstantSet) -> Houses {
        match self.general {
            Some(_) => self.general_houses(word),
            None => houses_called(Encoder::layout(self), word),
        }
    }
}

impl Truth for Encoder {
    type Bit = Lit;

    fn constant(truth: bool) -> Lit {
        Lit::constant(truth)
    }
    fn not(literal: Lit) -> Lit {
        !literal
    }
    fn and(&mut self, mut parts: Vec<Lit>) -> Lit {
        parts.retain(|&l| l != Lit::TRUE);
        parts.sort_unstable();
        parts.dedup();
        if parts.contains(&Lit::FALSE) || parts.windows(2).any(|two| two[0] == !two[1]) {
            return Lit::FALSE;
        }
        match parts[..] {
            [] => return Lit::TRUE,
            [one] => return one,
            _ => {}
        }
        if let Some(&gate) = self.gates.get(&parts) {
            self.looked_up += parts.len() as u64;
            return gate;
        }
        let gate = self.solver.variable();
        let mut all = vec![gate];
        for &part in &parts {
            self.clause(&[!gate, part]);
            all.push(!part);
        }
        self.clause(&all);
        self.gates.insert(parts, gate);
        gate
    }
    fn reached(&mut self, parts: &[Lit], most: usize) -> Vec<Lit> {
        // reached[k]: at least k of the parts seen so far.
        let mut reached = vec![Lit::FALSE; most + 1];
        reached[0] = Lit::TRUE;
        for (seen, &part) in parts.iter().enumerate() {
            for k in (1..=most.min(seen + 1)).rev() {
                let step = self.and(vec![part, reached[k - 1]]);
                reached[k] = self.or(vec![reached[k], step]);
            }
        }
        reached
    }
    fn unknown(&mut self) -> Lit {
        self.variable()
    }
    fn possible(&mut self, candidate: Candidate) -> Lit {
        Encoder::possible(self, candidate.cell, candidate.digit)
    }
    fn placed(&mut self, cell: Cell) -> Lit {
        Encoder::placed(self, cell)
    }
    fn given(&mut self, cell: Cell) -> Lit {
        Encoder::given(self, cell)
    }
    fn exists(&mut self, house: House) -> Lit {
        if self.general.is_some() { self.general_exists(house) } else { Lit::TRUE }
    }
    fn there(&mut self, cell: Cell) -> Lit {
        if self.general.is_some() { self.general_there(cell) } else { Lit::TRUE }
    }
    fn is_in(&mut self, cell: Cell, house: House) -> Lit {
        match self.general {
            Some(_) => self.general_member(cell, house),
            None => Lit::constant(Encoder::layout(self).cells(house).contains(cell)),
        }
    }
    fn sees(&mut self, a: Cell, b: Cell) -> Lit {
        match self.general {
            Some(_) => self.general_sees(a, b),
            None => Lit::constant(Encoder::layout(self).sees(a, b)),
        }
    }
    fn excludes(&mut self, a: Candidate, b: Candidate) -> Lit {
        match self.general {
            Some(_) => self.general_excludes(a, b),
            None => Lit::constant(Encoder::layout(self).excludes(a, b)),
        }
    }
}
