// Encoding and decoding of a typical fault per dialect, against JSON.stringify and JSON.parse of the same wire, in one
// interleaved run on the built package: `npm run bench -- dialects`.
import type { Fault } from "@recourse/core";
import { DIALECTS as BY_NAME, type Dialect } from "@recourse/core/dialects";
import { core } from "@recourse/core/reasons";
import { interleave, type Task } from "./interleave.ts";

const DIALECTS: readonly Dialect<unknown>[] = Object.values(BY_NAME);

const typical: Fault = core.rate_limited(
  { limit: 100, windowMs: 60_000 },
  { retry: { allowed: true, afterMs: 30_000 }, limits: [{ quota: 100, remaining: 0, windowMs: 60_000 }] },
).fault;

const tasks: Task[] = DIALECTS.flatMap((dialect) => {
  const wire = dialect.encode(typical);
  const text = JSON.stringify(wire);
  const parsed: unknown = JSON.parse(text);
  return [
    { name: `${dialect.name} encode`, run: () => dialect.encode(typical) },
    { name: `${dialect.name} stringify`, run: () => JSON.stringify(wire) },
    { name: `${dialect.name} decode`, run: () => dialect.decode(parsed) },
    { name: `${dialect.name} parse`, run: () => JSON.parse(text) },
  ];
});
const ns = interleave(tasks);

console.log("dialect    encode  stringify  ratio    decode      parse  ratio   (µs)");
for (const { name } of DIALECTS) {
  const [encode, stringify, decode, parse] = ["encode", "stringify", "decode", "parse"].map(
    (what) => (ns.get(`${name} ${what}`) ?? 0) / 1_000,
  ) as [number, number, number, number];
  const cells = [encode, stringify, encode / stringify, decode, parse, decode / parse].map((n) => n.toFixed(2));
  console.log(`${name.padEnd(9)} ${cells.map((cell) => cell.padStart(8)).join(" ")}`);
}
