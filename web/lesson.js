// The tab Lessons: the tutorial as tasks that check themselves.

import { button, coded, h, icon, later, say } from './dom.js';
import { ask, askLong } from './engine.js';
import { EXAMPLE, changed, desk, show } from './desk.js';
import { Editor } from './editor.js';
import { FIRST } from './rule.js';
import { t } from './words.js';

const SLIP = FIRST.replace('level 34.', 'level 34').replace('B in unsolved & H', 'B in unsolvd & H');
const BROKEN = FIRST.replace('B in unsolved & H', 'B in unsolved');
/** The pair that the rule should find: r8c7 and r8c8. */
const PAIR = [69, 70];

const TASKS = [
  { name: ['Read it', 'Lire'], text: SLIP, checks: ['reads'],
    say: ['Two open cells of a house that have only two digits between them use these digits up. The text below says so, word for word, but its author slipped twice. `:-` means “if”, a comma means “and”, capitals are variables. Mend the two slips: the remedies are one click away.', 'Deux cases ouvertes d’une maison qui n’ont que deux chiffres à elles deux les utilisent : aucune autre case de la maison ne peut les prendre. Le texte ci-dessous le dit mot pour mot, mais avec deux fautes. « :- » signifie « si », la virgule « et », les majuscules sont des variables. Corrigez les deux fautes : les remèdes sont à un clic.'] },
  { name: ['Fire it', 'Déclencher'], text: FIRST, checks: ['reads', 'fires'], watch: true,
    say: ['Now it runs on the board at the left. Look at the pair that it finds: the cells marked have only 2 and 4, so these go from the rest of the house. To go on, change the title in quotes to one of your own.', 'Elle tourne maintenant sur la grille. Regardez la paire qu’elle trouve : les cases marquées n’ont que 2 et 4, qui partent donc du reste de la maison. Pour continuer, remplacez le titre entre guillemets par le vôtre.'], own: true },
  { name: ['Prove it', 'Prouver'], text: FIRST, checks: ['reads', 'fires', 'sound'], press: true,
    say: ['A rule that works on one board may fail on another. Press Prove: the prover looks at every solved grid and every state of the candidates at once.', 'Une règle qui marche sur une grille peut échouer sur une autre. Appuyez sur Prouver : le prouveur regarde toutes les grilles et tous les états à la fois.'] },
  { name: ['Break it', 'Casser'], text: FIRST, checks: ['reads', 'unsound'], press: true,
    say: ['Forget a condition, as one does: of `B in unsolved & H`, take away ` & H`, and prove it again. The prover shows a puzzle on which the rule goes wrong.', 'Oubliez une condition, comme cela arrive : dans `B in unsolved & H`, retirez ` & H` et prouvez à nouveau. Le prouveur montre une grille où la règle se trompe.'] },
  { name: ['Mend it', 'Réparer'], text: BROKEN, checks: ['reads', 'fires', 'sound'], press: true,
    say: ['Somebody forgot a condition, and the rule takes a digit that belongs there. A is in the house. Where is B? Change one condition so that the rule is true again, and still finds the pair.', 'Quelqu’un a oublié une condition, et la règle retire un chiffre qui doit rester. A est dans la maison. Où est B ? Changez une condition pour que la règle soit vraie, et trouve encore la paire.'] },
  { name: ['Ask', 'Demander'], text: FIRST, checks: ['asked'], query: true,
    say: ['A prompt answers questions about the board. Ask which open cells of box 9 have exactly two candidates: `bivalue(C, X, Y), X < Y, C in box(r9c9)`', 'On peut interroger la grille. Demandez quelles cases ouvertes de la région 9 ont exactement deux candidats : `bivalue(C, X, Y), X < Y, C in box(r9c9)`'] },
];

const CHECKS = {
  reads: ['It reads without mistakes', 'Elle se lit sans faute'],
  fires: ['It finds the pair r8c7, r8c8', 'Elle trouve la paire r8c7, r8c8'],
  sound: ['The prover finds no counterexample', 'Le prouveur ne trouve pas de contre-exemple'],
  unsound: ['The prover finds a counterexample', 'Le prouveur trouve un contre-exemple'],
  asked: ['Your question has an answer', 'Votre question a une réponse'],
};
const pick = (pair) => pair[t.language === 'fr' ? 1 : 0];

