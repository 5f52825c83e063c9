import { toLine } from "../safety/line.ts";
import { latePattern } from "../safety/rules/rule.ts";
import { containsSecret, type SecretFilter } from "../safety/secrets.ts";
import { type FilterOptions, type LineOptions, showLine } from "../safety/show-line.ts";
import { ID, readId } from "../wire/ids.ts";
import { unescapeToken } from "../wire/json.ts";
import {
  AUTHORS,
  BACKOFFS,
  BASES,
  type Basis,
  FAULT_LIMITS,
  type Fault,
  ISSUE_CODES,
  ISSUE_RULES,
  type Issue,
  LAYERS,
  type Limit,
  type Origin,
  PARAM_NAME,
  PATTERNS,
  type Param,
  PLAIN_KEY,
  type Quote,
  type Recourse,
  type RetryAdvice,
  type Scalar,
  STOPS,
  type Tried,
} from "./fault.ts";
import { EFFECTS, type Effect, MOVES } from "./kinds.ts";

const REQUEST_ID: RegExp = /^(?=.*\d)[\w.:-]{4,64}$/;
/** What an id may begin or end with, such as `req_`, or the place of a data centre. */
const AFFIX = /^[A-Za-z]{1,4}[-_]|-[a-z]{3}$/g;
/** Hexadecimal groups of an id spell nothing. */
const HEX = /(?<![^-:._])[\da-f]+(?![^-:._])/gi;
const WORD_IN_ID = /[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}/g;

/**
 * The value if it is an id that a service gave to a request. Ids have many forms and some look like words by chance, so eight
 * letters of words are accepted besides a short prefix. No sentence can be written with that.
 */
export function readRequestId(value: unknown, secrets?: SecretFilter): string | undefined {
  if (typeof value !== "string" || !REQUEST_ID.test(value) || containsSecret(value, secrets)) return undefined;
  const bare = value.replace(AFFIX, "");
  const words =
    bare
      .replace(HEX, "")
      .match(WORD_IN_ID)
      ?.filter((word) => /[aeiou]/i.test(word)) ?? [];
  return ID.test(bare) || words.join("").length < 9 ? value : undefined;
}

const TRACEPARENT: RegExp = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

export function readTime(value: unknown): string | undefined {
  return typeof value === "string" && ISO_TIME.test(value) ? value : undefined;
}

/** The value if it is a W3C traceparent. */
export function readTrace(value: unknown): string | undefined {
  return typeof value === "string" && TRACEPARENT.test(value) ? value : undefined;
}

// What each member of a fault may be: how it is read and how the JSON Schema describes it. No function here throws: each takes
// any value, keeps what fits the contract and drops the rest.

export type FaultSchemaNode = Readonly<Record<string, unknown>>;

export interface Codec<T> {
  readonly schema: FaultSchemaNode;
  readonly clean: (value: unknown, filter?: FilterOptions) => T | undefined;
  /** Without it the object that it belongs to means nothing. */
  readonly required?: true;
}

/** One line of a name or value that may be shown by the policy for its author. Undefined if nothing may be shown. */
export function cleanText(value: unknown, max: number, filter: FilterOptions = {}): string | undefined {
  return cleanLine(value, { max, role: "value" }, filter);
}

/** One line of text that nobody here wrote. Undefined if nothing may be shown. */
export function cleanQuoted(value: unknown, max: number, filter: FilterOptions = {}): string | undefined {
  return cleanLine(value, { max, role: "quote" }, filter);
}

/**
 * One line of a sentence. Without a policy it is the author's own, from which only secrets and unmistakable credentials keep
 * the reader; by any other policy it is a quotation. Undefined if nothing may be shown.
 */
export function cleanSentence(value: unknown, max: number, filter: FilterOptions): string | undefined {
  return cleanLine(value, { max, role: "sentence" }, filter);
}

/** One line of text that only has to be free of known secrets, since its form is checked elsewhere. */
export function cleanName(value: unknown, max: number, filter: FilterOptions = {}): string | undefined {
  return cleanLine(value, { max }, filter);
}

