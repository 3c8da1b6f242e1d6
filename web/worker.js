// The engine as WebAssembly: requests in, answers out, one after the other. The first message is the
// compiled engine itself.
'use strict';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let compiled = null;
let running = null;

function answerTo(body) {
  running ??= new WebAssembly.Instance(compiled, {}).exports;
  const { memory, room, answer, answer_at } = running;
  const request = encoder.encode(body);
  // The room may move when memory grows, so it is asked for last.
  const at = room(request.length);
  new Uint8Array(memory.buffer).set(request, at);
  const length = answer();
  return decoder.decode(new Uint8Array(memory.buffer, answer_at(), length));
}

onmessage = ({ data: { engine, number, body } }) => {
  if (engine) {
    compiled = engine;
    return;
  }
  try {
    postMessage({ number, text: answerTo(body) });
  } catch (error) {
    // Memory after a fault is not to be trusted: the next request starts anew.
    running = null;
    postMessage({ number, fault: 'the engine could not answer: ' + error.message });
  }
};