const lesson = { at: 0, done: 0, text: TASKS[0].text, passed: {}, notes: {}, found: [], board: null, proving: null, counter: null };
let editor = null;
let parts = null;

async function place() {
  if (lesson.board) return lesson.board;
  const { puzzles: [puzzle] } = await ask('read', { text: EXAMPLE });
  lesson.board = await ask('worksheet', { board: puzzle, rule: 'naked_subset:2', language: t.language });
  return lesson.board;
}

const look = later(150, async () => {
  const text = editor.text, { board, candidates } = await place();
  const found = await ask('diagnostics', { text });
  if (text !== editor.text) return;
  // A proof may be quicker than this look; what it says of the same text stays.
  const { sound, unsound } = lesson.proved === text ? lesson.passed : {};
  if (lesson.proved !== text) {
    lesson.counter = null;
    lesson.notes = {};
  }
  lesson.found = found.diagnostics;
  editor.mark(found.diagnostics);
  lesson.passed = { reads: found.ok && found.rules.length > 0, asked: lesson.passed.asked, sound, unsound };
  let match = null;
  if (lesson.passed.reads) {
    const rule = found.rules.at(-1).name;
    const { matches, count } = await ask('matches', { board, rules: { text }, rule, language: t.language });
    if (text !== editor.text) return;
    match = matches.find((m) => PAIR.every((cell) => m.marks.cells.includes(cell)) && m.marks.cells.length === PAIR.length);
    lesson.passed.fires = !!match;
    lesson.notes.fires = `× ${count}`;
  }
  show({ sticky: true, board, candidates, step: match ?? null, tagged: !!match, lesson: true });
  paint();
});

async function prove() {
  const text = editor.text, control = new AbortController();
  lesson.proving = control;
  paint();
  try {
    const found = await ask('diagnostics', { text });
    if (!found.ok) return;
    const verdict = await askLong('prove', { rules: { text }, rule: found.rules.at(-1).instances[0], language: t.language }, control.signal);
    if (text !== editor.text) return;
    lesson.proved = text;
    lesson.passed.sound = verdict.verdict === 'sound';
    lesson.passed.unsound = verdict.verdict === 'unsound';
    lesson.notes.sound = lesson.notes.unsound = t(verdict.verdict === 'sound' ? 'proved' : verdict.verdict === 'unsound' ? 'refuted' : 'unproved');
    const counter = verdict.counterexample;
    if (counter) {
      const state = await ask('state', { board: counter.board });
      lesson.counter = counter.said;
      show({ sticky: true, board: counter.board, candidates: state.candidates, step: counter.step, solution: counter.solution, tagged: true, wrongCell: counter.wrong?.[0] ?? null, counter: true });
    }
  } catch (error) {
    if (error.name !== 'AbortError') say(error.message);
  } finally {
    lesson.proving = null;
    paint();
  }
}

async function askIt(goal) {
  const { board, candidates } = await place();
  try {
    const { answers } = await ask('query', { board, goal, rules: {}, language: t.language });
    lesson.passed.asked = answers.length > 0;
    lesson.answers = answers.map(({ text }) => text).join(' ;\n') || 'false';
    show({ sticky: true, board, candidates, step: null, lesson: true, answers: answers.flatMap(({ cells }) => cells.map((cell) => [cell, true])) });
  } catch (error) {
    lesson.answers = error.message;
  }
  paint();
}

function isDone(task) {
  const isOwn = !task.own || editor.text.trim() !== FIRST.trim();
  return task.checks.every((check) => lesson.passed[check]) && isOwn;
}

function enter(at) {
  Object.assign(lesson, { at, text: TASKS[at].text, passed: {}, notes: {}, found: [], counter: null, answers: '' });
  lesson.done = Math.max(lesson.done, at);
  changed('tab');
}

