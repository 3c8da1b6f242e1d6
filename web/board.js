// The board as one SVG: digits, marks, and the shapes of a step. Each shape has its own form as
// well as its own colour: ring, slash, hollow square, filled disc, thick and dashed lines.

import { $, h, icon, s } from './dom.js';
import { canRedo, canUndo, desk, digitAt, erase, press } from './desk.js';
import { t } from './words.js';

const CELL = 100;

/** How a digit is written: letters above 9. */
export const sign = (digit) => (digit < 10 ? String(digit) : String.fromCharCode(55 + digit));
export const cellName = (cell, size = desk.board.size) => `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;

/** Where everything is on a board of some size. */
function geometry(size, boxHeight, boxWidth) {
  const corner = (cell) => [(cell % size) * CELL, Math.floor(cell / size) * CELL];
  const across = boxWidth, down = Math.ceil(size / boxWidth);
  const [wide, high] = [84 / across, 84 / down];
  const spot = (cell, digit) => {
    const [x, y] = corner(cell);
    return [x + 8 + wide * (((digit - 1) % across) + 0.5), y + 8 + high * (Math.floor((digit - 1) / across) + 0.5)];
  };
  return { size, boxHeight, boxWidth, corner, spot, unit: Math.min(wide, high) / 28, whole: size * CELL };
}

const key = ([cell, digit]) => `${cell}=${digit}`;

/** A link from one candidate to another. Strong ones bow up or left, weak ones down or right. */
function arrow(a, b, kind, unit) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1, near = length < 60;
  let nx = -dy / length, ny = dx / length;
  if (Math.abs(dx) >= Math.abs(dy) ? ny > 0 : nx > 0) [nx, ny] = [-nx, -ny];
  const side = kind === 'strong' ? 1 : kind === 'weak' ? -1 : 0;
  const head = kind === 'effect' || kind === 'together' ? null : `url(#head-${kind})`;
  if (near && (Math.abs(dx) < 1 || Math.abs(dy) < 1)) {
    const off = (v, r) => (Math.abs(dx) > 1 ? [v[0], v[1] - r * side * unit] : [v[0] - r * side * unit, v[1]]);
    return s(`path.${kind}.near.onscreen`, { d: `M${off(a, 12)} C${off(a, 34)} ${off(b, 36)} ${off(b, 18)}`, 'marker-end': head });
  }
  const bow = near ? 0 : 0.1 * length * side;
  const middle = [(a[0] + b[0]) / 2 + nx * bow, (a[1] + b[1]) / 2 + ny * bow];
  const trim = (p, r) => {
    const l = Math.hypot(middle[0] - p[0], middle[1] - p[1]) || 1;
    return [p[0] + ((middle[0] - p[0]) * r) / l, p[1] + ((middle[1] - p[1]) * r) / l];
  };
  return s(`path.${kind}.onscreen`, { d: `M${trim(a, 13 * unit)} Q${middle} ${trim(b, (near ? 17 : 20) * unit)}`, 'marker-end': head });
}

/** Whether the board is the user's to write on: a hint leaves it so. */
const isOwn = () => !desk.view || desk.view.hint;

/** What is on the board now: the desk's own, or what a view shows instead. */
export function scene() {
  const { view, state, board } = desk;
  if (view?.board) return view;
  const own = !desk.all && !view;
  return {
    board,
    candidates: own ? desk.marks.map((list, cell) => (digitAt(cell) ? [] : list)) : view?.candidates ?? state?.candidates ?? [],
    ...(view ?? {}),
  };
}

