// The details of a fault, valid and invalid: building a fault has to drop what is invalid.

import {
  type AnyReason,
  AUTHORS,
  BACKOFFS,
  BASES,
  EFFECTS,
  type Fault,
  type FaultDetails,
  FaultError,
  fail,
  ISSUE_CODES,
  ISSUE_RULES,
  type Issue,
  KINDS,
  type Kind,
  LAYERS,
  type Limit,
  MOVES,
  type Recourse,
  type RetryAdvice,
  STOPS,
  type Stamps,
  type StatedKind,
  stampFault,
} from "@recourse/core";
import type { TableReason } from "@recourse/core/dialects";
import {
  adapter,
  auth,
  completion,
  content,
  core,
  elicitation,
  idempotency,
  notification,
  pagination,
  progress,
  prompt,
  protocol,
  resource,
  rest,
  sampling,
  task,
  tool,
  transport,
} from "@recourse/core/reasons";
import { type Arbitrary, type Combinators, objectWith, shortList } from "./fast-check.ts";
import { anyText } from "./text.ts";

const EDGE_COUNTS = [0, -0, 1, 0.5, 999, 1000, 60_000, 86_400_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY];

function anyCount(fc: Combinators): Arbitrary<number> {
  return fc.oneof<number>(fc.nat(), fc.constantFrom(...EDGE_COUNTS), fc.double());
}

function anyPointer(fc: Combinators): Arbitrary<string> {
  const text = anyText(fc);
  const keys = fc.array(fc.constantFrom("a", "items", "0", "größe", "a".repeat(64)), { maxLength: 8 });
  return fc.oneof<string>(
    keys.map((path) => path.map((key) => `/${key}`).join("")),
    text,
    text.map((key) => `/${key}`),
  );
}

function anyIssue(fc: Combinators): Arbitrary<Issue> {
  const text = anyText(fc);
  return objectWith<Issue>(fc, ["pointer", "rule"], {
    pointer: anyPointer(fc),
    rule: fc.constantFrom(...ISSUE_RULES),
    expected: text,
    message: text,
    suggestion: text,
    code: fc.constantFrom(...ISSUE_CODES),
    keys: fc.array(fc.oneof(text, fc.constantFrom("limit", "page_size")), { maxLength: 3 }),
  });
}

function anyLimit(fc: Combinators): Arbitrary<Limit> {
  const [text, count] = [anyText(fc), anyCount(fc)];
  return objectWith<Limit>(fc, [], {
    policy: text,
    unit: text,
    quota: count,
    remaining: count,
    windowMs: count,
    resetMs: count,
    scope: text,
  });
}

function anyRecourse(fc: Combinators): Arbitrary<Recourse> {
  const text = anyText(fc);
  return objectWith<Recourse>(fc, ["do"], {
    do: fc.constantFrom(...MOVES),
    afterMs: anyCount(fc),
    fields: shortList(fc, anyPointer(fc), 12),
    candidates: shortList(fc, text, 12),
    tool: text,
    approval: text,
    link: fc.oneof<string>(text, fc.constant("/approvals/1")),
  });
}

function anyRetryAdvice(fc: Combinators): Arbitrary<RetryAdvice> {
  const count = anyCount(fc);
  return objectWith<RetryAdvice>(fc, ["allowed"], {
    allowed: fc.boolean(),
    afterMs: count,
    maxAttempts: count,
    backoff: fc.constantFrom(...BACKOFFS),
    jitter: fc.double(),
  });
}

function anyDetails(fc: Combinators): Arbitrary<FaultDetails> {
  const [text, count] = [anyText(fc), anyCount(fc)];
  return objectWith<FaultDetails>(fc, [], {
    effect: fc.constantFrom(...EFFECTS),
    repeatable: fc.boolean(),
    retry: anyRetryAdvice(fc),
    afterMs: count,
    issues: shortList(fc, anyIssue(fc), 22),
    limits: shortList(fc, anyLimit(fc), 6),
    recourse: fc.array(anyRecourse(fc), { maxLength: 4 }),
    quote: objectWith(fc, ["text", "from"], { text, from: fc.constantFrom(...AUTHORS) }),
    origin: objectWith(fc, ["layer"], { layer: fc.constantFrom(...LAYERS), name: text }),
    basis: fc.constantFrom(...BASES),
    tried: objectWith(fc, ["attempts", "elapsedMs", "stopped"], {
      attempts: count,
      elapsedMs: count,
      stopped: fc.constantFrom(...STOPS),
    }),
  });
}

