// The tab Rule: the text, what is wrong with it, where it fires, whether it is true, and a prompt.

import { $, button, coded, h, icon, later, say } from './dom.js';
import { ask, askLong } from './engine.js';
import { changed, desk, open, request, show } from './desk.js';
import { Editor } from './editor.js';
import { t } from './words.js';

export const FIRST = `rule my_pair "My pair" {
    level 34.
    eliminate(H \\ {A, B}, {X, Y}) :-
        H in houses, A in unsolved & H, B in unsolved & H, A < B,
        candidates({A, B}) within {X, Y}, X < Y.
    explain "in {H}, {A} and {B} are {X} and {Y}, one each".
}
`;

/** What the tab knows. `chosen` is a bundled rule's name, or nothing for the user's own text. */
const tab = { list: [], chosen: '', found: null, matches: null, whyNot: null, match: -1, verdicts: new Map(), proving: null, query: '', answers: null, answer: -1, fault: '' };
let editor = null;
let parts = null;
let answers = null;

const mine = () => tab.chosen === '';
const rulesNow = () => (mine() ? desk.rules : { ...desk.rules, text: '' });

/** The rule that the tab is about: the one at the caret, of the user's own. */
function current() {
  if (!mine()) return tab.list.find((rule) => rule.name === tab.chosen) ?? null;
  const rules = tab.found?.rules ?? [], at = editor?.caret ?? 0;
  return rules.find((rule) => rule.start <= at && at <= rule.end) ?? rules.at(-1) ?? null;
}

const instances = (rule) => rule.instances.map((instance) => instance.name ?? instance);

/** The bundled rules, in the language of the page. */
export async function loadList() {
  try {
    tab.list = (await ask('rules', { language: t.language })).rules;
  } catch (error) {
    say(error.message);
  }
}

/* ---------- after every change ---------- */

/** What is wrong is said at once; the rule fires when the writer pauses. */
const look = later(10, async () => {
  const text = editor.text;
  if (mine()) {
    try {
      const found = await ask('diagnostics', { text });
      if (text !== editor.text) return;
      tab.found = found;
      editor.mark(found.diagnostics);
      paintStrip();
    } catch (error) {
      return say(error.message);
    }
  }
  fireSoon();
});
const fireSoon = later(150, () => fire());

async function fire() {
  const rule = current(), key = {};
  tab.key = key;
  Object.assign(tab, { matches: null, whyNot: null, match: -1, fault: '' });
  if (rule && (!mine() || tab.found?.ok)) {
    try {
      const found = await ask('matches', { ...request(), rules: rulesNow(), rule: rule.name });
      if (tab.key !== key) return;
      tab.matches = found;
      if (mine()) {
        const entry = (await ask('rules', { rules: desk.rules, language: t.language })).rules.find((other) => other.name === rule.name);
        if (tab.key !== key) return;
        tab.examples = entry?.examples ?? [0, 0];
      } else {
        tab.examples = rule.examples;
      }
    } catch (error) {
      if (tab.key === key) tab.fault = error.message;
    }
  }
  paintStrip();
}

/** The board has changed: matches are others now. */
export const boardChanged = later(150, () => { if (editor && $('#panel').contains(editor.element)) fire(); });

/* ---------- proving ---------- */

const proofKey = (name) => `${mine() ? desk.rules.text : ''}\n${name}`;

export async function prove(rule = current(), onverdict = () => {}) {
  if (!rule || tab.proving) return;
  const control = new AbortController(), names = instances(rule), begun = Date.now();
  tab.proving = { control, at: 0, names, begun };
  const tick = setInterval(paintStrip, 1000);
  paintStrip();
  try {
    for (const [i, name] of names.entries()) {
      tab.proving.at = i;
      paintStrip();
      const key = proofKey(name), verdict = await askLong('prove', { rules: rulesNow(), language: t.language, rule: name }, control.signal);
      tab.verdicts.set(key, verdict);
      onverdict(verdict);
      if (verdict.counterexample) {
        showCounterexample(verdict);
        break;
      }
    }
  } catch (error) {
    tab.fault = error.name === 'AbortError' ? t('stopped') : error.message;
  } finally {
    clearInterval(tick);
    tab.proving = null;
    paintStrip();
  }
}