/** Draws a scene. `live` boards have a selection and take keys. */
export function draw(what, live = true) {
  const { board, candidates, step, suppose, wrongCell, solution, answers = [], upto } = what;
  const shape = desk.state ?? { box_height: 3, box_width: 3 };
  const boxes = board.size === desk.board.size ? [shape.box_height, shape.box_width] : boxOf(board.size);
  const g = geometry(board.size, ...boxes);
  const rect = (cls, x, y, w, hh, rx = 0) => s('rect.' + cls, { x, y, width: w, height: hh, rx });
  const onCell = (cls, cell, inset = 0, rx = 0) => rect(cls, g.corner(cell)[0] + inset, g.corner(cell)[1] + inset, CELL - 2 * inset, CELL - 2 * inset, rx);
  const layer = { under: s('g'), grid: s('g'), houses: s('g'), links: s('g'), nodes: s('g'), text: s('g'), over: s('g') };
  const marks = step?.marks ?? { houses: [], cells: [], rings: [], out: [], place: [], links: [], painted: [], framed: [] };
  const framed = new Map(marks.framed);
  const shown = { on: new Set(), off: new Set(), gone: new Set(marks.out.map(key)), ring: new Set(marks.rings.map(key)), place: new Set(marks.place.map(key)), lit: new Set(), white: new Set() };
  const isPlain = isOwn();

  if (live && isPlain) selection(g, layer, rect, onCell);
  for (const cell of marks.cells) {
    const name = framed.get(cell);
    layer.under.append(onCell('pattern.onscreen' + (name ? '.' + name : ''), cell, 4, 6));
    if (name === 'pivot') layer.under.append(onCell('inner.onscreen', cell, 10, 4));
  }
  if (suppose) supposed(suppose, g, layer, onCell);
  for (const cell of what.bad ?? []) layer.under.append(onCell('badcell.onscreen', cell, 4, 8));
  for (const cell of isPlain ? desk.wrong : []) layer.under.append(onCell('wrongcell.onscreen', cell), onCell('hatchred.onscreen', cell));
  if (wrongCell != null) layer.under.append(onCell('wrongcell.onscreen', wrongCell), onCell('hatchred.onscreen', wrongCell));
  for (const [a, b] of isPlain ? desk.state?.clashes ?? [] : []) layer.under.append(onCell('badcell.onscreen', a, 4, 8), onCell('clashwith.onscreen', b, 4, 8));

  lines(g, layer.grid, rect);
  for (const { cells, starts } of marks.houses) layer.houses.append(outline(cells, g, starts ? 'hstart' : 'hend'));
  if (marks.links.length) chain(marks, upto ?? marks.links.length, g, layer, shown);
  for (const [cell, digit] of marks.rings) {
    if (shown.on.has(key([cell, digit])) || shown.off.has(key([cell, digit]))) continue;
    const [cx, cy] = g.spot(cell, digit);
    layer.nodes.append(s('circle.m-ring.onscreen', { cx, cy, r: 13.5 * g.unit }));
  }
  painted(marks, g, layer, shown);
  for (const pair of marks.out) {
    const [cx, cy] = g.spot(...pair);
    layer.nodes.append(s('circle.m-out.onscreen', { cx, cy, r: 14 * g.unit }));
    layer.over.append(s('line.slash.onscreen', { x1: cx - 7.5 * g.unit, y1: cy + 14 * g.unit, x2: cx + 7.5 * g.unit, y2: cy - 14 * g.unit }));
  }
  for (const pair of marks.place) {
    const [cx, cy] = g.spot(...pair);
    layer.nodes.append(rect('m-place.onscreen', cx - 14 * g.unit, cy - 14 * g.unit, 28 * g.unit, 28 * g.unit, 4));
  }

  const labels = digits(what, g, layer, shown);
  if (wrongCell != null && solution) {
    const [x, y] = g.corner(wrongCell);
    layer.over.append(s('text.ghost.onscreen', { x: x + 58, y: y + 88 }, sign(solution[wrongCell])));
  }
  for (const cell of what.bad ?? []) {
    const [x, y] = g.corner(cell);
    if ((what.bad ?? []).length === 1) layer.over.append(s('path.cross.onscreen', { d: `M${x + 34} ${y + 22}l28 28M${x + 62} ${y + 22}l-28 28` }));
  }
  for (const [cell, hot] of answers) {
    const [x, y] = g.corner(cell);
    layer.over.append(s(`path.answer${hot ? '.hotanswer' : ''}.onscreen`, { d: `M${x + 64} ${y + 5}h31v31z` }));
  }
  tags(what, g, layer, rect);

  const drawing = s('g', { 'aria-hidden': 'true' }, rect('bg', 0, 0, g.whole, g.whole, 9), layer.under, layer.grid, layer.houses, layer.links, layer.nodes, layer.text, layer.over);
  const classes = '.board' + (marks.links.length ? '.chained' : '') + (board.size > 9 ? '.big' : '');
  return s('svg' + classes, { viewBox: `-34 -34 ${g.whole + 38} ${g.whole + 38}` }, definitions(), drawing, live && hits(g, labels));
}

