// Throws random and mutated JSON at every decoder: none may throw, hang or keep memory.
// `node --conditions=@recourse/source scripts/fuzz-decoders.ts [count] [seed]`
import { globSync, readFileSync } from "node:fs";
import * as dialects from "@recourse/faults/dialects";

const count = Number(process.argv[2] ?? 1_000_000);
let state = Number(process.argv[3] ?? 1);

/** A small generator, so that a failing run can be repeated from its seed. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;

const WIRES = globSync("conformance/*/*.json")
  .filter((name) => !name.includes("facts"))
  .flatMap((name) => (JSON.parse(readFileSync(name, "utf8")) as { cases: { wire: unknown }[] }).cases)
  .map(({ wire }) => wire);
const TEXTS = [
  "",
  "error",
  "rate limit",
  "{",
  "[1",
  "\u0000\ud800",
  "a".repeat(5_000),
  "-32602",
  "__proto__",
  "2026-01-01",
];
const NUMBERS = [0, -0, 1, -1, 401, 503, -32602, -32001, 2001, 1.5, 1e308, -1e308, 2 ** 53];
const KEYS = [...new Set(WIRES.flatMap(keysOf))];

function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysOf(member)]);
}

function anything(depth: number): unknown {
  const form = random(depth > 0 ? 8 : 5);
  if (form === 0) return null;
  if (form === 1) return random(2) === 0;
  if (form === 2) return pick(NUMBERS);
  if (form <= 4) return random(3) === 0 ? pick(KEYS) : pick(TEXTS);
  if (form === 5) return Array.from({ length: random(5) }, () => anything(depth - 1));
  return Object.fromEntries(Array.from({ length: random(6) }, () => [pick(KEYS), anything(depth - 1)]));
}

/** A real wire with a few members replaced, removed or moved. */
function mutated(value: unknown): unknown {
  if (random(12) === 0) return anything(3);
  if (Array.isArray(value)) return value.map(mutated);
  if (typeof value !== "object" || value === null) return random(8) === 0 ? anything(1) : value;
  const entries = Object.entries(value).filter(() => random(20) !== 0);
  if (random(10) === 0) entries.push([pick(KEYS), anything(2)]);
  return Object.fromEntries(entries.map(([key, member]) => [random(25) === 0 ? pick(KEYS) : key, mutated(member)]));
}

const decoders = Object.entries(dialects).map(([name, dialect]) => ({
  name,
  decode: (wire: unknown) => ("decode" in dialect ? dialect.decode(wire) : dialect(wire)),
  faults: 0,
  slowest: 0,
}));
const before = process.memoryUsage().heapUsed;
const start = performance.now();
for (let run = 0; run < count; run++) {
  const wire = random(2) === 0 ? anything(5) : mutated(pick(WIRES));
  for (const decoder of decoders) {
    const from = performance.now();
    try {
      if (decoder.decode(wire) !== undefined) decoder.faults += 1;
    } catch (thrown) {
      console.error(`${decoder.name} threw ${String(thrown)} on ${JSON.stringify(wire)}`);
      process.exit(1);
    }
    decoder.slowest = Math.max(decoder.slowest, performance.now() - from);
  }
}
for (const { name, faults, slowest } of decoders) {
  console.log(`${name.padEnd(9)} ${faults} faults of ${count} values, slowest ${slowest.toFixed(1)} ms`);
}
globalThis.gc?.();
const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
console.log(
  `${count} values in ${((performance.now() - start) / 1000).toFixed(1)} s, heap grew by ${grown.toFixed(1)} MiB`,
);
