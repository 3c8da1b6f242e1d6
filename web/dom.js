// Elements from JavaScript. Text goes in as text nodes alone: nothing that a file or a link says
// can become markup.

const SVG = 'http://www.w3.org/2000/svg';

export const $ = (query, inside = document) => inside.querySelector(query);

function put(element, kids) {
  for (const kid of kids.flat(9)) if (kid != null && kid !== false) element.append(kid);
  return element;
}

/** An HTML element: `h('p.soft', { id: 'x', onclick }, 'text', child)`. */
export function h(tag, attributes = {}, ...kids) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  return put(element, kids);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...kids) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElementNS(SVG, name);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes)) if (value != null) element.setAttribute(key, value);
  return put(element, kids);
}

export const icon = (name) => s('svg.ico', { 'aria-hidden': 'true' }, s('use', { href: '#i-' + name }));

/** A button with an icon and words. */
export const button = (kind, words, onclick, image, more = {}) =>
  h('button' + kind, { type: 'button', onclick, ...more }, image && icon(image), words);

/** A button with an icon alone. */
export const iconButton = (kind, label, onclick, image, more = {}) =>
  h('button' + kind + '.icon', { type: 'button', onclick, 'aria-label': label, title: label, ...more }, icon(image));

/** A sentence in which `this` is code. */
export const coded = (text) => text.split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part));

/** Says something at the foot of the page, and to screen readers. */
export function say(text) {
  $('#status-left').textContent = text;
}

/** Calls a function once things have been quiet for so long. */
export function later(milliseconds, work) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** Lets the browser keep a file. */
export function keep(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