export const boxOf = (size) => ({ 4: [2, 2], 6: [2, 3], 9: [3, 3], 12: [3, 4], 16: [4, 4], 25: [5, 5] })[size] ?? [1, size];

function selection(g, layer, rect, onCell) {
  const cell = desk.selected, row = Math.floor(cell / g.size), column = cell % g.size;
  const [top, left] = [row - (row % g.boxHeight), column - (column % g.boxWidth)];
  layer.under.append(
    rect('peer.onscreen', 0, row * CELL, g.whole, CELL), rect('peer.onscreen', column * CELL, 0, CELL, g.whole),
    rect('peer.onscreen', left * CELL, top * CELL, g.boxWidth * CELL, g.boxHeight * CELL), onCell('selected.onscreen', cell));
  layer.over.append(onCell('selframe.onscreen', cell, 2.5, 4));
}

function supposed(suppose, g, layer, onCell) {
  suppose.forEach(([cell, , number = 0], i) => {
    const [x, y] = g.corner(cell);
    layer.under.append(onCell('hypcell.onscreen', cell), onCell('hatch.onscreen', cell));
    layer.over.append(onCell((i ? 'hypframe' : 'root') + '.onscreen', cell, 5, 8));
    layer.over.append(s('g.num.onscreen', {}, s('circle', { cx: x + 86, cy: y + 14, r: 14 }), s('text', { x: x + 86, y: y + 20.5 }, number || i + 1)));
  });
}

function lines(g, into, rect) {
  const thick = [];
  const add = (isThin, where) => (isThin ? into.append(s('line.thin', where)) : thick.push(s('line.thick', where)));
  for (let i = 1; i < g.size; i++) {
    add(i % g.boxHeight, { x1: 0, x2: g.whole, y1: i * CELL, y2: i * CELL });
    add(i % g.boxWidth, { y1: 0, y2: g.whole, x1: i * CELL, x2: i * CELL });
  }
  into.append(...thick);
  into.append(rect('thick.outer', 0, 0, g.whole, g.whole, 9));
  for (let i = 0; i < g.size; i++) {
    into.append(s('text.coord', { x: i * CELL + 50, y: -12 }, i + 1), s('text.coord', { x: -20, y: i * CELL + 57 }, i + 1));
  }
}

/** The edge around some cells, whatever their shape. */
function outline(cells, g, kind) {
  const has = new Set(cells), inset = 1;
  let path = '';
  for (const cell of cells) {
    const [x, y] = g.corner(cell), column = cell % g.size;
    const left = column > 0 && has.has(cell - 1), right = column < g.size - 1 && has.has(cell + 1);
    const up = has.has(cell - g.size), down = has.has(cell + g.size);
    const [x0, x1, y0, y1] = [x + (left ? 0 : inset), x + CELL - (right ? 0 : inset), y + (up ? 0 : inset), y + CELL - (down ? 0 : inset)];
    if (!up) path += `M${x0} ${y0}H${x1}`;
    if (!down) path += `M${x0} ${y1}H${x1}`;
    if (!left) path += `M${x0} ${y0}V${y1}`;
    if (!right) path += `M${x1} ${y0}V${y1}`;
  }
  return s(`path.${kind}.onscreen`, { d: path });
}

