// The page: what is drawn when something changes, and what keys do anywhere.

import { $, button, h, say } from './dom.js';
import { ask, askLong, files, warm } from './engine.js';
import { EXAMPLE, changed, clear, desk, forgetPast, makeGivens, moves, onChange, open, openBlank, redo, refresh, request, show, undo } from './desk.js';
import { paint } from './board.js';
import * as steps from './steps.js';
import * as rule from './rule.js';
import { lessonPanel } from './lesson.js';
import * as share from './share.js';
import { LANGUAGES, t, translatePage } from './words.js';

const TABS = ['puzzle', 'steps', 'rule', 'lessons'];

/* ---------- the tab Puzzle ---------- */

const EXAMPLES = {
  easy: '..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9',
  hard: EXAMPLE,
  extreme: '1....49.......974....1.5...259.....7..7.6...94......2..2....1......562..8..4....3',
};

const make = { size: 9, grade: '', control: null, tried: 0, said: '' };

/** Makes puzzles, a few attempts a request, until one has the grade. */
async function makePuzzle() {
  const MOST = 600, FEW = 10, seed = crypto.getRandomValues(new Uint32Array(1))[0];
  Object.assign(make, { control: new AbortController(), tried: 0, said: '' });
  try {
    for (let from = 0; from < MOST; from += FEW) {
      Object.assign(make, { tried: from });
      paintMake();
      const { board, grade } = await askLong('generate', { size: make.size, seed, from, attempts: FEW, grade: make.grade || undefined, rules: { ...desk.rules, text: '', extended: true } }, make.control.signal);
      if (board) {
        make.control = null;
        return await open({ ...board, title: `${grade ? t(grade) + ' ' : ''}${seed}` });
      }
    }
    make.said = t('noneMade', MOST);
  } catch (error) {
    make.said = error.name === 'AbortError' ? t('stopped') : error.message;
  } finally {
    make.control = null;
    paintMake();
  }
}

function paintMake() {
  const place = $('#make');
  if (!place) return;
  const choice = (id, label, values, current, onchange) => h('label.field', {}, h('span', {}, label), h('select', { id, onchange: (event) => onchange(event.target.value) }, values.map(([value, text]) => h('option', { value, selected: String(value) === String(current) }, text))));
  place.replaceChildren(
    choice('make-size', t('size'), [[4, '4 × 4'], [6, '6 × 6'], [9, '9 × 9']], make.size, (value) => { make.size = +value; }),
    choice('make-grade', t('grade'), [['', t('any')], ...['easy', 'medium', 'hard', 'very hard', 'extreme'].map((grade) => [grade, t(grade)])], make.grade, (value) => { make.grade = value; }),
    make.control ? button('.btn', t('stop'), () => make.control.abort(), null, { id: 'make-stop' }) : button('.btn', t('make'), makePuzzle, null, { id: 'make-it' }),
    h('span.soft.small', { role: 'status' }, make.control ? t('tried', make.tried) : make.said));
}

async function worksheet() {
  const name = $('#sheet-rule').value;
  try {
    const sheet = await ask('worksheet', request({ rule: name }));
    desk.all = true;
    show({ sticky: true, board: sheet.board, candidates: sheet.candidates, step: null });
    share.printSheet(desk.title, sheet.task);
  } catch (error) {
    say(error.message);
    $('#open-fault').textContent = error.message;
  }
}

