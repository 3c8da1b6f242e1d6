// What is on the desk: the board with all its past, the rules, and what is being shown of them.

import { ask } from './engine.js';
import { t } from './words.js';

const blank = (size) => new Array(size * size).fill(0);
const none = (size) => Array.from({ length: size * size }, () => []);

export const EXAMPLE = '2..1...578...76..2...2..8.96...93...75...............4.....1....987...........38.';

/** All that a link or a saved session holds, and what is shown now. */
export const desk = {
  title: '',
  board: { size: 9, givens: blank(9), entries: blank(9), gone: [] },
  /** The user's own pencil marks, a list of digits a cell. */
  marks: none(9),
  /** Whether the engine keeps all candidates, or the user writes marks. */
  all: false,
  rules: { extended: false, forcing: false, unique: false, text: '' },
  /** What the engine says of the board. */
  state: null,
  selected: 0,
  pencil: false,
  /** What is drawn instead of, or over, the board: a step, a match, a counterexample. */
  view: null,
  /** Cells that were told to be wrong. */
  wrong: [],
  tab: 'puzzle',
};

const listeners = new Set();
/** Calls a function whenever something on the desk changes. */
export const onChange = (work) => listeners.add(work);
export const changed = (what = 'all') => listeners.forEach((work) => work(what));

const past = [];
const future = [];
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;
export const moves = () => past.length;

/** What is on the desk now is where everything begins. */
export function forgetPast() {
  past.length = 0;
  future.length = 0;
}

const snapshot = () => ({ title: desk.title, board: desk.board, marks: desk.marks, all: desk.all });

function restore(from) {
  Object.assign(desk, from);
  desk.selected = Math.min(desk.selected, desk.board.givens.length - 1);
  desk.view = null;
  desk.wrong = [];
  return refresh();
}

/** What is on its way to the desk: a puzzle that is being read, what the engine says of a board. */
let coming = Promise.resolve();
export function arriving(work) {
  coming = Promise.allSettled([coming, work]);
  return work;
}

/** Asks the engine what the board comes to. Answers that come late are dropped. */
let asked = 0;
export const refresh = () => arriving(askState(++asked));

async function askState(mine) {
  const state = await ask('state', { board: desk.board, language: t.language });
  if (mine === asked) {
    desk.state = state;
    changed('board');
  }
}

/** The answer to a question about what is on the desk when it comes: where another board or other
    rules have come meanwhile, what was said of the old ones is of no use, and it is asked anew. */
export async function askOfDesk(kind, more) {
  for (;;) {
    await coming;
    const { board, rules } = desk;
    const told = await ask(kind, request(more));
    await coming;
    if (board === desk.board && rules === desk.rules) return told;
  }
}

/** Changes the board; it can be undone. */
export function edit(change) {
  past.push(snapshot());
  future.length = 0;
  Object.assign(desk, change);
  desk.view = null;
  desk.wrong = [];
  return refresh();
}

export function undo() {
  if (!past.length) return;
  future.push(snapshot());
  return restore(past.pop());
}

export function redo() {
  if (!future.length) return;
  past.push(snapshot());
  return restore(future.pop());
}

/** Puts another puzzle on the desk. */
export function open({ size, givens, entries = [], gone = [], title = '' }, marks) {
  const board = { size, givens, entries: entries.length ? entries : blank(size), gone };
  desk.selected = Math.min(desk.selected, size * size - 1);
  return edit({ title, board, marks: marks ?? none(size), all: gone.length > 0 });
}

/** A board with nothing on it, to write givens into. */
export const openBlank = (size) => open({ size, givens: blank(size), title: t('blank') });

export const digitAt = (cell) => desk.board.givens[cell] || desk.board.entries[cell];
export const isGiven = (cell) => desk.board.givens[cell] > 0;

const replaced = (list, at, value) => list.map((old, i) => (i === at ? value : old));
const toggled = (list, digit) => (list.includes(digit) ? list.filter((x) => x !== digit) : [...list, digit].sort((a, b) => a - b));

/** Writes a digit into the selected cell, or a mark. */
export function press(digit, asMark = desk.pencil) {
  const cell = desk.selected;
  const { board, marks } = desk;
  if (isGiven(cell) || digit > board.size) return;
  if (asMark) {
    if (board.entries[cell]) return;
    if (!desk.all) return edit({ marks: replaced(marks, cell, toggled(marks[cell], digit)) });
    const same = ([c, d]) => c === cell && d === digit;
    const isGone = board.gone.some(same);
    if (!isGone && !desk.state?.candidates[cell].includes(digit)) return;
    return edit({ board: { ...board, gone: isGone ? board.gone.filter((x) => !same(x)) : [...board.gone, [cell, digit]] } });
  }
  const entry = board.entries[cell] === digit ? 0 : digit;
  return edit({ board: { ...board, entries: replaced(board.entries, cell, entry) } });
}

export function erase() {
  const cell = desk.selected;
  const { board, marks } = desk;
  if (isGiven(cell)) return;
  edit({ board: { ...board, entries: replaced(board.entries, cell, 0), gone: board.gone.filter(([c]) => c !== cell) }, marks: replaced(marks, cell, []) });
}

/** What is written so far becomes the puzzle. */
export function makeGivens() {
  const { board } = desk;
  edit({ board: { ...board, givens: board.givens.map((digit, cell) => digit || board.entries[cell]), entries: blank(board.size), gone: [] } });
}

/** Everything but the givens goes. */
export function clear() {
  const { board } = desk;
  edit({ board: { ...board, entries: blank(board.size), gone: [] }, marks: none(board.size) });
}

/** Board and candidates after so many of these steps, from a board and its candidates. */
export function after(board, candidates, steps) {
  const entries = [...board.entries];
  const left = candidates.map((list) => [...list]);
  const gone = [...board.gone];
  for (const { changes } of steps) {
    for (const [cell, digit] of changes.placed) {
      entries[cell] = digit;
      left[cell] = [];
    }
    for (const [cell, digit] of changes.gone) left[cell] = left[cell].filter((x) => x !== digit);
    // What a placement takes from its peers is not written down: the engine knows.
    for (const pair of changes.gone) gone.push(pair);
  }
  return { board: { ...board, entries, gone: gone.filter(([cell]) => !entries[cell]) }, candidates: left };
}

/** Makes steps part of the board. */
export function apply(steps) {
  return edit({ board: after(desk.board, desk.state.candidates, steps).board, all: true });
}

/** Shows something over the board; nothing to go back to it. */
export function show(view) {
  desk.view = view;
  changed('view');
}

/** What the engine is told with most requests. */
export const request = (more = {}) => ({ board: desk.board, rules: desk.rules, language: t.language, ...more });
