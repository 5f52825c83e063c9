// Feeds random and mutated JSON to every decoder. No decoder may throw, hang or keep memory.
// Usage: npm run fuzz -- decoders [count] [seed]
import { globSync, readFileSync } from "node:fs";
import * as dialects from "@recourse/core/dialects";

const count = Number(process.argv[2] ?? 1_000_000);
let state = Number(process.argv[3] ?? 1);

/** A seeded generator, so that a failing run can be repeated. */
function randomBelow(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const pick = <T>(from: readonly T[]): T => from[randomBelow(from.length)] as T;

const WIRE_SAMPLES = globSync("conformance/*/*.json")
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
const KEYS = [...new Set(WIRE_SAMPLES.flatMap(keysOf))];

function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysOf(member)]);
}

function randomJson(depth: number): unknown {
  const form = randomBelow(depth > 0 ? 8 : 5);
  if (form === 0) return null;
  if (form === 1) return randomBelow(2) === 0;
  if (form === 2) return pick(NUMBERS);
  if (form <= 4) return randomBelow(3) === 0 ? pick(KEYS) : pick(TEXTS);
  if (form === 5) return Array.from({ length: randomBelow(5) }, () => randomJson(depth - 1));
  return Object.fromEntries(Array.from({ length: randomBelow(6) }, () => [pick(KEYS), randomJson(depth - 1)]));
}

/** A real message with a few members replaced, removed or renamed. */
function mutate(value: unknown): unknown {
  if (randomBelow(12) === 0) return randomJson(3);
  if (Array.isArray(value)) return value.map(mutate);
  if (typeof value !== "object" || value === null) return randomBelow(8) === 0 ? randomJson(1) : value;
  const entries = Object.entries(value).filter(() => randomBelow(20) !== 0);
  if (randomBelow(10) === 0) entries.push([pick(KEYS), randomJson(2)]);
  return Object.fromEntries(entries.map(([key, member]) => [randomBelow(25) === 0 ? pick(KEYS) : key, mutate(member)]));
}

const readers: readonly (readonly [name: string, decode: (wire: unknown) => unknown])[] = [
  ["detect", dialects.detect],
  ...[...Object.values(dialects.DIALECTS), dialects.sdk, dialects.fastmcp, dialects.text].map(
    (one) => [one.name, one.decode] as const,
  ),
];
const decoders = readers.map(([name, decode]) => ({ name, decode, faults: 0, slowest: 0 }));
const heapBefore = process.memoryUsage().heapUsed;
const start = performance.now();
for (let run = 0; run < count; run++) {
  const wire = randomBelow(2) === 0 ? randomJson(5) : mutate(pick(WIRE_SAMPLES));
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
const grown = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
console.log(
  `${count} values in ${((performance.now() - start) / 1000).toFixed(1)} s, heap grew by ${grown.toFixed(1)} MiB`,
);