function puzzlePanel() {
  const area = h('textarea.paste', { rows: 5, id: 'paste', 'aria-label': t('pasteHere'), placeholder: t('pasteHere'), spellcheck: 'false' });
  const picker = h('input', { type: 'file', id: 'file', multiple: true, class: 'sr', tabindex: -1, 'aria-label': t('chooseFile'), onchange: (event) => share.openFiles(event.target.files) });
  const check = (id, label, key) => h('label.field', {}, h('input', { type: 'checkbox', id, checked: desk.rules[key], onchange: (event) => { desk.rules = { ...desk.rules, [key]: event.target.checked }; steps.forget(); changed('rules'); } }), h('span', {}, label));
  queueMicrotask(() => { paintMake(); sheetRules(); });
  return [
    h('div.block', {}, h('h2', {}, t('openTitle')), area,
      h('div.acts', {}, button('.btn.main', t('openIt'), () => share.openText(area.value), null, { id: 'open' }), button('.btn', t('chooseFile'), () => picker.click()), picker, button('.quiet', t('openBlank'), () => openBlank(make.size), null, { id: 'open-blank' })),
      h('p.fault', { id: 'open-fault', role: 'alert' }), h('div', { id: 'found' }),
      h('div.row', {}, h('h2', {}, t('examples')), h('span.acts.flat', {}, Object.entries(EXAMPLES).map(([name, text]) => button('.quiet', t(name), () => share.openText(text, t(name)), null, { id: 'example-' + name }))))),
    h('div.block', {}, h('h2', {}, t('makeTitle')), h('div.acts.fields', { id: 'make' })),
    h('div.block', {}, h('h2', {}, t('ruleChoice')), h('div.acts.fields', {}, check('extended', t('extended'), 'extended'), check('forcing', t('forcing'), 'forcing'), check('unique', t('unique'), 'unique'))),
    h('div.block', {}, h('h2', {}, t('saveTitle')), h('div.acts', {},
      button('.btn', t('savePuzzle'), share.savePuzzle), button('.btn', t('saveRules'), share.saveRules), button('.btn', t('picSvg'), share.saveSvg, null, { id: 'svg' }), button('.btn', t('picPng'), share.savePng, null, { id: 'png' }), button('.btn', t('share'), share.copyLink, 'link')),
      h('div.acts.fields', {}, h('label.field', {}, h('span', {}, t('sheetFor')), h('select', { id: 'sheet-rule' })), button('.btn', t('worksheet'), worksheet, 'print'))),
    h('div.block', {}, h('div.acts.flat', {}, button('.quiet', t('makeGivens'), makeGivens), button('.quiet', t('clear'), clear)), h('details', {}, h('summary', {}, t('keys')), h('p.soft', {}, t('keysText')))),
  ];
}

async function sheetRules() {
  const { rules } = await ask('rules', { language: t.language }).catch(() => ({ rules: [] }));
  $('#sheet-rule')?.replaceChildren(...rules.flatMap(({ instances }) => instances.map(({ name, title }) => h('option', { value: name, selected: name === 'naked_subset:2' }, title))));
}

/* ---------- drawing ---------- */

const PANELS = { puzzle: puzzlePanel, steps: steps.stepsPanel, rule: rule.rulePanel, lessons: lessonPanel };

function drawTabs() {
  for (const name of TABS) {
    const tab = $('#tab-' + name), on = desk.tab === name;
    tab.setAttribute('aria-selected', on);
    tab.tabIndex = on ? 0 : -1;
  }
  $('#panel').setAttribute('aria-labelledby', 'tab-' + desk.tab);
}

function drawPanel() {
  const focused = document.activeElement?.id, panel = $('#panel'), had = panel.contains(document.activeElement);
  panel.replaceChildren(...PANELS[desk.tab]().filter(Boolean));
  if (had && focused) $('#' + CSS.escape(focused))?.focus();
  const now = $('.now', panel);
  panel.style.setProperty('--now', (now?.offsetHeight ?? 0) + 'px');
  const here = $('.steps .here', panel);
  if (innerWidth <= 760) {
    // On a phone the board stays above the panel: a new step begins below it, not behind it.
    const behind = now && $('.has-carry .desk') ? $('.desk').getBoundingClientRect().bottom - now.getBoundingClientRect().top : 0;
    if (behind > 0) scrollBy(0, -behind);
    return;
  }
  // A chain or a hypothesis is read before the list below it.
  panel.scrollTop = 0;
  if (here && !$('.ladder, #branches', panel)) panel.scrollTop = Math.max(0, here.getBoundingClientRect().top - now.getBoundingClientRect().bottom - 60);
}

function drawHead() {
  const { view, board, state } = desk;
  $('#puzzle-name').textContent = view?.counter ? t('counterexample') : desk.title || t('untitled');
  $('#puzzle-note').textContent = view?.note ?? steps.summary();
  const tag = $('#boardtag');
  tag.className = 'boardtag' + (view?.counter ? ' on counter' : view?.told ? ' on suppose' : '');
  tag.textContent = view?.counter ? t('counterexample') : view?.told ? t('supposing', '') : '';
  const own = !desk.all && (!view || view.own);
  $('#marks-mine').setAttribute('aria-pressed', String(own));
  $('#marks-all').setAttribute('aria-pressed', String(!own));
  document.body.className = [view?.counter && 'counter-board', view?.told && 'suppose-board', steps.isOpen() && desk.tab === 'steps' && 'has-carry', ['rule', 'lessons'].includes(desk.tab) && 'small-board'].filter(Boolean).join(' ');
  $('.carry')?.remove();
  const carry = desk.tab === 'steps' && steps.carry();
  if (carry) document.body.append(carry);
  if (state && !view) {
    const count = board.entries.filter(Boolean).length;
    say([t('placed', state.placed, board.givens.length), count && t('byYou', count), state.clashes.length ? t('clashes') : state.problem ?? (state.solved ? t('solved') : t('nothingWrong'))].filter(Boolean).join(' · '));
  }
}

