// Links, files and pictures. A link holds puzzle, marks and rules behind its #, which no browser
// sends to a server.

import { $, h, keep, say } from './dom.js';
import { TOO_MUCH, ask } from './engine.js';
import { arriving, desk, open } from './desk.js';
import { picture, sign } from './board.js';
import { t } from './words.js';

const LIMIT = 1 << 20;

const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0));

/** All bytes of a stream, up to a limit: a short text may be packed from a very long one. */
async function gather(stream) {
  const reader = stream.getReader(), parts = [];
  for (let size = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > LIMIT) throw new Error('too long');
    parts.push(value);
  }
}

export async function link() {
  const { title, board, marks, all, rules } = desk;
  const text = JSON.stringify({ title, board, marks: marks.some((list) => list.length) ? marks : undefined, all, rules });
  const packed = await gather(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')));
  return location.href.split('#')[0] + '#1.' + toBase64(new Uint8Array(await packed.arrayBuffer()));
}

export async function copyLink() {
  const address = await link();
  history.replaceState(null, '', address);
  try {
    await navigator.clipboard.writeText(address);
    say(t('copied'));
  } catch {
    say(t('notCopied'));
  }
}

const isList = (list, length, isGood) => Array.isArray(list) && list.length === length && list.every(isGood);

/** What a link may hold, and nothing else; throws where it does not. */
function checked({ title = '', board, marks, all = false, rules = {} }) {
  const { size, givens, entries = [], gone = [] } = board, cells = size * size;
  const isDigit = (digit) => Number.isInteger(digit) && digit >= 0 && digit <= size;
  const isPair = (pair) => isList(pair, 2, Number.isInteger) && pair[0] < cells && isDigit(pair[1]);
  const isGood = [4, 6, 9, 12, 16, 25].includes(size) && isList(givens, cells, isDigit) && (entries.length === 0 || isList(entries, cells, isDigit)) && isList(gone, gone.length, isPair)
    && (marks === undefined || isList(marks, cells, (list) => isList(list, list.length, isDigit))) && typeof title === 'string' && typeof (rules.text ?? '') === 'string';
  if (!isGood) throw new Error('not a puzzle');
  return { title: title.slice(0, 200), board: { size, givens, entries, gone }, marks, all: all === true, rules: { extended: rules.extended === true, forcing: rules.forcing === true, unique: rules.unique === true, text: rules.text ?? '' } };
}

/** Puts what a link holds on the desk; whether there was something. */
export async function openLink(fragment) {
  if (!fragment.startsWith('#1.')) return false;
  try {
    const unpacked = new Blob([fromBase64(fragment.slice(3))]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const held = checked(JSON.parse(await (await gather(unpacked)).text()));
    desk.rules = held.rules;
    await open({ ...held.board, title: held.title }, held.marks);
    desk.all = held.all;
    return true;
  } catch {
    say(t('badLink'));
    return false;
  }
}

/** The whole desk, to be there again next time. */
export function remember() {
  try {
    const { title, board, marks, all, rules } = desk;
    localStorage.setItem('dokulog-desk', JSON.stringify({ title, board, marks, all, rules }));
  } catch { /* private windows keep nothing */ }
}

export async function recall() {
  try {
    const held = checked(JSON.parse(localStorage.getItem('dokulog-desk')));
    desk.rules = held.rules;
    await open({ ...held.board, title: held.title }, held.marks);
    desk.all = held.all;
    return true;
  } catch {
    return false;
  }
}

/** Puzzles of a text: the only one is opened, of several one is chosen. */
export const openText = (text, title = '') => arriving(readText(text, title));

async function readText(text, title) {
  if (text.length > LIMIT) return say(TOO_MUCH);
  try {
    const { puzzles, count, fault } = await ask('read', { text });
    if (puzzles.length > 1) return choose(puzzles, count);
    await open({ ...puzzles[0], title: puzzles[0].title || title });
    say(fault ?? t('opened', desk.title || t('untitled')));
  } catch (error) {
    say(error.message);
    const note = $('#open-fault');
    if (note) note.textContent = error.message;
  }
}

function choose(puzzles, count) {
  const list = $('#found');
  if (!list) return open(puzzles[0]);
  list.replaceChildren(h('p.soft', {}, t('which', count)), h('ol.found', {}, puzzles.slice(0, 100).map((puzzle, i) => h('li', {}, h('button.quiet', { type: 'button', onclick: () => open({ ...puzzle, title: puzzle.title || `${i + 1}` }) }, `${i + 1}. ${puzzle.title || ''}`)))));
}

/** A file by its name: rules, or puzzles. */
export async function openFile(name, text) {
  if (!name.endsWith('.rules')) return openText(text, name.replace(/\.\w+$/, ''));
  if (text.length > LIMIT) return say(TOO_MUCH);
  desk.rules = { ...desk.rules, text };
  document.dispatchEvent(new CustomEvent('open-rules'));
  say(t('opened', name));
}

export async function openFiles(list) {
  for (const file of list) {
    if (file.size > LIMIT) say(TOO_MUCH);
    else await openFile(file.name, await file.text());
  }
}

const fileName = () => (desk.title || 'sudoku').replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60);

/** The puzzle as rows, what is written included. */
export function savePuzzle() {
  const { size, givens, entries } = desk.board, rows = [];
  for (let row = 0; row < size; row++) rows.push(givens.slice(row * size, (row + 1) * size).map((digit, i) => ((d) => (d ? sign(d) : '.'))(digit || entries[row * size + i])).join(''));
  keep(fileName() + '.sud', rows.join('\n') + '\n', 'text/plain');
}

export const saveRules = () => keep('mine.rules', desk.rules.text, 'text/plain');
export const saveSvg = () => keep(fileName() + '.svg', picture().text, 'image/svg+xml');

export function savePng() {
  const { text, size } = picture(), image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  image.onload = () => {
    const canvas = h('canvas', { width: 2 * size, height: 2 * size }), context = canvas.getContext('2d');
    context.fillStyle = getComputedStyle($('#board-start')).backgroundColor;
    context.fillRect(0, 0, 2 * size, 2 * size);
    context.drawImage(image, 0, 0, 2 * size, 2 * size);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => keep(fileName() + '.png', blob));
  };
  image.src = address;
}

/** Prints the board as it is, with a title and lines to write on. */
export function printSheet(title, task) {
  $('#ws-title').textContent = title || desk.title || t('puzzle');
  $('#ws-task').textContent = task ?? t('solveIt');
  print();
}

