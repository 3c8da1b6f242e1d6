// Deduces puzzles in node, without the program:
//
//     rustup target add wasm32-unknown-unknown
//     cargo build --profile web --target wasm32-unknown-unknown -p dokulog-web
//     node examples/web/run.mjs                  2,000 generated puzzles
//     node examples/web/run.mjs puzzles.txt      a file's, one line a puzzle
//
// Lines go to standard output, a summary to standard error. Every line is checked: the clues are
// kept, no digit stands twice in a house, and a puzzle called solved is full.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const COUNT = 2000;
const folder = fileURLToPath(new URL(".", import.meta.url));
const module = process.env.DOKULOG_WASM
  ?? `${folder}../../target/wasm32-unknown-unknown/web/dokulog_web.wasm`;

function fail(message) {
  console.error(`run.mjs: ${message}`);
  process.exit(1);
}

if (!existsSync(module)) fail(`${module} is not there: build it first (see the head of this file)`);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { memory, room, deduce, answer_at, generate } = instance.exports;

const read = (length) => new TextDecoder().decode(new Uint8Array(memory.buffer, answer_at(), length));

const file = process.argv[2];
const text = file ? readFileSync(file, "utf8") : read(generate(1, COUNT));
const bytes = new TextEncoder().encode(text);
// The room may move when memory grows, so it is asked for last.
const at = room(bytes.length);
new Uint8Array(memory.buffer).set(bytes, at);
const begin = process.hrtime.bigint();
const answers = read(deduce()).trimEnd().split("\n");
const took = Number(process.hrtime.bigint() - begin) / 1e6;

const houses = [];
for (let i = 0; i < 9; i++) {
  const nine = [...Array(9).keys()];
  houses.push(nine.map((j) => 9 * i + j), nine.map((j) => 9 * j + i));
  houses.push(nine.map((j) => 9 * (3 * Math.floor(i / 3) + Math.floor(j / 3)) + 3 * (i % 3) + (j % 3)));
}
const puzzles = text.trimEnd().split("\n").map((line) => line.slice(0, 81));
if (answers.length !== puzzles.length) fail(`${puzzles.length} puzzles, ${answers.length} answers`);
let solved = 0;
answers.forEach((answer, i) => {
  const [grid, outcome] = answer.split(" ");
  const wrong = (what) => fail(`puzzle ${i + 1}: ${what}: ${puzzles[i]} → ${answer}`);
  if (grid.length !== 81 || !["solved", "stuck"].includes(outcome)) wrong("no answer");
  if ([...puzzles[i]].some((sign, cell) => /[1-9]/.test(sign) && sign !== grid[cell])) wrong("a clue is gone");
  for (const house of houses) {
    const digits = house.map((cell) => grid[cell]).filter((sign) => sign !== ".");
    if (new Set(digits).size !== digits.length) wrong("a digit stands twice");
  }
  if ((outcome === "solved") === grid.includes(".")) wrong("the outcome is not that of the grid");
  solved += outcome === "solved" ? 1 : 0;
});
console.log(answers.join("\n"));
console.error(`${answers.length} puzzles deduced in ${took.toFixed(0)} ms, ${solved} of them solved`);