let past = -1;
onChange((what) => {
  if (what === 'board' || what === 'rules') steps.forget();
  if (moves() !== past) steps.forgetCheck();
  past = moves();
  paint();
  drawHead();
  if (what === 'tab' || what === 'all') drawTabs();
  const isEditing = ['rule', 'lessons'].includes(desk.tab);
  if (what === 'tab' || what === 'all' || (desk.tab === 'steps') || (what === 'rules' && !isEditing)) drawPanel();
  else if (desk.tab === 'rule') {
    if (what === 'board') rule.boardChanged();
    rule.viewChanged();
  }
  if (what === 'board' || what === 'rules') share.remember();
});

document.addEventListener('selected', () => { drawHead(); if (desk.tab === 'steps') drawPanel(); });
document.addEventListener('rules-changed', () => { steps.forget(); share.remember(); });
document.addEventListener('read-rule', (event) => { desk.tab = 'rule'; rule.choose(event.detail); });
document.addEventListener('open-rules', () => { desk.tab = 'rule'; rule.choose(''); });

export function go(tab) {
  desk.tab = tab;
  desk.view = null;
  changed('tab');
}

/* ---------- what is always there ---------- */

function setLanguage(language) {
  t.language = language;
  try { localStorage.setItem('dokulog-language', language); } catch { /* private windows keep nothing */ }
  translatePage();
  steps.forget();
  rule.loadList().then(refresh).then(() => changed());
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem('dokulog-theme', theme); } catch { /* private windows keep nothing */ }
}

for (const name of TABS) {
  const tab = $('#tab-' + name), at = TABS.indexOf(name);
  tab.addEventListener('click', () => go(name));
  tab.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    go(TABS[(at + by + TABS.length) % TABS.length]);
    $('#tab-' + desk.tab).focus();
  });
}
for (const control of document.querySelectorAll('[data-lang]')) control.addEventListener('click', () => setLanguage(control.dataset.lang));
$('#undo').addEventListener('click', undo);
$('#redo').addEventListener('click', redo);
$('#share').addEventListener('click', share.copyLink);
$('#print').addEventListener('click', () => share.printSheet());
$('#marks-mine').addEventListener('click', () => { desk.all = false; show(null); });
$('#marks-all').addEventListener('click', () => { desk.all = true; show(null); });
$('#theme').addEventListener('click', () => {
  const { theme } = document.documentElement.dataset;
  setTheme((theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches) ? 'light' : 'dark');
});

const isWriting = (element) => /^(TEXTAREA|INPUT|SELECT)$/.test(element?.tagName ?? '');

document.addEventListener('keydown', (event) => {
  if (isWriting(event.target)) return;
  const name = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (name === 'z' || name === 'y') {
      event.preventDefault();
      (name === 'y' || event.shiftKey ? redo : undo)();
    }
    return;
  }
  if (event.altKey || desk.board.size > 9) return;
  const act = { n: () => steps.move(1), b: () => steps.move(-1), h: () => steps.giveHint(), s: () => steps.begin() }[name];
  if (act) {
    event.preventDefault();
    if (desk.tab !== 'steps') {
      desk.tab = 'steps';
      changed('tab');
    }
    act();
  }
  if (event.key === 'Escape' && desk.view) show(null);
});

document.addEventListener('paste', (event) => {
  if (isWriting(event.target)) return;
  event.preventDefault();
  share.openText(event.clipboardData.getData('text'));
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) share.openFiles(event.dataTransfer.files);
  else share.openText(event.dataTransfer.getData('text'));
});
addEventListener('hashchange', () => share.openLink(location.hash));

/* ---------- the start ---------- */

async function start() {
  try {
    const kept = localStorage.getItem('dokulog-language'), theme = localStorage.getItem('dokulog-theme');
    t.language = LANGUAGES.includes(kept) ? kept : navigator.language.startsWith('fr') ? 'fr' : 'en';
    if (theme) document.documentElement.dataset.theme = theme;
  } catch { /* private windows keep nothing */ }
  translatePage();
  changed();
  const named = await files();
  for (const { name, text } of named) await share.openFile(name, text);
  if (!named.length && !(await share.openLink(location.hash)) && !(await share.recall())) await share.openText(EXAMPLE, t('hard'));
  await rule.loadList();
  forgetPast();
  changed();
  document.body.dataset.ready = 'true';
  await warm();
}

start().catch((error) => say(error.message));
