// The tab Steps: a hint in four degrees, what there is to say of a cell, and the whole run.

import { $, button, h, icon, iconButton, s, say } from './dom.js';
import { ask } from './engine.js';
import { after, apply, askOfDesk, changed, desk, digitAt, edit, isGiven, show } from './desk.js';
import { cellName, paint, sign } from './board.js';
import { t } from './words.js';

/** What the tab shows. A run belongs to the board it was made from. */
const run = { steps: null, at: 0, told: null, open: false };
const hint = { degree: 0, told: null };
let about = null;
let folded = true;
/** Hypotheses of the step that are open, by their place in it. */
const opened = new Set();

/** Forgets what was said of another board. */
export function forget() {
  Object.assign(run, { steps: null, at: 0, told: null, open: false });
  Object.assign(hint, { degree: 0, told: null });
  about = null;
}

const failed = (error) => say(error.message);
/** A line of what follows from a hypothesis. */
const nestRow = (number, effects, said, ...more) => h('li', {}, h('span.bub', {}, number), h('span.f', {}, effects), h('span', {}, said), more);
const pairName = (cell, digit) => `${cellName(cell)}=${sign(digit)}`;

/* ---------- hints ---------- */

/** Gives away one degree more, or as much as told. */
export async function giveHint(degree = hint.degree + 1) {
  try {
    hint.told ??= await askOfDesk('hint');
  } catch (error) {
    return failed(error);
  }
  hint.degree = Math.min(degree, 4);
  const { step, none } = hint.told;
  if (none) {
    say(none);
    show(hint.told.cells ? { bad: hint.told.cells, sticky: true, step: null } : null);
    return;
  }
  const { marks } = step, nothing = { houses: [], cells: [], rings: [], out: [], place: [], links: [], painted: [], framed: [] };
  const shown = { ...nothing };
  if (hint.degree >= 1) shown.houses = marks.houses.slice(0, 1);
  if (hint.degree >= 3) shown.cells = marks.cells;
  const own = !desk.all && hint.degree < 4;
  show({ sticky: true, hint: true, own, candidates: own ? desk.marks : desk.state.candidates, step: { ...step, marks: hint.degree >= 4 ? marks : shown } });
}

function hintBlock() {
  const { told, degree } = hint;
  const rows = told?.step ? [[t('where'), told.where], [t('technique'), told.step.title + '.'], [t('cells'), told.cells], [t('effect'), `${told.step.reason}. ${told.step.request}`]] : [[t('where')], [t('technique')], [t('cells')], [t('effect')]];
  const list = rows.map(([name, text], i) => h('li' + (i < degree ? '.told' : ''), {}, h('i', { 'aria-hidden': 'true' }, i + 1), h('span.k', {}, name),
    i < degree ? h('span', {}, text) : h('button.veil.v' + i, { type: 'button', 'aria-label': t('showIt', name), onclick: () => giveHint(i + 1) }, h('span'))));
  return h('div.block', {},
    h('div.row', {}, h('h2', {}, t('hint')), h('span.soft.small', {}, degree === 0 ? t('given0') : degree < 4 ? t('givenAway', degree) : t('givenAll'))),
    told?.left_out?.length ? h('p.soft', {}, t('leftOut', told.left_out.join(', '))) : null,
    told?.none ? h('p', {}, told.none) : h('ol.hints', { 'aria-live': 'polite' }, list),
    h('div.acts', {},
      !told?.none && degree < 4 && button('.btn.main', t('m' + degree), () => giveHint(), 'bulb', { id: 'hint' }),
      told?.step && degree === 4 && button('.btn.main', t('doIt'), doHint, 'ok', { id: 'do-it' }),
      !told?.none && degree < 3 && button('.quiet', t('tellAll'), () => giveHint(4), null, { id: 'tell-all' }),
      button('.btn', t('allSteps'), () => begin(), 'last', { id: 'all-steps' })));
}

async function doHint() {
  await apply([hint.told.step]);
  $('#hint')?.focus();
}

