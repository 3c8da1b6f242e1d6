// The engine as WebAssembly: requests in, answers out, one after the other.
'use strict';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function load() {
  const bytes = self.dokulogBytes ?? await (await fetch('dokulog.wasm')).arrayBuffer();
  return (await WebAssembly.instantiate(bytes, {})).instance.exports;
}

let engine = load();

onmessage = async ({ data: { number, body } }) => {
  try {
    const { memory, room, answer, answer_at } = await engine;
    const request = encoder.encode(body);
    // The room may move when memory grows, so it is asked for last.
    const at = room(request.length);
    new Uint8Array(memory.buffer).set(request, at);
    const length = answer();
    postMessage({ number, text: decoder.decode(new Uint8Array(memory.buffer, answer_at(), length)) });
  } catch (error) {
    // Memory after a fault is not to be trusted: the next request starts anew.
    engine = load();
    postMessage({ number, fault: 'the engine could not answer: ' + error.message });
  }
};