/** A name that is useful only as a whole: if it would be changed or cut, it is dropped. */
function cleanWhole(value: unknown, max: number, filter: FilterOptions): string | undefined {
  const line = cleanText(value, max, filter);
  return line === value ? line : undefined;
}

/** A web address without userinfo, a URN or a path. If the author of the server chose it, only its form is checked. */
export function cleanAddress(value: unknown, filter: FilterOptions = {}): string | undefined {
  const line = cleanLine(value, { max: FAULT_LIMITS.link, role: "link" }, filter);
  return line === value && line !== undefined && ADDRESS.test(line) ? line : undefined;
}

const ADDRESS = /^(https?:\/\/[^@\s]+|urn:[^\s]+|\/[^\s]*)$/;

/** Checks only length and form. For constants of an author, which are checked before any secret is known. */
export const FORM_ONLY: FilterOptions = Object.freeze({});

function cleanLine(value: unknown, line: LineOptions, filter: FilterOptions) {
  if (typeof value !== "string" || value === "") return undefined;
  const clean = filter === FORM_ONLY ? toLine(value, line.max) : showLine(value, line, filter);
  return clean === "" ? undefined : clean;
}

/** What the name of an argument looks like. Other tokens were not written by the author of a tool. */
const POINTER_TOKEN = /* @__PURE__ */ latePattern(String.raw`^[\p{L}\p{N}_$@.:[\]-]{1,64}$`, "u");

/**
 * The part of a pointer that may be shown. It ends before the first token that is not a plain name or that the filter
 * removes, so the pointer to a hostile key becomes a pointer to its parent.
 */
export function cleanPointer(value: unknown, filter: FilterOptions = {}): string {
  if (typeof value !== "string" || !value.startsWith("/")) return "";
  let shown = "";
  // One character beyond the limit shows whether the last name is complete.
  for (const token of value.slice(1, FAULT_LIMITS.pointer + 1).split("/")) {
    if (shown.length + 1 + token.length > FAULT_LIMITS.pointer) break;
    const plain = unescapeToken(token);
    if (!POINTER_TOKEN().test(plain) || cleanText(plain, FAULT_LIMITS.name, filter) !== plain) break;
    shown += `/${token}`;
  }
  // A secret that contains a slash would pass if each name were checked by itself.
  return filter !== FORM_ONLY && containsSecret(shown, filter.secrets) ? "" : shown;
}

export function cleanCount(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value >= 0)) return undefined;
  // Adding zero turns negative zero, which JSON does not have, into zero.
  return Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER) + 0;
}

const COUNT: Codec<number> = { schema: { type: "integer", minimum: 0 }, clean: cleanCount };

const FLAG: Codec<boolean> = {
  schema: { type: "boolean" },
  clean: (value) => (typeof value === "boolean" ? value : undefined),
};

const FRACTION: Codec<number> = {
  schema: { type: "number", minimum: 0, exclusiveMaximum: 1 },
  clean: (value) => (typeof value === "number" && value >= 0 && value < 1 ? value + 0 : undefined),
};

function textUpTo(
  maxLength: number,
  clean: (value: unknown, max: number, filter: FilterOptions) => string | undefined = cleanText,
): Codec<string> {
  return { schema: { type: "string", maxLength }, clean: (value, filter = {}) => clean(value, maxLength, filter) };
}

const SHORT_NAME = textUpTo(FAULT_LIMITS.name);
const WHOLE_NAME = textUpTo(FAULT_LIMITS.name, cleanWhole);
const POINTER = textUpTo(FAULT_LIMITS.pointer, (value, _max, filter) => cleanPointer(value, filter));
const LINK = textUpTo(FAULT_LIMITS.link, (value, _max, filter) => cleanAddress(value, filter));
/** The name of an argument that the caller made up. Only a plain name is one: anything else could be any text. */
const ISSUE_KEY = textUpTo(FAULT_LIMITS.issueKey, (value, max, filter) =>
  typeof value === "string" && PLAIN_KEY.test(value) ? cleanText(value, max, filter) : undefined,
);