/* ---------- a cell ---------- */

function aboutBlock() {
  const cell = desk.selected;
  if (isGiven(cell) || digitAt(cell) || !desk.state) return null;
  const here = desk.state.candidates[cell] ?? [], size = desk.board.size;
  const gone = Array.from({ length: size }, (_, i) => i + 1).filter((digit) => !here.includes(digit));
  const mine = about?.cell === cell ? about : null;
  const pick = (digit) => { about = { cell, digit }; changed('about'); };
  const chip = (digit, kind, label) => h('button.mini' + kind + (mine?.digit === digit ? '.on' : ''), { type: 'button', 'aria-pressed': String(mine?.digit === digit), 'aria-label': t(label, sign(digit)), onclick: () => pick(digit) }, sign(digit));
  return h('div.block', { id: 'about' },
    h('div.row', {}, h('h2', {}, t('about', cellName(cell)))),
    h('div.ask', {},
      h('span.big', {}, t('possible')), h('span.keys', {}, here.map((digit) => chip(digit, '', 'thereWhy'))),
      h('span.big', {}, t('goneDigits')), h('span.keys', {}, gone.map((digit) => chip(digit, '.x', 'goneWhy')))),
    mine && h('div.acts', {},
      button('.btn', t(here.includes(mine.digit) ? 'whyStill' : 'whyGone', sign(mine.digit)), () => askWhy(mine), null, { id: 'ask-why' }),
      here.includes(mine.digit) && button('.btn', t('suppose', sign(mine.digit)), () => supposeIt(mine), null, { id: 'suppose' })),
    mine?.said && h('p.answer', { 'aria-live': 'polite' }, mine.said, mine.reason && h('span.soft', {}, ' ' + mine.reason),
      mine.rests?.length ? h('span.soft', {}, ' ' + t('restsOn') + mine.rests.join(', ') + '.') : null));
}

async function askWhy(mine) {
  try {
    const told = await askOfDesk('why', { cell: mine.cell, digit: mine.digit });
    mine.said = told.said;
    mine.reason = told.step && `${told.step.title}: ${told.step.reason}.`;
    mine.rests = told.rests_on;
    if (told.step) {
      await load();
      const before = after(desk.board, desk.state.candidates, run.steps.slice(0, told.number - 1));
      show({ sticky: true, ...before, step: told.step });
    } else {
      show(told.cells ? { sticky: true, candidates: desk.state.candidates, step: null, answers: told.cells.map((cell) => [cell, true]) } : null);
    }
  } catch (error) {
    failed(error);
  }
}

async function supposeIt({ cell, digit }) {
  try {
    const told = await askOfDesk('suppose', { cell, digit });
    const placed = told.steps.flatMap((step) => step.changes.placed.filter(([c]) => c !== cell));
    const struck = [];
    const end = after(desk.board, desk.state.candidates, [{ changes: told.first }, ...told.steps]);
    desk.state.candidates.forEach((list, c) => list.forEach((d) => { if (!end.board.entries[c] && !end.candidates[c].includes(d)) struck.push([c, d]); }));
    show({ sticky: true, candidates: desk.state.candidates, step: null, suppose: [[cell, digit], ...placed], bad: told.problem_cells, struck, told, root: [cell, digit] });
  } catch (error) {
    failed(error);
  }
}