/** Candidates that are drawn in a way of their own: fins, colours, what a chain has not reached yet. */
function painted({ painted }, g, layer, shown) {
  for (const [cell, digit, name] of painted) {
    const at = key([cell, digit]), [cx, cy] = g.spot(cell, digit);
    if (shown.on.has(at) || shown.off.has(at)) continue;
    if (SHAPES[name]) layer.nodes.append(SHAPES[name](cx, cy, g.unit));
    else layer.nodes.append(s('circle.m-ring.onscreen' + (name === 'cover' ? '.covered' : ''), { cx, cy, r: 13.5 * g.unit }));
    (['blue', 'orange', 'on'].includes(name) ? shown.white : shown.lit).add(at);
  }
}

const corners = (cls, points, cx, cy, r) => s(`path.${cls}.onscreen`, { d: 'M' + points.map(([x, y]) => `${cx + x * r} ${cy + y * r}`).join('L') + 'z' });
const SHAPES = {
  on: (cx, cy, unit) => s('circle.m-on.onscreen', { cx, cy, r: 14.5 * unit }),
  off: (cx, cy, unit) => s('rect.m-off.onscreen', { x: cx - 12.5 * unit, y: cy - 12.5 * unit, width: 25 * unit, height: 25 * unit, rx: 3 }),
  blue: (cx, cy, unit) => s('circle.m-blue.onscreen', { cx, cy, r: 14.5 * unit }),
  green: (cx, cy, unit) => corners('m-green', [[-1.1, 0], [-0.55, -0.95], [0.55, -0.95], [1.1, 0], [0.55, 0.95], [-0.55, 0.95]], cx, cy, 14 * unit),
  orange: (cx, cy, unit) => s('rect.m-orange.onscreen', { x: cx - 12.5 * unit, y: cy - 12.5 * unit, width: 25 * unit, height: 25 * unit, rx: 3 }),
  violet: (cx, cy, unit) => s('circle.m-violet.onscreen', { cx, cy, r: 13.5 * unit }),
  fin: (cx, cy, unit) => corners('m-fin', [[-1.25, 0], [0, -1.25], [1.25, 0], [0, 1.25]], cx, cy, 14 * unit),
};

/** A band around a group of candidates that stand in a line. */
function capsule(group, g) {
  const spots = group.map((pair) => g.spot(...pair)), r = 18 * g.unit;
  const [left, right] = [Math.min(...spots.map(([x]) => x)), Math.max(...spots.map(([x]) => x))];
  const [top, bottom] = [Math.min(...spots.map(([, y]) => y)), Math.max(...spots.map(([, y]) => y))];
  if (right > left && bottom > top) return [];
  return [s('rect.capsule.onscreen', { x: left - r, y: top - r, width: right - left + 2 * r, height: bottom - top + 2 * r, rx: r })];
}

/** Whether the ends of these links take something away: a ring does so along its links. */
const takesAway = (links) => links.some(({ strong }) => strong) && key(links[0].from) !== key(links.at(-1).to);