/** Valid issues of a fault, at least one. */
export function validIssues(fc: Combinators): Arbitrary<readonly Issue[]> {
  return fc
    .array(anyIssue(fc), { minLength: 1, maxLength: 22 })
    .map((issues) => core.internal.fault(undefined, { issues }).issues ?? []);
}

export function validRetryAdvice(fc: Combinators): Arbitrary<RetryAdvice> {
  return anyRetryAdvice(fc).map(
    (advice) => core.internal.fault(undefined, { retry: advice }).retry ?? { allowed: advice.allowed },
  );
}

export const ALL_REASONS: readonly TableReason[] = [
  adapter,
  auth,
  completion,
  content,
  core,
  elicitation,
  idempotency,
  notification,
  pagination,
  progress,
  prompt,
  protocol,
  resource,
  rest,
  sampling,
  task,
  tool,
  transport,
].flatMap((domain) => Object.values(domain) as unknown as TableReason[]);

/** A reason with the arguments to build a fault of it. */
export interface ReasonCall {
  /** The reason. */
  readonly reason: TableReason;
  /** The values of its slots. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The details of the fault. */
  readonly details: FaultDetails;
}

/** Options of the generated calls. */
export interface ReasonCallOptions {
  /** The reasons to choose from. @default the reasons of the library */
  readonly reasons?: readonly TableReason[] | undefined;
  /** Values that fit no slot. @default some of each JSON type */
  readonly invalid?: Arbitrary<unknown> | undefined;
}

/** Values that fit no slot. */
const INVALID_VALUES: readonly unknown[] = [Number.NaN, null, "", [], {}, true];

const alphanumeric = (value: string): string => value.replaceAll(/[^A-Za-z0-9]/g, "x");

/** Valid values by the type of the slot. All other types take text. */
function valuesByType(fc: Combinators): Readonly<Record<string, Arbitrary<unknown>>> {
  return {
    integer: fc.oneof<number>(fc.integer({ min: -0x80000000, max: 0x7fffffff }), fc.constant(-0)),
    number: fc.double(),
    duration: fc.oneof<number>(fc.nat(), fc.constantFrom(-0, 999, 1000, 60_000)),
    boolean: fc.boolean(),
    gtin: fc.constantFrom("04012345678901", "12345678"),
    date: fc.constantFrom("2026-11-15", "2026-11-15T02:00:00Z"),
    pointer: fc.constantFrom("", "/a/0"),
    id: fc.constant("01ARYZ6S41TSV4RRFFQ69G5FAV"),
    method: fc.constantFrom("tools/call", "initialize"),
    media: fc.constantFrom("application/json", "text/plain"),
    uuid: fc.constant("0b5a1f0e-8d1c-4e0b-9a55-6d1f4f6f2c11"),
    uri: fc.oneof<string>(
      fc.constantFrom("file:///a", "https://example.com/x?a=b"),
      anyText(fc).map((value) => `urn:x:${alphanumeric(value)}`),
    ),
  };
}

/** Texts that match a pattern; undefined if fast-check cannot make them. */
function matching(fc: Combinators, source: string): Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(source));
  } catch {
    return undefined;
  }
}

/** A call of one of the reasons. Most values fit their slots, some do not, and any may be missing. */
export function anyCall(fc: Combinators, options: ReasonCallOptions = {}): Arbitrary<ReasonCall> {
  const { reasons = ALL_REASONS, invalid = fc.constantFrom(...INVALID_VALUES) } = options;
  const [byType, text, anyDetail] = [valuesByType(fc), anyText(fc), anyDetails(fc)];

  function validFor(type: string): Arbitrary<unknown> {
    if (type.startsWith("list of ")) return shortList(fc, valueFor(type.slice(8)), 12);
    if (type.startsWith("one of ")) return fc.constantFrom(...type.slice(7).split(", "));
    if (type.startsWith("text like ")) return matching(fc, type.slice(10)) ?? text;
    return byType[type] ?? text;
  }

  function valueFor(type: string): Arbitrary<unknown> {
    const valid = validFor(type);
    return fc.oneof<unknown>(
      { weight: 8, arbitrary: valid },
      { weight: 1, arbitrary: text },
      { weight: 1, arbitrary: invalid },
    );
  }

  function paramsFor(reason: AnyReason): Arbitrary<Readonly<Record<string, unknown>>> {
    const members = Object.entries(reason.slots).map(([name, slot]) => [name, valueFor(slot.type)] as const);
    return objectWith<Record<string, unknown>>(fc, [], Object.fromEntries(members));
  }

  return fc.constantFrom(...reasons).chain((reason) =>
    fc
      .tuple<[Readonly<Record<string, unknown>>, FaultDetails]>(paramsFor(reason), anyDetail)
      .map(([params, details]) => ({
        reason,
        params,
        details,
      })),
  );
}