function finish() {
  desk.rules = { ...desk.rules, text: desk.rules.text.trim() ? desk.rules.text : FIRST };
  say(t('finished'));
  desk.tab = 'rule';
  desk.view = null;
  changed('tab');
}

function paint() {
  if (!parts?.isConnected) return;
  const task = TASKS[lesson.at], last = lesson.at + 1 === TASKS.length;
  const row = (check) => {
    const passed = lesson.passed[check];
    return h('li.' + (passed ? 'good' : passed === false ? 'bad' : 'todo'), {}, icon(passed ? 'ok' : passed === false ? 'no' : 'wait'), h('span', {}, pick(CHECKS[check])), h('small', {}, lesson.notes[check] ?? (passed ? t('done') : t('todo'))));
  };
  const input = h('input', { id: 'lesson-query', 'aria-label': t('query'), spellcheck: 'false', value: lesson.goal ?? '', oninput: () => { lesson.goal = input.value; } });
  const focused = document.activeElement?.id;
  parts.replaceChildren(...[
    lesson.found.length > 0 && h('div', { 'aria-live': 'polite', id: 'findings' }, lesson.found.map((d) => h('div.diag', {}, icon('no'), h('p.msg', {}, coded(d.message), '.'), d.remedy && h('button.btn.mend', { type: 'button', onclick: () => editor.replace(d.remedy.start, d.remedy.end, d.remedy.text) }, t(d.remedy.start === d.remedy.end ? 'add' : 'use'), h('code', {}, d.remedy.label)), h('p.at', {}, t('lineCol', d.line, d.column, d.code))))),
    lesson.counter && h('div.verdict', { role: 'alert' }, icon('no'), h('h2', {}, t('notAlways')), h('p', {}, lesson.counter)),
    task.query && h('form.prompt', { onsubmit: (event) => { event.preventDefault(); lesson.goal = input.value; askIt(input.value.replace(/\.\s*$/, '')); } }, h('b', { 'aria-hidden': 'true' }, '?-'), input, h('button.quiet.icon', { type: 'submit', 'aria-label': t('askIt') }, icon('next'))),
    lesson.answers && h('pre.answers', { 'aria-live': 'polite' }, lesson.answers),
    h('ul.checks', { 'aria-label': t('checks'), 'aria-live': 'polite' }, task.checks.map(row)),
    h('div.back', {}, h('div.acts', {},
      task.press && (lesson.proving ? button('.btn', t('stop'), () => lesson.proving.abort()) : button('.btn', t('prove'), prove, 'shield', { id: 'lesson-prove', disabled: !lesson.passed.reads })),
      h('button.btn.main', { type: 'button', id: 'next-task', disabled: !isDone(task), onclick: () => (last ? finish() : enter(lesson.at + 1)) }, t(last ? 'finish' : 'nextTask'), icon('next')),
      button('.quiet', t('startOver'), () => enter(lesson.at)))),
  ].filter(Boolean));
  const field = focused ? parts.querySelector('#' + focused) : null;
  field?.focus();
  if (field === input) input.setSelectionRange(input.value.length, input.value.length);
}

export function lessonPanel() {
  const task = TASKS[lesson.at];
  editor = new Editor({ text: lesson.text, label: t('ruleText'), onchange: (text) => { lesson.text = text; look(); } });
  parts = h('div.parts');
  const crumbs = TASKS.map(({ name }, i) => h('li' + (i < lesson.at ? '.done' : i === lesson.at ? '.cur' : ''), { 'aria-current': i === lesson.at ? 'step' : null }, i <= lesson.done ? h('button', { type: 'button', onclick: () => enter(i) }, (i < lesson.at ? '✓ ' : '') + pick(name)) : pick(name)));
  queueMicrotask(() => { paint(); look(); });
  say(t('taskOf', lesson.at + 1, TASKS.length));
  return [h('ol.crumbs', { 'aria-label': t('tasks') }, crumbs), h('div.lesson', {}, h('h2', {}, pick(task.name)), h('p', {}, coded(pick(task.say)))), !task.query && editor.element, parts];
}