function showCounterexample({ counterexample }) {
  const { board, solution, step, wrong, said, open: cells, unique } = counterexample;
  ask('state', { board, language: t.language }).then((state) => {
    show({ sticky: true, board, candidates: state.candidates, step, solution, tagged: true, wrongCell: wrong?.[0] ?? null, counter: true, said, note: t('madeByProver', cells) + ' · ' + t(unique ? 'oneSolution' : 'manySolutions') });
    paintStrip();
  });
}

function verdictOf(rule) {
  const known = instances(rule).map((name) => tab.verdicts.get(proofKey(name)));
  const refuted = known.find((verdict) => verdict?.verdict === 'unsound');
  if (refuted) return { kind: 'bad', image: 'no', words: t('refuted'), refuted };
  const bundled = !mine() && rule.instances.map((instance) => instance.verdict);
  const codes = known.map((verdict, i) => verdict?.verdict ?? (bundled ? bundled[i] : null));
  if (codes.some((code) => !code)) return { kind: 'mute', image: 'wait', words: t('notProved') };
  if (codes.includes('not-proved')) return { kind: 'mute', image: 'wait', words: t('unproved'), reason: known.find((v) => v?.reason)?.reason };
  if (codes.every((code) => code === 'never-fires')) return { kind: 'mute', image: 'wait', words: t('neverFires') };
  return { kind: 'good', image: 'shield', words: t(codes.includes('sound-if-unique') ? 'provedUnique' : 'proved'), proved: known.some(Boolean) };
}

/* ---------- the strip, and all below it ---------- */

const item = ([kind, image, words, bold]) => h('li.' + kind, {}, icon(image), h('span', {}, words, bold != null && h('b', {}, ' ' + bold)));

function strip(rule) {
  const found = mine() ? tab.found?.diagnostics ?? [] : [];
  const errors = found.filter((d) => d.severity === 'error').length, warnings = found.length - errors;
  const first = errors ? ['bad', 'no', errors === 1 ? t('oneMistake') : t('mistakes', errors)] : ['good', 'ok', t('noMistakes') + (warnings ? ', ' + t('warnings', warnings) : '')];
  const fires = tab.matches ? [tab.matches.count ? 'good' : 'mute', 'fire', t('fires'), tab.matches.count] : ['mute', 'wait', t('firesNot')];
  const verdict = rule && !errors ? verdictOf(rule) : { kind: 'mute', image: 'wait', words: t('notProved') };
  const [held, all] = tab.examples ?? [0, 0];
  const examples = errors || !all ? ['mute', 'wait', t('noExamples')] : held === all ? ['good', 'ok', t('examplesPass')] : ['bad', 'no', t('examplesFail', held, all)];
  return h('ul.strip', { 'aria-label': t('verdicts'), id: 'strip' }, [first, fires, [verdict.kind, verdict.image, verdict.words], examples].map(item));
}

function diagnostics() {
  const found = mine() ? tab.found?.diagnostics ?? [] : [];
  return h('div', { id: 'findings', 'aria-live': 'polite' }, found.map((d) => h('div.diag' + (d.severity === 'error' ? '' : '.warn'), {}, icon(d.severity === 'error' ? 'no' : 'bulb'),
    h('p.msg', {}, coded(d.message), '.', d.help && !d.remedy && h('span.soft', {}, ' ', coded(d.help))),
    d.remedy && h('button.btn.mend', { type: 'button', onclick: () => editor.replace(d.remedy.start, d.remedy.end, d.remedy.text) }, t(d.remedy.start === d.remedy.end ? 'add' : 'use'), h('code', {}, d.remedy.label)),
    h('p.at', {}, t('lineCol', d.line, d.column, d.code)))));
}

/** All remedies at once, from the last to the first so that places stay good. */
function mendAll() {
  const remedies = tab.found.diagnostics.map((d) => d.remedy).filter(Boolean).sort((a, b) => b.start - a.start);
  for (const { start, end, text } of remedies) editor.replace(start, end, text);
}