function chain(marks, upto, g, layer, { on, off }) {
  const { links } = marks;
  const isChain = links.some(({ strong }) => strong);
  links.forEach(({ from, to, strong, line, groups = [] }, i) => {
    const all = (end) => [...(groups.find((group) => group.some((pair) => key(pair) === key(end))) ?? [end])].map(key);
    if (i < upto && isChain && line !== 'group') {
      for (const name of all(from)) (strong ? off : on).add(name);
      for (const name of all(to)) (strong ? on : off).add(name);
    }
    for (const group of groups) layer.links.append(...capsule(group, g));
    const path = arrow(g.spot(...from), g.spot(...to), line === 'group' ? 'together' : strong ? 'strong' : 'weak', g.unit);
    path.dataset.link = i;
    if (i >= upto) path.classList.add('faint');
    layer.links.append(path);
  });
  for (const name of on) off.delete(name);
  const ends = [links[0].from, links.at(-1).to];
  if (upto >= links.length && takesAway(links)) {
    for (const pair of marks.out) for (const end of ends) layer.links.append(arrow(g.spot(...end), g.spot(...pair), 'effect', g.unit));
  }
  const at = (name) => g.spot(...name.split('=').map(Number));
  for (const name of off) {
    const [cx, cy] = at(name), r = 12.5 * g.unit;
    layer.nodes.append(s('rect.m-off.onscreen', { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, rx: 3 }));
  }
  for (const name of on) {
    const [cx, cy] = at(name);
    layer.nodes.append(s('circle.m-on.onscreen', { cx, cy, r: 14.5 * g.unit }));
  }
}

/** Writes digits and candidates; what a screen reader says of each cell. */
function digits({ board, candidates, suppose, solution, showSolution, bad = [], struck = [] }, g, layer, shown) {
  const sup = new Map((suppose ?? []).map(([cell, digit]) => [cell, digit]));
  const hyp = new Set(struck.map(key));
  return board.givens.map((given, cell) => {
    const [x, y] = g.corner(cell), digit = given || board.entries[cell];
    const label = [cellName(cell, g.size)];
    const big = (cls, text) => layer.text.append(s('text.digit.' + cls, { x: x + 50, y: y + 71 }, text));
    if (sup.has(cell)) {
      big('supposed.onscreen', sign(sup.get(cell)));
      label.push(t('supposed') + ' ' + sup.get(cell));
    } else if (digit) {
      big(given ? 'given' : 'entry', sign(digit));
      label.push(given ? t('given', sign(digit)) : sign(digit));
    } else if (showSolution) {
      layer.text.append(s('text.ghost.onscreen', { x: x + 50, y: y + 71 }, sign(solution[cell])));
      label.push(t('lGhost') + ' ' + sign(solution[cell]));
    } else {
      const list = candidates[cell] ?? [];
      for (const candidate of list) {
        const [cx, cy] = g.spot(cell, candidate), name = key([cell, candidate]);
        const cls = shown.gone.has(name) ? '.gone' : shown.on.has(name) || shown.white.has(name) ? '.node-on' : shown.off.has(name) || shown.lit.has(name) || shown.ring.has(name) || shown.place.has(name) ? '.lit' : hyp.has(name) ? '.hypgone' : '';
        const text = s('text.cand' + cls, { x: cx, y: cy + 8.5 * g.unit }, sign(candidate));
        if (g.unit < 0.95) text.setAttribute('font-size', 24.5 * g.unit);
        layer.text.append(text);
        if (hyp.has(name)) layer.over.append(s('line.hypslash.onscreen', { x1: cx - 9, x2: cx + 9, y1: cy, y2: cy }));
      }
      label.push(list.length ? t('candidates', list.map(sign).join(' ')) : t('empty'));
    }
    if (isOwn() && desk.state?.clashes.some((pair) => pair.includes(cell))) label.push(t('clash'));
    if (isOwn() && desk.wrong.includes(cell)) label.push(t('wrongCell'));
    if (bad.includes(cell)) label.push(t('lBad'));
    return label.join(', ');
  });
}

/** The names of a rule's variables on the cells that they stand for. */
function tags({ step, tagged }, g, layer, rect) {
  if (!tagged) return;
  const named = new Map();
  for (const { name, cell } of step.variables) if (cell != null) named.set(cell, [...(named.get(cell) ?? []), name]);
  for (const [cell, names] of named) {
    const [x, y] = g.corner(cell), text = names.join(' '), wide = 14 + 14 * text.length;
    layer.over.append(s('g.tag.onscreen', {}, rect('pill', x + 50 - wide / 2, y + 70, wide, 26, 6), s('text', { x: x + 50, y: y + 90.5 }, text)));
  }
}