function supposeBlock() {
  const { told, root } = desk.view, [cell, digit] = root, isBad = told.outcome === 'contradiction';
  const rows = told.steps.map((step, i) => nestRow(i + 2, step.effects, `${step.title}: ${step.reason}`));
  return h('div.supposed', {},
    h('div.now', {}, h('h2', {}, t('supposing', pairName(cell, digit))),
      h('p.say', {}, isBad ? `${told.problem}. ` + t('soNot', cellName(cell), sign(digit)) : t('supposedNothing')),
      h('div.foot', {}, isBad && h('div.then', {}, fact(`${cellName(cell)}≠${sign(digit)}`)),
        h('div.play', {}, isBad && button('.btn.main', t('useUpTo'), () => edit({ all: true, board: { ...desk.board, gone: [...desk.board.gone, [cell, digit]] } }), 'ok', { id: 'use-suppose' }), button('.btn', t('backToBoard'), () => show(null))))),
    h('button.foldhead', { type: 'button', 'aria-expanded': String(folded), onclick: () => { folded = !folded; changed('about'); } }, icon('down'), h('b', {}, t('supposing', pairName(cell, digit))), h('span.soft', {}, t(isBad ? 'supposedSteps' : 'supposedOpen', told.steps.length))),
    folded && h('ol.nest', {}, nestRow(1, pairName(cell, digit), t('supposed')), rows,
      isBad && h('li.bad', {}, h('span.bub', {}, '✕'), h('span.f', {}, told.problem_cells.length === 1 ? cellName(told.problem_cells[0]) : ''), h('span', {}, told.problem))));
}

/* ---------- the run ---------- */

async function load() {
  if (!run.steps) {
    const told = await askOfDesk('steps');
    Object.assign(run, { steps: told.steps, told });
  }
  return run.steps;
}

/** Opens the run at a step, counted from 0. */
export async function begin(at = 0) {
  say(t('thinking'));
  try {
    await load();
  } catch (error) {
    return failed(error);
  }
  run.open = true;
  go(at);
}

export function go(at) {
  run.at = Math.max(0, Math.min(at, run.steps.length));
  opened.clear();
  const before = after(desk.board, desk.state.candidates, run.steps.slice(0, run.at));
  const step = run.steps[run.at];
  show({ sticky: true, ...before, step: step ?? null, run: true });
  say(step ? `${t('stepOf', step.number, run.steps.length)} · ${step.title}` : run.told.ending);
}

export const isOpen = () => run.open && desk.view?.run;
export const move = (by) => (isOpen() ? go(run.at + by) : begin());

function close() {
  run.open = false;
  show(null);
}

export const fact = (text) => h('span.fact.' + (text.includes('≠') ? 'out' : 'in'), {}, s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, text.includes('≠') ? [s('circle', { cx: 8, cy: 8, r: 5.5 }), s('line', { x1: 3, y1: 13, x2: 13, y2: 3 })] : s('rect', { x: 3, y: 3, width: 10, height: 10, rx: 1 })), text);

function player() {
  const last = run.steps.length;
  return h('div.play', {},
    iconButton('.btn', t('first'), () => go(0), 'first', { disabled: run.at === 0, id: 'first' }), button('.btn', t('back'), () => go(run.at - 1), 'back', { disabled: run.at === 0, id: 'back' }),
    h('button.btn.main', { type: 'button', id: 'next', disabled: run.at >= last, onclick: () => go(run.at + 1) }, t('next'), icon('next')), iconButton('.btn', t('last'), () => go(last), 'last', { disabled: run.at >= last, id: 'last' }));
}

function untilRule() {
  const used = new Map();
  run.steps.forEach((step, i) => { if (!used.has(step.instance)) used.set(step.instance, [step.title, i]); });
  const select = h('select.until', { 'aria-label': t('until'), id: 'until', onchange: (event) => { if (event.target.value) go(+event.target.value); } }, h('option', { value: '' }, t('until')), [...used.values()].map(([title, i]) => h('option', { value: i }, `${title} (${i + 1})`)));
  return select;
}