/** One of the known words; `unknown` stands for any other value. */
function oneWordOf<const T extends string>(known: readonly T[], unknown?: T): Codec<T> {
  return { schema: { enum: known }, clean: (value) => known.find((item) => item === value) ?? unknown };
}

/** Text that has to match a pattern, checked by `clean`. */
const ofForm = (pattern: RegExp, clean: Codec<string>["clean"]): Codec<string> => {
  return { schema: { type: "string", pattern: pattern.source }, clean };
};

const must = <T>(codec: Codec<T>): Required<Codec<T>> => ({ ...codec, required: true });

/** The first items of a list that can be read, frozen. Undefined if there is none. */
function listOf<T>({ schema, clean }: Codec<T>, maxItems: number, more: FaultSchemaNode = {}): Codec<readonly T[]> {
  return {
    schema: { type: "array", items: schema, ...more, maxItems },
    clean: (value, filter) => {
      const out = firstItems(value, maxItems).flatMap((item) => clean(item, filter) ?? []);
      return out.length === 0 ? undefined : Object.freeze(out as T[]);
    },
  };
}

function firstItems(value: unknown, max: number): unknown[] {
  try {
    return Array.isArray(value) ? Array.from({ length: Math.min(value.length, max) }, (_, at) => value[at]) : [];
  } catch {
    return [];
  }
}

type MemberCodecs<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? Codec<Exclude<T[K], undefined>> : Required<Codec<T[K]>>;
};

/** The members of an object, in the order of the table. An object that throws when it is read, such as a revoked proxy, is dropped. */
function object<T extends object>(members: MemberCodecs<T>, finish = (read: T): T | undefined => read): Codec<T> {
  const codecs = Object.entries(members) as [string, Codec<unknown>][];
  return {
    schema: objectSchema(members),
    clean: (value, filter) => {
      try {
        if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
        const read: Record<string, unknown> = {};
        for (const [name, { clean, required }] of codecs) {
          const member = clean((value as Readonly<Record<string, unknown>>)[name], filter);
          if (member !== undefined) read[name] = member;
          else if (required) return undefined;
        }
        return Object.freeze(finish(read as T));
      } catch {
        return undefined;
      }
    },
  };
}

export function objectSchema(
  members: Readonly<Record<string, Pick<Codec<unknown>, "schema" | "required">>>,
): FaultSchemaNode {
  const all = Object.entries(members);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    required: all.flatMap(([name, { required }]) => (required ? name : [])),
  };
}

export function pack<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  const out: Record<string, unknown> = {};
  for (const key in members) if (members[key] !== undefined) out[key] = members[key];
  return Object.freeze(out) as T;
}

/** A text that contains a known secret becomes `null`, so that its key stays. */
function cleanScalar(value: unknown, filter?: FilterOptions): Scalar | undefined {
  if (value === "") return "";
  if (typeof value === "string") return cleanName(value, FAULT_LIMITS.paramText, filter) ?? null;
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  return typeof value === "boolean" || value === null ? value : undefined;
}

const SCALAR = { type: ["string", "number", "boolean", "null"] };
const PARAMS: Codec<Readonly<Record<string, Param>>> = {
  schema: {
    type: "object",
    maxProperties: FAULT_LIMITS.params,
    propertyNames: { pattern: PATTERNS.param },
    additionalProperties: { anyOf: [SCALAR, { type: "array", items: SCALAR, maxItems: FAULT_LIMITS.list }] },
  },
  clean: (value, filter) => {
    try {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      const out: Record<string, Param> = {};
      let kept = 0;
      for (const [key, param] of Object.entries(value)) {
        if (kept === FAULT_LIMITS.params || !PARAM_NAME.test(key)) continue;
        const clean = Array.isArray(param)
          ? Object.freeze(firstItems(param, FAULT_LIMITS.list).map((item) => cleanScalar(item, filter) ?? null))
          : cleanScalar(param, filter);
        if (clean === undefined) continue;
        out[key] = clean;
        kept += 1;
      }
      return kept === 0 ? undefined : Object.freeze(out);
    } catch {
      return undefined;
    }
  },
};