function definitions() {
  const marker = (id, size, kid) => s('marker', { id, viewBox: '0 0 10 10', refX: 7, refY: 5, markerWidth: size, markerHeight: size, orient: 'auto', markerUnits: 'strokeWidth' }, kid);
  const hatch = (id, turn) => s('pattern', { id, width: 12, height: 12, patternUnits: 'userSpaceOnUse', patternTransform: `rotate(${turn})` }, s('line.' + id + 'line', { x1: 0, y1: 0, x2: 0, y2: 12 }));
  return s('defs', {}, marker('head-strong', 4.4, s('path.head-strong', { d: 'M0 0L10 5L0 10z' })), marker('head-weak', 6.5, s('path.head-weak', { d: 'M1 1L8 5L1 9' })), hatch('hatchred', -45), hatch('hatch', 45));
}

/** What takes clicks and keys, and what screen readers read. */
function hits(g, labels) {
  const rows = [];
  for (let row = 0; row < g.size; row++) {
    const cells = labels.slice(row * g.size, (row + 1) * g.size).map((label, column) => {
      const cell = row * g.size + column, x = column * CELL, y = row * CELL;
      return s('g.cell', { role: 'gridcell', tabindex: cell === desk.selected ? 0 : -1, 'aria-label': label, 'aria-selected': cell === desk.selected, 'data-cell': cell },
        s('rect.hit', { x, y, width: CELL, height: CELL }), s('rect.ring', { x: x - 4, y: y - 4, width: 108, height: 108, rx: 8 }));
    });
    rows.push(s('g', { role: 'row' }, cells));
  }
  return s('g', { role: 'grid', 'aria-label': t('boardLabel') }, rows);
}

/* ---------- keys and clicks ---------- */

