import type { Random } from "./random.ts";

const TEXTS = [
  "",
  "x",
  "__proto__",
  "constructor",
  "\u0000",
  "\ud800",
  "2.0",
  "tools/call",
  "up__echo",
  "a".repeat(3_000),
];
const NUMBERS = [0, -1, 1.5, 1e308, 2 ** 53, -32_600, -32_602, 401];
const KEYS = [
  "id",
  "jsonrpc",
  "method",
  "params",
  "result",
  "error",
  "code",
  "message",
  "data",
  "content",
  "isError",
  "structuredContent",
  "resultType",
  "_meta",
  "recourse/fault",
  "recourse/call",
  "name",
  "arguments",
  "__proto__",
  "tools",
  "type",
  "text",
];

/** Any JSON. */
function anyJson(random: Random, depth: number): unknown {
  switch (random.below(depth > 0 ? 7 : 5)) {
    case 0:
      return null;
    case 1:
      return random.once(2);
    case 2:
      return random.pick(NUMBERS);
    case 3:
    case 4:
      return random.pick(random.once(3) ? KEYS : TEXTS);
    case 5:
      return Array.from({ length: random.below(4) }, () => anyJson(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, () => [random.pick(KEYS), anyJson(random, depth - 1)]),
      );
  }
}

/** A value with a few members replaced, removed, renamed or added. */
export function mutateJson(random: Random, value: unknown): unknown {
  if (random.once(25)) return anyJson(random, 3);
  if (Array.isArray(value)) return value.map((one) => mutateJson(random, one));
  if (typeof value !== "object" || value === null) return random.once(20) ? anyJson(random, 1) : value;
  const entries = Object.entries(value).filter(() => !random.once(30));
  if (random.once(12)) entries.push([random.pick(KEYS), anyJson(random, 2)]);
  return Object.fromEntries(
    entries.map(([key, member]) => [random.once(40) ? random.pick(KEYS) : key, mutateJson(random, member)]),
  );
}

type ByteChange = (random: Random, bytes: Buffer) => Buffer;

const splice = (bytes: Buffer, from: number, to: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)]);
const CHANGES: readonly ByteChange[] = [
  (random, bytes) => bytes.subarray(0, random.below(bytes.length + 1)),
  (random, bytes) => {
    const at = random.below(bytes.length);
    return splice(bytes, at, at + 1, Buffer.of(random.below(256)));
  },
  (random, bytes) => {
    const [from, length] = [random.below(bytes.length), random.below(40)];
    return splice(bytes, from, from + length, Buffer.alloc(0));
  },
  (random, bytes) => {
    const [from, at] = [random.below(bytes.length), random.below(bytes.length)];
    return splice(bytes, at, at, bytes.subarray(from, from + random.below(60)));
  },
  (random, bytes) => {
    const at = random.below(bytes.length);
    return splice(
      bytes,
      at,
      at,
      Buffer.from(random.pick(["\u0000", '"', "{", "}", "[", ",", "\\u00", "\n\n", "data: ", "\ufeff"])),
    );
  },
  (random, bytes) => splice(bytes, 0, 0, Buffer.from("[".repeat(random.below(2_000)))),
];

/** Bytes with a few changes, or none. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  let changed = bytes;
  for (let left = random.below(3); left > 0 && changed.length > 0; left--)
    changed = random.pick(CHANGES)(random, changed);
  return changed;
}