function verdictBlock(rule) {
  if (!rule) return null;
  const verdict = verdictOf(rule);
  if (verdict.refuted) {
    const { counterexample } = verdict.refuted, { step, conditions, solution } = counterexample;
    const isShown = desk.view?.counter;
    return h('div', {}, h('div.verdict', { role: 'alert' }, icon('no'), h('h2', {}, t('notAlways')), h('p', {}, counterexample.said)),
      h('div.block', {}, h('p.binds', {}, step.variables.map(({ name, value }) => h('span', {}, h('b', {}, name), value))),
        h('p.soft.small', {}, t('conditions')), h('ul.conds', {}, conditions.map((condition) => h('li', {}, h('span.good', {}, icon('ok')), h('code', {}, condition)))),
        h('div.acts', {}, isShown ? button('.btn.main', t('showSolution'), () => show({ ...desk.view, showSolution: true, solution }), null, { id: 'show-solution' }) : button('.btn.main', t('counterexample'), () => showCounterexample(verdict.refuted), null, { id: 'show-counter' }),
          isShown && button('.btn', t('backToBoard'), () => { show(null); paintStrip(); }, null, { id: 'back-to-board' }), button('.btn', t('openAsPuzzle'), () => open({ ...counterexample.board, title: t('counterexample') })))));
  }
  if (verdict.reason) return h('p.note', {}, verdict.reason);
  return verdict.proved ? h('div.verdict.fine', { role: 'status' }, icon('shield'), h('h2', {}, t('alwaysTrue')), h('p', {}, t('provedSay'))) : null;
}

function showMatch(i) {
  tab.match = i;
  show({ sticky: true, candidates: desk.state.candidates, step: tab.matches.matches[i] });
  paintStrip();
}

function matchList(rule) {
  if (!tab.matches || !rule) return null;
  const { matches, count, cut_off } = tab.matches;
  return h('div.matches', {}, h('div.row.padded', {}, h('h2', {}, t('matchesHere')), button('.quiet', t('whyNot'), () => askWhyNot(rule), null, { id: 'why-not' })),
    h('ul', {}, matches.map((match, i) => h('li' + (i === tab.match ? '.sel' : ''), {}, h('button', { type: 'button', 'aria-pressed': String(i === tab.match), onclick: () => showMatch(i) }, h('span', {}, `${match.title}: ${match.reason}`), h('span.m-e', {}, match.effects))))),
    count > matches.length && h('p.note', {}, t('more', count - matches.length)), cut_off && h('p.note', {}, t('cutOff')),
    tab.whyNot && h('div.block.whynot', { 'aria-live': 'polite' }, tab.whyNot.map(({ title, first_without_answer: first, closest }) => h('div', {}, h('p', {}, h('b', {}, title)),
      first && h('p', {}, t('firstFails'), h('code', {}, first)), closest ? [h('p', {}, t('closest'), closest.bindings), h('p', {}, t('failsAt'), closest.fails_at.map((goal, i) => [i ? ', ' : '', h('code', {}, goal)])), h('p', {}, t('wouldHold', closest.without, closest.then))] : h('p', {}, t('noClose'))))));
}

async function askWhyNot(rule) {
  try {
    tab.whyNot = (await ask('why-not', { ...request(), rules: rulesNow(), rule: rule.name })).instances;
  } catch (error) {
    tab.fault = error.message;
  }
  paintStrip();
}

/* ---------- the prompt ---------- */

async function askQuery(goal) {
  tab.query = goal;
  tab.answer = -1;
  try {
    tab.answers = await ask('query', { ...request(), rules: tab.found?.ok === false ? { ...desk.rules, text: '' } : desk.rules, goal: goal.replace(/^\s*\?-/, '').replace(/\.\s*$/, '') });
    lightAnswers();
  } catch (error) {
    tab.answers = { fault: error.message };
  }
  paintStrip();
}

function lightAnswers() {
  const lit = tab.answers.answers.flatMap(({ cells }, i) => cells.map((cell) => [cell, i === tab.answer]));
  show(lit.length ? { sticky: true, candidates: desk.state.candidates, step: null, answers: lit } : null);
}

/** The prompt itself stays while all around it is drawn anew: someone may be writing in it. */
function prompt() {
  const input = h('input', { value: tab.query, id: 'query', 'aria-label': t('query'), spellcheck: 'false', autocapitalize: 'off', placeholder: 'bivalue(C, X, Y), X < Y' });
  return h('form.prompt', { onsubmit: (event) => { event.preventDefault(); askQuery(input.value); } }, h('b', { 'aria-hidden': 'true' }, '?-'), input, h('button.quiet.icon', { type: 'submit', 'aria-label': t('askIt') }, icon('next')));
}

