import fc from "fast-check";
import { AUTHORS, BACKOFFS, BASES, LAYERS, RULES, STOPS } from "../src/fault/fault.ts";
import { EFFECTS, KINDS, type Kind, MOVES } from "../src/fault/kinds.ts";
import type { AnyReason, Details, Fault, Issue, Limit, Recourse, Rest } from "../src/index.ts";
import * as faults from "../src/index.ts";

/** A reason of the library, called with anything. */
export type LooseReason = AnyReason & { fault(params?: unknown, rest?: Rest): Fault };

const { adapter, auth, completion, content, core, elicitation, idempotency, notification, pagination } = faults;
const { progress, prompt, protocol, resource, rest, sampling, task, tool, transport } = faults;
const MODULES = [
  ...[adapter, auth, completion, content, core, elicitation, idempotency, notification, pagination],
  ...[progress, prompt, protocol, resource, rest, sampling, task, tool, transport],
];

/** Every reason of the library. */
export const REASONS: readonly LooseReason[] = MODULES.flatMap(
  (module) => Object.values(module) as unknown as LooseReason[],
);

const kind = fc.constantFrom(...(Object.keys(KINDS) as Kind[]));
const effect = fc.constantFrom(...EFFECTS);
const move = fc.constantFrom(...MOVES);

const WORDS = [
  "limit",
  "user",
  "the order 7",
  "n/a",
  "list_users",
  "naïve café",
  "日本語",
  "👩‍👩‍👧 family",
  'say "no"',
];

/** Text of every sort: words, unicode, lone surrogates, controls, invisible characters, long ones. */
export const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: fc.constantFrom("\u0000", "\n", "\u200b", "\u202e", "\ud83d", "\ude00", "a", " ", "«", '"', "~") }),
  fc
    .tuple(fc.constantFrom("word ", "x", "é", "😀", "日 "), fc.integer({ min: 1, max: 700 }))
    .map(([unit, times]) => unit.repeat(times)),
);

/** A list that is mostly short and sometimes longer than any limit. */
function few<T>(item: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  const short = fc.array(item, { maxLength: 2 });
  return fc.oneof(
    { weight: 15, arbitrary: short },
    { weight: 1, arbitrary: fc.array(item, { maxLength: most, size: "max" }) },
  );
}

const count = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -0, 1, 0.5, 999, 1000, 60_000, 86_400_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY),
  fc.double(),
);
const pointer = fc.oneof(
  fc
    .array(fc.constantFrom("a", "items", "0", "größe", "a".repeat(64)), { maxLength: 8 })
    .map((path) => path.map((key) => `/${key}`).join("")),
  text,
  text.map((key) => `/${key}`),
);

/** An object with any of these members, never with one that is undefined. */
function some<T extends object>(
  members: { [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> },
  ...needed: (keyof T)[]
) {
  return fc.record(members, { requiredKeys: needed as never, noNullPrototype: true }) as unknown as fc.Arbitrary<T>;
}

const issue = some<Issue>(
  { pointer, rule: fc.constantFrom(...RULES), expected: text, suggestion: text },
  "pointer",
  "rule",
);
const limit = some<Limit>({
  policy: text,
  unit: text,
  quota: count,
  remaining: count,
  windowMs: count,
  resetMs: count,
  scope: text,
});
const recourse = some<Recourse>(
  {
    do: move,
    afterMs: count,
    fields: few(pointer, 12),
    candidates: few(text, 12),
    tool: text,
    approval: text,
    link: fc.oneof(text, fc.constant("/approvals/1")),
  },
  "do",
);

/** Everything that may go along with a reason. */
const details: fc.Arbitrary<Details> = some<Details>({
  effect,
  repeatable: fc.boolean(),
  retry: some<NonNullable<Details["retry"]>>(
    {
      allowed: fc.boolean(),
      afterMs: count,
      maxAttempts: count,
      backoff: fc.constantFrom(...BACKOFFS),
      jitter: fc.double(),
    },
    "allowed",
  ),
  afterMs: count,
  issues: few(issue, 22),
  limits: few(limit, 6),
  recourse: fc.array(recourse, { maxLength: 4 }),
  quote: some<NonNullable<Details["quote"]>>({ text, from: fc.constantFrom(...AUTHORS) }, "text", "from"),
  origin: some<NonNullable<Details["origin"]>>({ layer: fc.constantFrom(...LAYERS), name: text }, "layer"),
  basis: fc.constantFrom(...BASES),
  tried: some<NonNullable<Details["tried"]>>(
    { attempts: count, elapsedMs: count, stopped: fc.constantFrom(...STOPS) },
    "attempts",
    "elapsedMs",
    "stopped",
  ),
});

/** Any JSON value, deep ones too. */
export const json: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 6 }),
  fc.integer({ min: 1, max: 200 }).map((depth) => {
    let value: unknown = 0;
    for (let i = 0; i < depth; i++) value = { cause: [value] };
    return value;
  }),
);

