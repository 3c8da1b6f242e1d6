// Who answers: the server that sent this page, or WebAssembly in a worker.
// `tests/studio/requests` has an example of each request.

const VERSION = 1;
/** As much as the server takes; more is refused before it is sent. */
const LIMIT = 1 << 20;
export const TOO_MUCH = 'more than 1 MiB is too much for the page';

const byServer = () => document.documentElement.dataset.engine === 'server';

/** What an engine says in place of an answer. */
export class Refusal extends Error {}

function unpack(text) {
  const answer = JSON.parse(text);
  if (answer.error) throw new Refusal(answer.error);
  return answer;
}

async function askServer(body, signal) {
  const response = await fetch('answer', { method: 'POST', body, signal, headers: { 'content-type': 'application/json' } });
  return unpack(await response.text());
}

const got = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Refusal(`${name} is not there`);
  return response;
};

/** The worker's text and the compiled engine: fetched once, so that all goes on without a network. */
let parts = null;
async function fetchParts() {
  const { worker, bytes } = globalThis.dokulogParts?.() ?? { worker: await (await got('worker.js')).text(), bytes: await (await got('dokulog.wasm')).arrayBuffer() };
  return { address: URL.createObjectURL(new Blob([worker], { type: 'text/javascript' })), engine: await WebAssembly.compile(bytes) };
}

/** A worker with its own copy of the engine; requests are answered one after the other. */
class Helper {
  constructor() {
    this.waiting = new Map();
    this.number = 0;
    parts ??= fetchParts();
    this.ready = parts.then(({ address, engine }) => {
      if (this.isOver) return;
      this.worker = new Worker(address);
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = () => this.end(new Refusal('the engine stopped'));
      this.worker.postMessage({ engine });
    });
  }
  hear({ number, text, fault }) {
    const { resolve, reject } = this.waiting.get(number);
    this.waiting.delete(number);
    if (fault) reject(new Refusal(fault));
    else try { resolve(unpack(text)); } catch (error) { reject(error); }
  }
  async ask(body) {
    await this.ready;
    return new Promise((resolve, reject) => {
      this.waiting.set(++this.number, { resolve, reject });
      if (this.isOver) this.end(new DOMException('stopped', 'AbortError'));
      else this.worker.postMessage({ number: this.number, body });
    });
  }
  end(reason) {
    this.worker?.terminate();
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
    this.isOver = true;
  }
}

let quick = null;
let patient = null;

/** The answer to a request, or a Refusal with a sentence. */
export async function ask(kind, fields = {}) {
  const body = JSON.stringify({ version: VERSION, ask: kind, ...fields });
  if (body.length > LIMIT) throw new Refusal(TOO_MUCH);
  if (byServer()) return askServer(body);
  if (!quick || quick.isOver) quick = new Helper();
  return quick.ask(body);
}

/** The same for what may take long: it runs beside the rest, and the signal ends it. */
export async function askLong(kind, fields, signal) {
  const body = JSON.stringify({ version: VERSION, ask: kind, ...fields });
  if (body.length > LIMIT) throw new Refusal(TOO_MUCH);
  if (byServer()) return askServer(body, signal);
  if (!patient || patient.isOver) patient = new Helper();
  const mine = patient;
  const stop = () => mine.end(new DOMException('stopped', 'AbortError'));
  signal.addEventListener('abort', stop);
  try {
    return await mine.ask(body);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(done));
const WARM = '1....49.......974....1.5...259.....7..7.6...94......2..2....1......562..8..4....3';

/** Has the worker solve a hard puzzle while nobody asks anything, so that the browser has compiled
    what steps take before they are asked for. */
export async function warm() {
  if (byServer()) return;
  const board = { size: 9, givens: [...WARM].map((sign) => Number(sign) || 0) };
  for (const kind of ['hint', 'steps', 'steps']) {
    await idle();
    if (!quick?.waiting.size) await ask(kind, { board, rules: { extended: true } });
  }
}

/** The files named on the command line, if there was one. */
export async function files() {
  if (!byServer()) return [];
  return (await (await fetch('files')).json()).files;
}