function nowCard(step) {
  const { told } = run;
  if (!step) {
    return h('div.now', {}, h('p.meta', {}, h('span', {}, t('end')), untilRule()), h('h2', {}, told.ending), told.left_out.length > 0 && h('p.say', {}, t('leftOut', told.left_out.join(', '))),
      h('div.foot', {}, h('div.play', {}, button('.quiet', t('useUpTo'), use, 'ok', { id: 'use' }), button('.quiet', t('closeSteps'), close)), player()));
  }
  const { links } = step.marks;
  return h('div.now', {},
    h('p.meta', {}, h('span', {}, t('stepOf', step.number, run.steps.length)), h('span', {}, t('level', step.level)), untilRule()),
    h('h2', {}, step.title), h('p.say', {}, step.reason + '.'), isChain(links) && track(links),
    h('div.foot', {}, h('div.then', {}, h('span.soft', {}, t('so')), step.facts.map(fact)), player()),
    h('p.soft.small.extras', {}, button('.linklike', t('readRule'), () => document.dispatchEvent(new CustomEvent('read-rule', { detail: step.rule }))), ' · ', button('.linklike', t('useUpTo'), use, null, { id: 'use' }), ' · ', button('.linklike', t('closeSteps'), close, null, { id: 'close-steps' })));
}

const use = () => apply(run.steps.slice(0, Math.min(run.at + 1, run.steps.length)));

/** Whether links can be followed one by one: strong and weak by turns. */
const isChain = (links) => links.length > 0 && links.every(({ line }, i) => line === (i % 2 ? 'weak' : 'strong'));

/** The cells at an end of a link: one, or those of a group. */
const cellsAt = (end, { groups = [] }) => {
  const group = groups.find((all) => all.some(([cell, digit]) => cell === end[0] && digit === end[1])) ?? [end];
  return group.map(([cell]) => cellName(cell)).join(' ');
};

function track(links) {
  const output = h('output', {}, t('links', links.length));
  const slider = h('input', { type: 'range', min: 1, max: links.length, value: links.length, 'aria-label': t('follow'), oninput: () => {
    const upto = +slider.value;
    desk.view.upto = upto;
    output.textContent = upto < links.length ? t('linkOf', upto, links.length) : t('links', links.length);
    document.querySelectorAll('.link').forEach((row, i) => row.classList.toggle('dim', 2 * i >= upto));
    paint();
  } });
  return h('div.track', {}, h('span', {}, t('follow')), slider, output);
}

/** A chain as lines to read: one line holds a strong link and the weak one after it. */
function ladder({ marks: { links } }) {
  const short = (house) => (house ?? t('cell')).replace('column', 'col').replace('colonne', 'col');
  const rows = [];
  for (let i = 0; i < links.length; i += 2) {
    const strong = links[i], weak = links[i + 1];
    const light = (on) => () => document.querySelectorAll(`[data-link="${i}"],[data-link="${i + 1}"]`).forEach((path) => path.classList.toggle('hot', on));
    rows.push(h('li.link', { onmouseenter: light(true), onmouseleave: light(false) }, h('span.i', { 'aria-hidden': 'true' }, i / 2 + 1),
      h('span.lk.off', {}, `${cellsAt(strong.from, strong)}≠${sign(strong.from[1])}`, i === 0 && h('span.ab', {}, 'A')), h('span.why', {}, h('i', {}, short(strong.house)), h('u')),
      h('span.lk.on', {}, `${cellsAt(strong.to, strong)}=${sign(strong.to[1])}`, !weak && h('span.ab', {}, 'B')), weak ? h('span.why.w', {}, h('i', {}, short(weak.house)), h('u')) : h('span.end', {}, t('chainEnd'))));
  }
  return h('div.ladder', {}, h('div.lhead', { 'aria-hidden': 'true' }, h('span'), h('span', {}, t('ifNot')), h('span.mid', {}, t('other')), h('span', {}, t('thenIs')), h('span.mid', {}, t('rulesOut'))), h('ol', {}, rows));
}

function stepList() {
  const rows = run.steps.map((step, i) => h('li' + (i === run.at ? '.here' : i > run.at ? '.ahead' : ''), {},
    h('button', { type: 'button', 'aria-current': i === run.at ? 'step' : null, onclick: () => go(i) }, h('span.n', {}, step.number), h('span.t', {}, h('b', {}, step.title)), h('span.e', {}, step.facts.length > 3 ? step.facts.slice(0, 3).join(' ') + ' …' : step.facts.join(' ')))));
  return h('ol.steps', { 'aria-label': t('steps') }, rows);
}

/* ---------- hypotheses of a step ---------- */