function answerList() {
  const told = tab.answers;
  return told?.fault ? h('p.note', { role: 'alert' }, coded(told.fault)) : told && h('ul.answers', { 'aria-label': told.answers.length === 1 ? t('oneAnswer') : t('answers', told.answers.length) },
    told.answers.length ? told.answers.map(({ text }, i) => h('li' + (i === tab.answer ? '.sel' : ''), {}, h('button', { type: 'button', 'aria-pressed': String(i === tab.answer), onclick: () => { tab.answer = i; lightAnswers(); paintStrip(); } }, text + (i + 1 < told.answers.length ? ' ;' : '.')))) : h('li', {}, t('noAnswer')),
    told.more && h('li.more', {}, t('moreAnswers')));
}

/* ---------- putting it together ---------- */

function paintStrip() {
  if (!parts || !parts.isConnected) return;
  const focused = document.activeElement?.id;
  const rule = current();
  const errors = mine() && tab.found && !tab.found.ok;
  const proving = tab.proving && h('div.note.progress', { role: 'status' }, h('span.spin', { 'aria-hidden': 'true' }), t('proving', tab.proving.names[tab.proving.at], tab.proving.at + 1, tab.proving.names.length, Math.round((Date.now() - tab.proving.begun) / 1000)), button('.btn', t('stop'), () => tab.proving.control.abort(), null, { id: 'stop' }));
  parts.replaceChildren(...[strip(rule), proving, diagnostics(), mine() && !editor.text.trim() && h('div.note', {}, h('p', {}, t('emptyRules')), h('p.acts', {}, button('.btn', t('newRule'), () => editor.replace(0, editor.text.length, FIRST), 'pencil', { id: 'first-rule' }))),
    !errors && verdictBlock(rule), tab.fault && h('p.note', { role: 'alert' }, tab.fault), !errors && matchList(rule)].filter(Boolean));
  answers.replaceChildren(...[answerList()].filter(Boolean));
  $('#prove').disabled = !rule || errors || !!tab.proving;
  $('#mend-all').hidden = !(errors && tab.found.diagnostics.filter((d) => d.remedy).length > 1);
  if (focused && parts.querySelector('#' + focused)) parts.querySelector('#' + focused).focus();
}

function chooser() {
  const option = (rule) => h('option', { value: rule.name, selected: rule.name === tab.chosen }, `${rule.name} · ${rule.instances[0].title}`);
  return h('select.pick', { id: 'which-rule', 'aria-label': t('whichRule'), onchange: (event) => choose(event.target.value) }, h('option', { value: '', selected: mine() }, t('myRules')), h('optgroup', { label: t('bundled') }, tab.list.map(option)));
}

export function choose(name) {
  tab.chosen = name;
  Object.assign(tab, { matches: null, whyNot: null, match: -1, fault: '' });
  desk.view = null;
  changed('tab');
}

/** A bundled rule becomes one of the user's own. */
function copy() {
  const rule = current();
  desk.rules = { ...desk.rules, text: (desk.rules.text.trim() ? desk.rules.text.trimEnd() + '\n\n' : '') + rule.text };
  tab.found = null;
  choose('');
}

async function format() {
  try {
    const { text } = await ask('format', { text: editor.text });
    if (text !== editor.text) editor.replace(0, editor.text.length, text);
  } catch (error) {
    tab.fault = error.message;
    paintStrip();
  }
}

export function rulePanel() {
  const rule = mine() ? null : current();
  editor = new Editor({
    text: mine() ? desk.rules.text : rule?.text ?? '', readonly: !mine(), label: t('ruleText'),
    onchange: (text) => { if (mine()) desk.rules = { ...desk.rules, text }; if (desk.view?.counter) show(null); look(); document.dispatchEvent(new CustomEvent('rules-changed')); },
    oncaret: () => { if ((tab.found?.rules.length ?? 0) > 1 && tab.lastRule !== current()?.name) { tab.lastRule = current()?.name; fire(); } },
  });
  parts = h('div.parts');
  answers = h('div', { 'aria-live': 'polite' });
  const bar = h('div.rulebar', {}, chooser(), h('span.sp'), h('button.btn', { type: 'button', id: 'mend-all', hidden: true, onclick: mendAll }, t('mendAll')),
    mine() ? button('.quiet', t('format'), format, null, { id: 'format' }) : button('.btn', t('copyMine'), copy, null, { id: 'copy-mine' }), button('.btn', t('prove'), () => prove(), 'shield', { id: 'prove' }));
  queueMicrotask(() => { paintStrip(); look(); });
  return [bar, editor.element, parts, h('div.query', {}, prompt(), answers)];
}

/** The view has changed: the verdict's buttons may be others. */
export const viewChanged = () => paintStrip();