export function select(cell, focus = true) {
  desk.selected = cell;
  if (desk.view && !desk.view.sticky) desk.view = null;
  paint();
  if (focus) $(`[data-cell="${cell}"]`)?.focus();
  document.dispatchEvent(new CustomEvent('selected'));
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function digitOf(event) {
  const code = event.code.match(/^(?:Digit|Numpad)(\d)$/);
  if (code && (event.shiftKey || /^\d$/.test(event.key))) return +code[1];
  if (/^\d$/.test(event.key)) return +event.key;
  const letter = /^[a-zA-Z]$/.test(event.key) ? event.key.toUpperCase().charCodeAt(0) - 55 : 0;
  return letter <= desk.board.size ? letter : 0;
}

function onKey(event) {
  const cell = Number(event.target.dataset?.cell ?? NaN);
  if (Number.isNaN(cell) || event.ctrlKey || event.metaKey || event.altKey) return;
  const { size } = desk.board, move = MOVES[event.key];
  if (move) {
    event.preventDefault();
    const row = (Math.floor(cell / size) + move[0] + size) % size, column = ((cell % size) + move[1] + size) % size;
    return select(row * size + column);
  }
  if (!isOwn()) return;
  if (event.key === 'Backspace' || event.key === 'Delete' || event.key === '0') {
    event.preventDefault();
    return erase();
  }
  const digit = digitOf(event);
  if (digit) {
    event.preventDefault();
    event.stopPropagation();
    press(digit, event.shiftKey ? !desk.pencil : desk.pencil);
  }
}

/** Draws the board anew, and keeps the focus where it was. */
export function paint() {
  const holder = $('#board-start'), had = holder.contains(document.activeElement);
  const svg = draw(scene());
  svg.addEventListener('keydown', onKey);
  svg.addEventListener('click', (event) => {
    const hit = event.target.closest('[data-cell]');
    if (hit) select(Number(hit.dataset.cell));
  });
  holder.replaceChildren(svg);
  if (had) $(`[data-cell="${desk.selected}"]`)?.focus();
  $('#under').replaceChildren(under());
  $('#undo').disabled = !canUndo();
  $('#redo').disabled = !canRedo();
}

/* ---------- under the board: digits to press, or what the marks mean ---------- */

const LEGEND = {
  lStart: () => s('rect.hstart.thin4', { x: 9, y: 3, width: 28, height: 28, rx: 4 }),
  lEnd: () => s('rect.hend.thin4', { x: 9, y: 3, width: 28, height: 28, rx: 4 }),
  lPattern: () => s('rect.pattern', { x: 9, y: 3, width: 28, height: 28, rx: 4 }),
  lRing: () => s('circle.m-ring', { cx: 23, cy: 17, r: 12 }),
  lOut: () => [s('circle.m-out', { cx: 23, cy: 17, r: 13 }), s('line.slash', { x1: 16, y1: 30, x2: 30, y2: 4 })],
  lPlace: () => s('rect.m-place', { x: 10, y: 4, width: 26, height: 26, rx: 4 }),
  lOff: () => s('rect.m-off', { x: 12, y: 6, width: 22, height: 22, rx: 3 }),
  lOn: () => s('circle.m-on', { cx: 23, cy: 17, r: 13 }),
  lStrong: () => [s('line.strong', { x1: 2, x2: 36, y1: 17, y2: 17 }), s('path.head-strong', { d: 'M32 9l13 8-13 8z' })],
  lWeak: () => [s('line.weak', { x1: 2, x2: 38, y1: 17, y2: 17 }), s('path.head-weak.thick2', { d: 'M34 9l9 8-9 8' })],
  lEffect: () => s('line.effect', { x1: 3, x2: 43, y1: 17, y2: 17 }),
  lGroup: () => s('rect.capsule', { x: 5, y: 9, width: 36, height: 16, rx: 8 }),
  lTogether: () => s('line.together', { x1: 4, x2: 42, y1: 17, y2: 17 }),
  lFin: () => SHAPES.fin(23, 17, 0.85),
  lBlue: () => SHAPES.blue(23, 17, 0.9),
  lGreen: () => SHAPES.green(23, 17, 0.9),
  lOrange: () => SHAPES.orange(23, 17, 0.9),
  lViolet: () => SHAPES.violet(23, 17, 0.9),
  lCovered: () => s('circle.m-ring.covered', { cx: 23, cy: 17, r: 12 }),
  lPivot: () => [s('rect.pattern.pivot', { x: 9, y: 3, width: 28, height: 28, rx: 4 }), s('rect.inner', { x: 14, y: 8, width: 18, height: 18, rx: 3 })],
  lPincer: () => s('rect.pattern.pincer', { x: 9, y: 3, width: 28, height: 28, rx: 4 }),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => ['lSet' + n, () => s(`rect.pattern.set${n}`, { x: 9, y: 3, width: 28, height: 28, rx: 4 })])),
  lAnswer: () => s('path.answer', { d: 'M8 5h28v26z' }),
  lRoot: () => s('rect.root.thin4', { x: 9, y: 3, width: 28, height: 28, rx: 5 }),
  lHyp: () => [s('rect.hypcell', { x: 8, y: 2, width: 30, height: 30 }), s('rect.hypframe', { x: 9, y: 3, width: 28, height: 28, rx: 5 })],
  lBad: () => [s('rect.badcell.thin4', { x: 9, y: 3, width: 28, height: 28, rx: 4 }), s('path.cross.thin4', { d: 'M17 11l12 12M29 11l-12 12' })],
  lTag: () => s('g.tag', {}, s('rect.pill', { x: 9, y: 4, width: 28, height: 26, rx: 6 }), s('text', { x: 23, y: 24 }, 'A')),
  lGhost: () => s('text.ghost.smaller', { x: 23, y: 31 }, '1'),
};