/** Options of the generated faults. */
export interface FaultOptions {
  /** The kind of the faults. Their causes may have any kind. @default any kind */
  readonly kind?: Kind | undefined;
  /**
   * The reasons of the faults. Their causes may have any reason.
   *
   * @default the reasons of the library, and ad hoc faults
   */
  readonly reasons?: readonly TableReason[] | undefined;
}

/** Any stamps, valid and invalid. */
export function anyStamps(fc: Combinators): Arbitrary<Stamps> {
  return objectWith<Omit<Stamps, "origin">>(fc, [], {
    incident: fc.constantFrom("01ARYZ6S41TSV4RRFFQ69G5FAV", "x"),
    at: fc.constantFrom("2026-11-15T02:00:00.000Z", "x"),
    trace: fc.constantFrom("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"),
    docsBase: fc.oneof<string>(fc.constantFrom("https://docs.example.com/reasons/", "/docs", "nowhere"), anyText(fc)),
  });
}

type FaultBuilder = (cause: Fault | undefined) => Fault;

function fromReason(fc: Combinators, reasons: readonly TableReason[]): Arbitrary<FaultBuilder> {
  return anyCall(fc, { reasons }).map(
    ({ reason, params, details }) =>
      (cause) =>
        reason.fault(params, { ...details, ...causedBy(cause) }),
  );
}

function fromTemplate(fc: Combinators, kinds: readonly StatedKind[]): Arbitrary<FaultBuilder> {
  const values = fc.array(anyText(fc), { minLength: 1, maxLength: 4 });
  return fc
    .tuple<[StatedKind, string[], FaultDetails]>(fc.constantFrom(...kinds), values, anyDetails(fc))
    .map(([kind, texts, details]) => {
      const literals = ["It was ", ...texts.map(() => ", ")];
      const template = Object.assign(literals, { raw: literals }) as TemplateStringsArray;
      return (cause) => fail[kind]({ ...details, ...causedBy(cause) })(template, ...texts).fault;
    });
}

function causedBy(cause: Fault | undefined): { readonly cause?: FaultError } {
  return cause === undefined ? {} : { cause: new FaultError(cause) };
}

/** Builds a fault of one of the kinds. The kind `unknown` is for decoders and has no ad hoc form. */
function anyBuilder(fc: Combinators, kinds: readonly Kind[]): Arbitrary<FaultBuilder> {
  const stated = kinds.filter((kind): kind is StatedKind => kind !== "unknown");
  const ofLibrary = ALL_REASONS.filter((one) => kinds.includes(one.kind));
  const reason = { weight: 4, arbitrary: fromReason(fc, ofLibrary) };
  return stated.length === 0
    ? reason.arbitrary
    : fc.oneof<FaultBuilder>(reason, { weight: 1, arbitrary: fromTemplate(fc, stated) });
}

/** Any fault that the library can build: some stamped, some with causes. */
export function anyFault(fc: Combinators, { kind, reasons }: FaultOptions = {}): Arbitrary<Fault> {
  const all = Object.keys(KINDS) as Kind[];
  const causes = shortList(fc, anyBuilder(fc, all), 5);
  const stamps = fc.oneof<Stamps>({ weight: 1, arbitrary: fc.constant({}) }, { weight: 4, arbitrary: anyStamps(fc) });
  const chosen = reasons?.filter((reason) => kind === undefined || reason.kind === kind);
  const builder = chosen === undefined ? anyBuilder(fc, kind === undefined ? all : [kind]) : fromReason(fc, chosen);
  return fc
    .tuple<[FaultBuilder, FaultBuilder[], Stamps]>(builder, causes, stamps)
    .map(([build, causeBuilders, marks]) => {
      const cause = causeBuilders.reduce<Fault | undefined>((inner, outer) => outer(inner), undefined);
      return stampFault(build(cause), marks);
    });
}