function hostileValues(): unknown[] {
  const trap = () => {
    throw new Error("trap");
  };
  const { proxy: gone, revoke } = Proxy.revocable({}, {});
  const { proxy: goneList, revoke: revokeList } = Proxy.revocable([], {});
  revoke();
  revokeList();
  const circular: Record<string, unknown> = {};
  circular["cause"] = circular;
  const getter = Object.defineProperty({}, "kind", { enumerable: true, get: trap });
  const traps = { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap };
  return [
    ...[gone, goneList, circular, getter, new Proxy({}, traps), new Proxy([], traps), new Proxy(() => 0, traps)],
    ...[Symbol("s"), 1n, () => 0, class Thing {}, new Map([["a", 1]]), new Date(Number.NaN), Object.create(null)],
    ...[
      { toString: trap, valueOf: trap, toJSON: trap },
      Number.NaN,
      -0,
      new Array(5),
      new Error("x", { cause: circular }),
    ],
  ];
}

/** Holds a value that the test library itself may not look at. */
export class Box {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  [fc.toStringMethod](): string {
    return "hostile";
  }
}

const HOSTILE = hostileValues().map((value) => new Box(value));

/** Values that break what looks at them carelessly, each in a box; `unbox` takes them out. */
export const hostile: fc.Arbitrary<Box> = fc.constantFrom(...HOSTILE);

/** A copy of generated data with every boxed value in its place. */
export function unbox(value: unknown): unknown {
  if (value instanceof Box) return value.value;
  if (Array.isArray(value)) return value.map(unbox);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unbox(member)]));
}

const PLANTED = [..."ABCXYZabcxyz0189+/=_-.~!\"'\\&<>%$é日ß "];

/** A secret of one line, with characters that every encoding treats in its own way. */
export const secret = fc
  .string({ unit: fc.constantFrom(...PLANTED), minLength: 12, maxLength: 40 })
  .filter((value) => value.trim() === value && new Set(value).size > 5);

const shaped = (value: string): string => value.replaceAll(/[^A-Za-z0-9]/g, "x");

const BY_SLOT: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  integer: fc.oneof(fc.integer(), fc.constant(-0)),
  number: fc.double(),
  duration: fc.oneof(fc.nat(), fc.constantFrom(-0, 999, 1000, 60_000)),
  boolean: fc.boolean(),
  gtin: fc.constantFrom("04012345678901", "12345678"),
  date: fc.constantFrom("2026-11-15", "2026-11-15T02:00:00Z"),
  pointer: fc.constantFrom("", "/a/0"),
  id: fc.constant("01ARYZ6S41TSV4RRFFQ69G5FAV"),
  method: fc.constantFrom("tools/call", "initialize"),
  media: fc.constantFrom("application/json", "text/plain"),
  uri: fc.oneof(
    fc.constantFrom("file:///a", "https://example.com/x?a=b"),
    text.map((value) => `urn:x:${shaped(value)}`),
  ),
};

/** A value for a slot: most fit, some are anything. */
function valueFor(type: string): fc.Arbitrary<unknown> {
  const fitting = type.startsWith("list of ") ? few(valueFor(type.slice(8)), 12) : (BY_SLOT[type] ?? text);
  return fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: text }, { weight: 1, arbitrary: hostile });
}

/** Values for the slots of a reason, each of which may be missing. */
function paramsFor(reason: AnyReason): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(reason.slots).map(([name, slot]) => [name, valueFor(slot.type)]);
  return fc.record(Object.fromEntries(members), { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<
    Record<string, unknown>
  >;
}

/** A call of a library reason. */
export const call = fc
  .constantFrom(...REASONS)
  .chain((reason) => fc.record({ reason: fc.constant(reason), params: paramsFor(reason), rest: details }));

const adhoc = fc.tuple(kind, fc.array(text, { minLength: 1, maxLength: 4 }), details).map(([name, values, rest]) => {
  const known = name === "unknown" ? "internal" : name;
  const literals = Object.assign(["It was ", ...values.map(() => ", ")], {
    raw: [],
  }) as unknown as TemplateStringsArray;
  return faults.fail[known](rest)(literals, ...values).fault;
});

/** A fault with every stamp. */
export const stamps = fc.record(
  {
    incident: fc.constantFrom("01ARYZ6S41TSV4RRFFQ69G5FAV", "x"),
    at: fc.constantFrom("2026-11-15T02:00:00.000Z", "x"),
    trace: fc.constantFrom("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"),
    docsBase: fc.oneof(fc.constantFrom("https://docs.example.com/reasons/", "/docs", "nowhere"), text),
    recorded: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<faults.Stamps>;

const single = fc.oneof(
  { weight: 4, arbitrary: call.map(({ reason, params, rest: more }) => reason.fault(unbox(params), more)) },
  { weight: 1, arbitrary: adhoc },
);

/** Any fault that the library builds: some stamped, some with causes. */
export const fault: fc.Arbitrary<Fault> = fc
  .tuple(call, few(single, 5), fc.option(stamps, { nil: undefined }), single)
  .map(([{ reason, params, rest: more }, causes, marks, other]) => {
    let cause: Fault | undefined;
    for (const each of causes) cause = Object.freeze({ ...each, ...(cause && { cause }) });
    const built =
      cause === undefined ? other : reason.fault(unbox(params), { ...more, cause: new faults.FaultError(cause) });
    return marks === undefined ? built : faults.stamp(built, marks);
  });