/** Opens a hypothesis or closes it; the board shows the one of the step itself that was opened last. */
function toggle(place, branch) {
  const isOpening = !opened.has(place);
  if (place.includes('/')) {
    if (isOpening) opened.add(place);
    else opened.delete(place);
    return changed('about');
  }
  go(run.at);
  if (!isOpening) return;
  opened.add(place);
  const placed = branch.steps.flatMap((step, i) => step.places.map((pair) => [...pair, i + 2]));
  show({ ...desk.view, step: null, suppose: [...branch.first.map((pair) => [...pair, 1]), ...placed], struck: branch.gone });
}

function branchList(branches, above = '') {
  return branches.map((branch, i) => {
    const place = above + i, isOpen = opened.has(place), count = branch.steps.length;
    const rows = branch.steps.map((step, n) => nestRow(n + 2, step.effects, `${step.title}: ${step.reason}`, step.branches.length > 0 && h('div.deeper', {}, branchList(step.branches, `${place}/${n}/`))));
    return h('div.branch', {},
      h('button.foldhead', { type: 'button', 'aria-expanded': String(isOpen), onclick: () => toggle(place, branch) }, icon('down'), h('b', {}, t('supposing', branch.supposed)), h('span.soft', {}, count ? t(count > 1 ? 'branchSteps' : 'branchStep', count) : t('branchAtOnce'))),
      isOpen && h('ol.nest', {}, nestRow(1, branch.supposed, t('supposed')), rows, branch.so && h('li', {}, h('span'), h('span'), h('b', {}, branch.so))));
  });
}

/* ---------- checking ---------- */

async function checkDigits() {
  try {
    const told = await ask('check', { board: desk.board, marks: desk.all ? [] : desk.marks });
    desk.wrong = [...told.wrong, ...told.missing];
    const sentence = { none: t('noSolution'), several: t('several'), unknown: t('unknown') }[told.solutions] ?? ([told.wrong.length && t('checkBad', told.wrong.map((cell) => cellName(cell)).join(', ')), told.missing.length && t('checkMarks', told.missing.length)].filter(Boolean).join(' ') || t('checkGood'));
    checked = sentence;
    say(sentence);
    desk.view = null;
    changed('view');
  } catch (error) {
    failed(error);
  }
}
let checked = '';
export const forgetCheck = () => { checked = ''; };

function checkBlock() {
  return h('div.block', {}, h('div.acts.flat', {}, button('.btn', t('check'), checkDigits, 'ok', { id: 'check' })), checked && h('p.answer', { role: 'status' }, checked));
}

/* ---------- the tab ---------- */

export function stepsPanel() {
  if (desk.view?.told) return [supposeBlock()];
  if (isOpen()) {
    const step = run.steps[run.at];
    const branches = step?.branches.length ? h('div.supposed', { id: 'branches' }, branchList(step.branches)) : null;
    return [nowCard(step), step && isChain(step.marks.links) ? ladder(step) : null, branches, stepList()];
  }
  return [hintBlock(), aboutBlock(), checkBlock()];
}

/** On phones, the conclusion rides at the foot between back and next. */
export function carry() {
  if (!isOpen()) return null;
  const step = run.steps[run.at];
  const line = step ? t('stepOf', step.number, run.steps.length) : run.told.ending;
  return h('div.carry', { role: 'group', 'aria-label': t('conclusion') },
    iconButton('.btn', t('back'), () => go(run.at - 1), 'back', { disabled: run.at === 0 }), h('div', {}, line, h('div.facts', {}, (step?.facts ?? []).slice(0, 2).map(fact))), iconButton('.btn.main', t('next'), () => go(run.at + 1), 'next', { disabled: !step }));
}

/** How hard the puzzle is, once it is known. */
export const summary = () => {
  const rating = run.told?.rating;
  if (!rating) return '';
  return rating.grade ? t('graded', t(rating.grade), rating.steps, rating.hardest ?? '') : t('ungraded', '', rating.steps);
};
