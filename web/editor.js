// A textarea under painted text: undo, selection, input methods and screen readers are the
// browser's own.

import { h, later } from './dom.js';
import { ask } from './engine.js';
import { t } from './words.js';

/** An editor for rule text. `onchange(text)` is called as the text changes. */
export class Editor {
  constructor({ text = '', readonly = false, label, onchange = () => {}, oncaret = () => {} }) {
    this.tokens = [];
    this.diagnostics = [];
    this.onchange = onchange;
    this.pre = h('pre', { 'aria-hidden': 'true' });
    this.area = h('textarea', { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'aria-label': label, readonly, 'aria-describedby': 'findings' });
    this.area.value = text;
    this.gutter = h('div.gutter', { 'aria-hidden': 'true' });
    this.help = h('div.hoverbox', { hidden: true, role: 'status' });
    this.list = h('ul.complete', { hidden: true, role: 'listbox', 'aria-label': t('completions') });
    this.box = h('div.codebox', {}, this.pre, this.area, this.list);
    this.element = h('div.editorwrap', {}, h('div.editor' + (readonly ? '.readonly' : ''), { tabindex: -1 }, this.gutter, this.box), this.help);
    this.area.addEventListener('input', () => this.changed());
    this.area.addEventListener('keydown', (event) => this.key(event));
    this.area.addEventListener('blur', () => setTimeout(() => this.closeList(), 150));
    for (const kind of ['keyup', 'click']) this.area.addEventListener(kind, () => { oncaret(); this.explain(); });
    this.explain = later(250, () => this.hover());
    this.suggest = later(80, () => this.complete());
    this.colour();
    this.paint();
  }

  get text() { return this.area.value; }
  get caret() { return this.area.selectionStart; }

  /** Sets another text; native undo starts anew. */
  set(text) {
    this.area.value = text;
    this.colour();
    this.paint();
  }

  changed() {
    // A remedy is for the text as it was.
    for (const remedy of document.querySelectorAll('.mend')) remedy.disabled = true;
    this.paint();
    this.colour();
    if (!this.area.readOnly) this.suggest();
    this.onchange(this.text);
  }

  /** Replaces a stretch as if it was typed, so that it can be undone. */
  replace(start, end, text) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    if (!document.execCommand('insertText', false, text)) {
      this.area.setRangeText(text, start, end, 'end');
      this.changed();
    }
  }

  async colour() {
    const text = this.text;
    try {
      const { tokens } = await ask('tokens', { text });
      if (text === this.text) {
        this.tokens = tokens;
        this.paint();
      }
    } catch { /* without colours it can still be read */ }
  }

  /** Shows what is wrong where it is. */
  mark(diagnostics) {
    this.diagnostics = diagnostics;
    this.area.setAttribute('aria-invalid', String(diagnostics.some((d) => d.severity === 'error')));
    this.paint();
  }

  paint() {
    const { text } = this, marks = this.diagnostics.map((d) => [d.start, Math.max(d.end, d.start + 1), d.severity === 'error' ? 'squig' : 'warned']);
    const spans = [...this.tokens.map(([a, b, kind]) => [a, b, 'tk-' + kind]), ...marks].filter(([a]) => a < text.length);
    const cuts = [...new Set([0, text.length, ...spans.flatMap(([a, b]) => [a, Math.min(b, text.length)])])].sort((a, b) => a - b);
    const pieces = [];
    let open = 0;
    const sorted = [...spans].sort((a, b) => a[0] - b[0]);
    for (let i = 0; i + 1 < cuts.length; i++) {
      const [a, b] = [cuts[i], cuts[i + 1]];
      while (open < sorted.length && sorted[open][1] <= a) open++;
      const over = [];
      for (let k = open; k < sorted.length && sorted[k][0] <= a; k++) if (sorted[k][1] >= b) over.push(sorted[k][2]);
      const piece = text.slice(a, b);
      pieces.push(over.length ? h('span', { class: over.join(' ') }, piece) : piece);
    }
    this.pre.replaceChildren(...pieces, '\n');
    const bad = new Set(this.diagnostics.filter((d) => d.severity === 'error').map((d) => d.line));
    this.gutter.replaceChildren(...text.split('\n').map((_, i) => h('div' + (bad.has(i + 1) ? '.bad' : ''), {}, i + 1)));
  }

  async hover() {
    if (document.activeElement !== this.area || this.area.selectionStart !== this.area.selectionEnd) return;
    const { usage, summary } = await ask('hover', { text: this.text, offset: this.caret }).catch(() => ({}));
    this.help.hidden = !usage;
    if (usage) this.help.replaceChildren(h('code', {}, usage), ' ', summary);
  }

  async complete() {
    const text = this.text, offset = this.caret;
    const found = await ask('completion', { text, offset }).catch(() => null);
    if (!found || text !== this.text || document.activeElement !== this.area) return;
    this.choices = found;
    this.choice = 0;
    this.list.hidden = !found.items.length;
    this.list.replaceChildren(...found.items.map((item, i) => h('li', { role: 'option', 'aria-selected': String(i === 0), onmousedown: (event) => { event.preventDefault(); this.take(i); } }, h('code', {}, item.usage), item.summary && h('span', {}, item.summary))));
    const before = text.slice(0, found.start), line = before.split('\n').length, column = before.length - before.lastIndexOf('\n') - 1;
    this.list.style.setProperty('--line', line);
    this.list.style.setProperty('--column', column);
  }

  closeList() {
    this.list.hidden = true;
  }

  take(index) {
    const { start, end, items } = this.choices;
    this.closeList();
    this.replace(start, end, items[index].name);
    this.closeList();
  }

  key(event) {
    if (!this.list.hidden) {
      const count = this.choices.items.length;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        this.choice = (this.choice + (event.key === 'ArrowDown' ? 1 : count - 1)) % count;
        [...this.list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === this.choice)));
        return;
      }
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault();
        return this.take(this.choice);
      }
      if (event.key === 'Escape') {
        event.preventDefault();
        return this.closeList();
      }
    }
    // Tab leaves the editor, as everywhere; Enter keeps the indentation.
    if (event.key === 'Enter' && !this.area.readOnly) {
      const before = this.text.slice(0, this.caret), line = before.slice(before.lastIndexOf('\n') + 1);
      const indent = line.match(/^ */)[0] + (line.trimEnd().endsWith('{') || line.trimEnd().endsWith(':-') ? '    ' : '');
      event.preventDefault();
      this.replace(this.caret, this.area.selectionEnd, '\n' + indent);
    }
  }
}