function legend(keys) {
  return h('ul.legend', { 'aria-label': t('legend') }, keys.map((name) => h('li', {}, s('svg.board', { viewBox: '0 0 46 34', 'aria-hidden': 'true' }, LEGEND[name]()), t(name))));
}

function under() {
  const { view } = desk;
  if (isOwn()) return pad();
  const marks = view.step?.marks, keys = [];
  if (view.suppose) keys.push('lRoot', 'lHyp', ...(view.bad?.length ? ['lBad'] : []));
  if (marks) {
    if (marks.houses.some((house) => house.starts)) keys.push('lStart');
    if (marks.houses.some((house) => !house.starts)) keys.push('lEnd');
    const names = new Set([...marks.painted.map(([, , name]) => name), ...marks.framed.map(([, name]) => name)]);
    const drawn = (line) => marks.links.some((link) => link.line === line);
    const framed = new Set(marks.framed.map(([cell]) => cell));
    if (marks.cells.some((cell) => !framed.has(cell))) keys.push('lPattern');
    if (marks.rings.length || names.has('base')) keys.push('lRing');
    for (const [name, sign] of Object.entries({ cover: 'lCovered', fin: 'lFin', blue: 'lBlue', green: 'lGreen', orange: 'lOrange', violet: 'lViolet', off: 'lOff', on: 'lOn', pivot: 'lPivot', pincer: 'lPincer' })) if (names.has(name)) keys.push(sign);
    for (let n = 1; n <= 6; n++) if (names.has('set' + n)) keys.push('lSet' + n);
    if (drawn('strong')) keys.push('lStrong');
    if (drawn('weak')) keys.push('lWeak');
    if (drawn('group')) keys.push('lTogether');
    if (marks.links.some((link) => link.groups)) keys.push('lGroup');
    if (marks.out.length && takesAway(marks.links)) keys.push('lEffect');
    if (marks.out.length) keys.push('lOut');
    if (marks.place.length) keys.push('lPlace');
  }
  if (view.tagged) keys.push('lTag');
  if (view.wrongCell != null) keys.push('lGhost');
  if (view.answers?.length) keys.push('lAnswer');
  return legend(keys);
}

function pad() {
  const { size } = desk.board, numbers = Array.from({ length: size }, (_, i) => i + 1);
  const count = (digit) => size - desk.board.givens.filter((given, cell) => (given || desk.board.entries[cell]) === digit).length;
  return h('div.pad' + (size > 9 ? '.wide' : size < 9 ? '.small' : ''), { role: 'group', 'aria-label': t('digits') },
    numbers.map((digit) => {
      const left = Math.max(0, count(digit));
      return h('button' + (left ? '' : '.done'), { type: 'button', onclick: () => press(digit) }, sign(digit), ' ', h('small', {}, left, h('span.sr', {}, ' ' + t('left'))));
    }),
    h('button.word', { type: 'button', 'aria-label': t('erase'), onclick: erase }, icon('erase')),
    h('button.word.mk', { type: 'button', id: 'pencil', 'aria-pressed': String(desk.pencil), onclick: () => { desk.pencil = !desk.pencil; paint(); } }, icon('pencil'), t('marks')));
}

/** A picture of what is on the board, with its colours in it. */
export function picture() {
  const svg = draw(scene(), false), size = desk.board.size * CELL + 38;
  const holder = h('div.offscreen', {}, svg);
  $('#board-start').append(holder);
  const KEPT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-size', 'font-weight', 'font-style', 'font-family', 'text-anchor', 'paint-order'];
  for (const element of svg.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
  }
  for (const element of [svg, ...svg.querySelectorAll('[class]')]) element.removeAttribute('class');
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('width', size);
  svg.setAttribute('height', size);
  const text = new XMLSerializer().serializeToString(svg);
  holder.remove();
  return { text, size };
}