/** The effect, or `unstated` if it is missing. A value that is not known may mean anything, so it counts as `possible`. */
export function cleanEffect<const T extends Effect | undefined>(value: unknown, unstated: T): Effect | T {
  return value === undefined ? unstated : (EFFECTS.find((effect) => effect === value) ?? "possible");
}

/** The basis, `stated` by default. A value that is not known counts as `guessed`. */
function cleanBasis(value: unknown): Basis {
  return value === undefined ? "stated" : (BASES.find((basis) => basis === value) ?? "guessed");
}

const QUOTE_CODEC = object<Quote>({
  text: must(textUpTo(FAULT_LIMITS.quote, cleanQuoted)),
  from: must(oneWordOf(AUTHORS)),
});

const MOVE = object<Recourse>({
  do: must(oneWordOf(MOVES)),
  afterMs: COUNT,
  fields: listOf(POINTER, FAULT_LIMITS.fields),
  candidates: listOf(WHOLE_NAME, FAULT_LIMITS.candidates),
  tool: WHOLE_NAME,
  approval: WHOLE_NAME,
  link: LINK,
});

const RETRY = object<RetryAdvice>({
  allowed: must(FLAG),
  afterMs: COUNT,
  maxAttempts: COUNT,
  backoff: oneWordOf(BACKOFFS),
  jitter: FRACTION,
});

const ISSUE = object<Issue>(
  {
    pointer: must(POINTER),
    rule: must(oneWordOf(ISSUE_RULES, "custom")),
    expected: textUpTo(FAULT_LIMITS.issueText, cleanSentence),
    message: textUpTo(FAULT_LIMITS.issueMessage, cleanSentence),
    suggestion: textUpTo(FAULT_LIMITS.issueText, cleanSentence),
    code: oneWordOf(ISSUE_CODES),
    keys: listOf(ISSUE_KEY, FAULT_LIMITS.issueKeys, { minItems: 1 }),
  },
  (issue) =>
    pack<Issue>({
      ...issue,
      // One of the two says what is wrong; both would repeat each other.
      expected: issue.message === undefined ? issue.expected : undefined,
      keys: issue.rule === "unknown" ? issue.keys : undefined,
    }),
);

/** A limit without any valid member is dropped. */
const LIMIT = object<Limit>(
  {
    policy: SHORT_NAME,
    unit: SHORT_NAME,
    quota: COUNT,
    remaining: COUNT,
    windowMs: COUNT,
    resetMs: COUNT,
    scope: SHORT_NAME,
  },
  (limit) => (Object.keys(limit).length === 0 ? undefined : limit),
);

const ORIGIN_CODEC = object<Origin>({ layer: must(oneWordOf(LAYERS)), name: textUpTo(FAULT_LIMITS.name, cleanName) });

const TRIED = object<Tried>({
  attempts: must(COUNT),
  elapsedMs: must(COUNT),
  stopped: must(oneWordOf(STOPS)),
  equalFailures: COUNT,
});

type StatedMember = "v" | "kind" | "class" | "reason" | "message" | "cause";

export const FAULT_MEMBERS = {
  params: PARAMS,
  quote: QUOTE_CODEC,
  recourse: listOf(MOVE, FAULT_LIMITS.recourse, { minItems: 1 }),
  effect: must({ ...oneWordOf(EFFECTS), clean: (value) => cleanEffect(value, undefined) }),
  retry: RETRY,
  issues: listOf(ISSUE, FAULT_LIMITS.issues),
  limits: listOf(LIMIT, FAULT_LIMITS.limits),
  origin: must(ORIGIN_CODEC),
  basis: must({ ...oneWordOf(BASES), clean: cleanBasis }),
  tried: TRIED,
  incident: ofForm(ID, readId),
  requestId: ofForm(REQUEST_ID, (value, filter) => readRequestId(value, filter?.secrets)),
  at: { schema: { type: "string" }, clean: readTime },
  trace: ofForm(TRACEPARENT, readTrace),
  docs: LINK,
} as const satisfies { readonly [K in Exclude<keyof Fault, StatedMember>]-?: Codec<unknown> };
