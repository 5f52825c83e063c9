import type { Fault } from "@recourse/faults";
import {
  closient,
  type Dialect,
  type EncodeContext,
  erlmcp,
  http,
  mcp,
  onx,
  platica,
  qaqnuz,
} from "@recourse/faults/dialects";
import { isObject, memberAt, numberAt, REVISIONS } from "@recourse/wire";
import { type Arbitrary, type Combinators, objectWith } from "./fast-check.ts";
import { anyText } from "./text.ts";

/** A failed tool result, in the form in which official clients return it. */
export interface ErrorResult {
  /** Marks the result as a failure. */
  readonly isError: true;
  /** The text for the model. */
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** The failure as data, in dialects that have it. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** Metadata; the key `recourse/fault` holds the whole fault. */
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The `error` of a JSON-RPC message. */
export interface RpcFailure {
  /** The error code. */
  readonly code: number;
  /** The error message. */
  readonly message: string;
  /** The error data, in dialects that have it. */
  readonly data?: unknown;
}

/** An HTTP reply that reports a failure. */
export interface HttpFailure {
  /** The HTTP status. */
  readonly status: number;
  /** The headers; their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A failure on the wire, and the fault that it was encoded from. */
export interface GeneratedFailure<Wire> {
  /** The failure as a client receives it. */
  readonly wire: Wire;
  /** The fault that it was encoded from. */
  readonly fault: Fault;
  /** The name of the dialect that it is written in. */
  readonly dialect: string;
}

/** The result of a tool that succeeded. */
export interface SuccessResult {
  /** The content for the model. */
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** The result as data. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** False or missing: the call succeeded. */
  readonly isError?: false;
}

/** A success on the wire. */
export interface GeneratedSuccess {
  /** The result as a client receives it. */
  readonly wire: SuccessResult;
  /** A success has no fault. */
  readonly fault: undefined;
  /** A success has no dialect. */
  readonly dialect: undefined;
}

/** The end of a call: a success or a failure. */
export type GeneratedOutcome = GeneratedSuccess | GeneratedFailure<ErrorResult | RpcFailure | HttpFailure>;

/** The forms of a failure. */
interface FailureForms {
  readonly result: ErrorResult;
  readonly error: RpcFailure;
  readonly reply: HttpFailure;
}

/** Reads what a dialect encoded as one form of a failure; undefined when it has another form. */
const READ_FORM: { readonly [F in keyof FailureForms]: (encoded: unknown) => FailureForms[F] | undefined } = {
  result: (encoded) => {
    const result = memberAt(encoded, "result");
    return isObject(result) && result["isError"] === true ? (result as unknown as ErrorResult) : undefined;
  },
  error: (encoded) => {
    const error = memberAt(encoded, "error");
    return numberAt(error, "code") === undefined ? undefined : (error as RpcFailure);
  },
  reply: (encoded) => (isObject(memberAt(encoded, "body")) ? (encoded as HttpFailure) : undefined),
};

/** A dialect with one context. */
interface FaultEncoder {
  readonly dialect: string;
  encode(fault: Fault): unknown;
}

function encodersOf<Context extends EncodeContext>(
  dialect: Dialect<unknown, Context>,
  ...contexts: Context[]
): FaultEncoder[] {
  return contexts.map((context) => ({ dialect: dialect.name, encode: (fault) => dialect.encode(fault, context) }));
}

/** Every dialect, with every context in which it can encode a fault. */
const ENCODERS: readonly FaultEncoder[] = [
  ...encodersOf(
    mcp,
    ...REVISIONS.flatMap((revision) => [
      { revision, method: "tools/call" },
      { revision, method: "resources/read" },
    ]),
    { method: "tools/call", outputSchema: false },
  ),
  ...encodersOf(closient, { form: "result" }, { form: "reply", at: "2026-04-26T02:34:56Z" }),
  ...encodersOf(onx, { method: "tools/call" }, { method: "prompts/get" }),
  ...encodersOf(erlmcp, {}, { method: "tools/call", tool: "calculate" }),
  ...encodersOf(qaqnuz, { form: "wire" }),
  ...encodersOf(platica, {}),
  ...encodersOf(http, {}, { docsBase: "https://docs.example.com/errors" }),
];

/** Encodes a fault in one form, with the first encoder from `start` on that has the form. */
function encodeAs<F extends keyof FailureForms>(
  fault: Fault,
  form: F,
  start: number,
): GeneratedFailure<FailureForms[F]> {
  for (const { dialect, encode } of [...ENCODERS.slice(start), ...ENCODERS]) {
    const wire = READ_FORM[form](encode(fault));
    // As it arrives: JSON has fewer values than JavaScript.
    if (wire !== undefined) return { wire: JSON.parse(JSON.stringify(wire)) as FailureForms[F], fault, dialect };
  }
  throw new Error(`no dialect has the form ${form}`);
}

/** A generated fault in one form, in any dialect. */
export function anyFailure<F extends keyof FailureForms>(
  fc: Combinators,
  faults: Arbitrary<Fault>,
  form: F,
): Arbitrary<GeneratedFailure<FailureForms[F]>> {
  const start = fc.integer({ min: 0, max: ENCODERS.length - 1 });
  return fc.tuple<[Fault, number]>(faults, start).map(([fault, at]) => encodeAs(fault, form, at));
}

function anySuccess(fc: Combinators): Arbitrary<GeneratedSuccess> {
  const text = anyText(fc);
  const wire = objectWith<SuccessResult>(fc, ["content"], {
    content: fc.array(
      text.map((value) => ({ type: "text", text: value }) as const),
      { maxLength: 3 },
    ),
    // These names are not those under which some systems report failures.
    structuredContent: objectWith<Record<string, unknown>>(fc, [], {
      items: fc.array(text),
      total: fc.nat(),
      next: text,
    }),
    isError: fc.constant(false),
  });
  return wire.map((result) => ({ wire: result, fault: undefined, dialect: undefined }));
}

/** A success, or a failure in any form and dialect. */
export function anyOutcome(fc: Combinators, faults: Arbitrary<Fault>): Arbitrary<GeneratedOutcome> {
  return fc.oneof<GeneratedOutcome>(
    anySuccess(fc),
    anyFailure(fc, faults, "result"),
    anyFailure(fc, faults, "error"),
    anyFailure(fc, faults, "reply"),
  );
}

/** Any JSON value, also deeply nested. */
export function anyJson(fc: Combinators): Arbitrary<unknown> {
  // fast-check also draws -0, which JSON text cannot express.
  const value = fc.jsonValue({ maxDepth: 6 }).map((drawn) => JSON.parse(JSON.stringify(drawn)) as unknown);
  return fc.oneof<unknown>(value, fc.integer({ min: 1, max: 200 }).map(nested));
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let at = 0; at < depth; at++) value = { cause: [value] };
  return value;
}

/** Changes of one member of a reply. */
const MEMBER_CHANGES: readonly ((member: unknown, other: unknown) => unknown)[] = [
  (_, other) => other,
  () => undefined,
  () => null,
  (member) => [member],
  (member) => ({ member }),
  (member) => JSON.stringify(member),
];

/** The same JSON with its n-th member changed, counted depth first; undefined removes the member. */
export function mutate(value: unknown, nth: number, change: (member: unknown) => unknown): unknown {
  let left = nth;
  const walk = (at: unknown): unknown => {
    if (typeof at !== "object" || at === null) return at;
    const members = Object.entries(at).map(([key, member]) => [key, left-- === 0 ? change(member) : walk(member)]);
    return Array.isArray(at) ? members.map(([, member]) => member ?? null) : Object.fromEntries(members);
  };
  return JSON.parse(JSON.stringify(walk(value)));
}

/** Messages that contain a reply. */
const WRAPPERS: readonly ((reply: unknown) => unknown)[] = [
  (reply) => reply,
  (result) => ({ jsonrpc: "2.0", id: 1, result }),
  (error) => ({ jsonrpc: "2.0", id: 1, error }),
  (body) => ({ status: 500, headers: { "content-type": "application/json" }, body }),
  (body) => ({ isError: true, content: [{ type: "text", text: JSON.stringify(body) }] }),
];

/** A reply with one member changed, inside any message. */
function mutated(fc: Combinators, outcomes: Arbitrary<GeneratedOutcome>): Arbitrary<unknown> {
  return fc
    .tuple<[GeneratedOutcome, number, (typeof MEMBER_CHANGES)[number], unknown, (typeof WRAPPERS)[number]]>(
      outcomes,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom(...MEMBER_CHANGES),
      anyJson(fc),
      fc.constantFrom(...WRAPPERS),
    )
    .map(([{ wire }, nth, change, other, wrap]) => wrap(mutate(wire, nth, (member) => change(member, other))));
}

/** The text of a reply that ends too early. */
function truncated(fc: Combinators, outcomes: Arbitrary<GeneratedOutcome>): Arbitrary<string> {
  return fc
    .tuple<[GeneratedOutcome, number]>(outcomes, fc.integer({ min: 0, max: 1000 }))
    .map(([{ wire }, permille]) => {
      const text = JSON.stringify(wire);
      return text.slice(0, Math.floor((text.length * permille) / 1000));
    });
}

/** Replies that break the rules: any JSON, replies with one member changed, truncated replies. */
export function anyGarbage(fc: Combinators, outcomes: Arbitrary<GeneratedOutcome>): Arbitrary<unknown> {
  return fc.oneof<unknown>(
    { weight: 2, arbitrary: anyJson(fc) },
    { weight: 4, arbitrary: mutated(fc, outcomes) },
    { weight: 1, arbitrary: truncated(fc, outcomes) },
  );
}
