import { unescapeToken } from "@recourse/wire";
import { toLine } from "../safety/line.ts";
import { latePattern } from "../safety/rules/rule.ts";
import { containsSecret } from "../safety/secrets.ts";
import { type FilterOptions, type LineOptions, showLine } from "../safety/show-line.ts";
import {
  AUTHORS,
  BACKOFFS,
  BASES,
  type Basis,
  FAULT_LIMITS,
  ISSUE_CODES,
  ISSUE_RULES,
  type Issue,
  type IssueRule,
  LAYERS,
  type Limit,
  type Origin,
  PARAM_NAME,
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

// Every function here takes any value, keeps what fits the contract and drops the rest. None of them throws.

type AnyMembers = Readonly<Record<string, unknown>>;

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

/** A whole number from 0 to the safe maximum, rounded up. */
export function cleanCount(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value >= 0)) return undefined;
  // Adding zero turns negative zero, which JSON does not have, into zero.
  return Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER) + 0;
}

function knownValue<const T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((item) => item === value);
}

/** Reads an object. One that throws when it is read, such as a revoked proxy, is dropped. */
function cleanObject<T>(value: unknown, read: (members: AnyMembers) => T | undefined): T | undefined {
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return read(value as AnyMembers);
  } catch {
    return undefined;
  }
}

/** Reads the first items of a list and freezes them. Undefined if no item can be read. */
function cleanList<T>(value: unknown, max: number, each: (item: unknown) => T | undefined): readonly T[] | undefined {
  const out: T[] = [];
  for (const item of firstItems(value, max)) {
    const clean = each(item);
    if (clean !== undefined) out.push(clean);
  }
  return out.length === 0 ? undefined : Object.freeze(out);
}

function firstItems(value: unknown, max: number): unknown[] {
  try {
    const items: unknown[] = [];
    const length = Array.isArray(value) ? Math.min(value.length, max) : 0;
    for (let at = 0; at < length; at++) items.push((value as readonly unknown[])[at]);
    return items;
  } catch {
    return [];
  }
}

/** A frozen copy without the members that are undefined. */
export function pack<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  const out: Record<string, unknown> = {};
  for (const key in members) if (members[key] !== undefined) out[key] = members[key];
  return Object.freeze(out) as T;
}

/** The effect, or `unstated` if it is missing. A value that is not known may mean anything, so it counts as `possible`. */
export function cleanEffect(value: unknown, unstated: Effect): Effect {
  return value === undefined ? unstated : (knownValue(EFFECTS, value) ?? "possible");
}

/** The basis, `stated` by default. A value that is not known counts as `guessed`. */
export function cleanBasis(value: unknown): Basis {
  return value === undefined ? "stated" : (knownValue(BASES, value) ?? "guessed");
}

/** A quotation whose text may be shown. */
export function cleanQuote(value: unknown, filter: FilterOptions = {}): Quote | undefined {
  return cleanObject(value, (quote) => {
    const text = cleanQuoted(quote["text"], FAULT_LIMITS.quote, filter);
    const from = knownValue(AUTHORS, quote["from"]);
    return text === undefined || from === undefined ? undefined : Object.freeze({ text, from });
  });
}

/** The advice of the peer about repeating the call. */
export function cleanRetry(value: unknown): RetryAdvice | undefined {
  return cleanObject(value, (advice) => {
    const { allowed, jitter } = advice;
    if (typeof allowed !== "boolean") return undefined;
    return pack<RetryAdvice>({
      allowed,
      afterMs: cleanCount(advice["afterMs"]),
      maxAttempts: cleanCount(advice["maxAttempts"]),
      backoff: knownValue(BACKOFFS, advice["backoff"]),
      jitter: typeof jitter === "number" && jitter >= 0 && jitter < 1 ? jitter + 0 : undefined,
    });
  });
}

/** The name of an argument that the caller made up. Only a plain name is one: anything else could be any text. */
function cleanKey(value: unknown, filter: FilterOptions): string | undefined {
  const isPlain = typeof value === "string" && PLAIN_KEY.test(value);
  return isPlain ? cleanText(value, FAULT_LIMITS.issueKey, filter) : undefined;
}

/** Problems with the arguments. */
export function cleanIssues(value: unknown, filter: FilterOptions = {}): readonly Issue[] | undefined {
  return cleanList(value, FAULT_LIMITS.issues, (item) =>
    cleanObject(item, (issue) => {
      const rule = knownValue(ISSUE_RULES, issue["rule"]) ?? ("custom" satisfies IssueRule);
      const message = cleanSentence(issue["message"], FAULT_LIMITS.issueMessage, filter);
      return pack<Issue>({
        pointer: cleanPointer(issue["pointer"], filter),
        rule,
        // One of the two says what is wrong; both would repeat each other.
        expected: message === undefined ? cleanSentence(issue["expected"], FAULT_LIMITS.issueText, filter) : undefined,
        message,
        suggestion: cleanSentence(issue["suggestion"], FAULT_LIMITS.issueText, filter),
        code: knownValue(ISSUE_CODES, issue["code"]),
        keys:
          rule === "unknown"
            ? cleanList(issue["keys"], FAULT_LIMITS.issueKeys, (key) => cleanKey(key, filter))
            : undefined,
      });
    }),
  );
}

/** Limits. A limit without any valid member is dropped. */
export function cleanLimits(value: unknown, filter: FilterOptions = {}): readonly Limit[] | undefined {
  return cleanList(value, FAULT_LIMITS.limits, (item) =>
    cleanObject(item, (members) => {
      const limit = pack<Limit>({
        policy: cleanText(members["policy"], FAULT_LIMITS.name, filter),
        unit: cleanText(members["unit"], FAULT_LIMITS.name, filter),
        quota: cleanCount(members["quota"]),
        remaining: cleanCount(members["remaining"]),
        windowMs: cleanCount(members["windowMs"]),
        resetMs: cleanCount(members["resetMs"]),
        scope: cleanText(members["scope"], FAULT_LIMITS.name, filter),
      });
      return Object.keys(limit).length === 0 ? undefined : limit;
    }),
  );
}

/** The next moves. Moves that are not known are dropped. */
export function cleanRecourse(value: unknown, filter: FilterOptions = {}): readonly Recourse[] | undefined {
  return cleanList(value, FAULT_LIMITS.recourse, (item) =>
    cleanObject(item, (members) => {
      const move = knownValue(MOVES, members["do"]);
      if (move === undefined) return undefined;
      return pack<Recourse>({
        do: move,
        afterMs: cleanCount(members["afterMs"]),
        fields: cleanList(members["fields"], FAULT_LIMITS.fields, (field) => cleanPointer(field, filter)),
        candidates: cleanList(members["candidates"], FAULT_LIMITS.candidates, (name) =>
          cleanWhole(name, FAULT_LIMITS.name, filter),
        ),
        tool: cleanWhole(members["tool"], FAULT_LIMITS.name, filter),
        approval: cleanWhole(members["approval"], FAULT_LIMITS.name, filter),
        link: cleanAddress(members["link"], filter),
      });
    }),
  );
}

/** Where the fault was made. */
export function cleanOrigin(value: unknown, filter: FilterOptions = {}): Origin | undefined {
  return cleanObject(value, (origin) => {
    const layer = knownValue(LAYERS, origin["layer"]);
    return layer && pack<Origin>({ layer, name: cleanName(origin["name"], FAULT_LIMITS.name, filter) });
  });
}

/** What a retry engine already did. */
export function cleanTried(value: unknown): Tried | undefined {
  return cleanObject(value, (tried) => {
    const attempts = cleanCount(tried["attempts"]);
    const elapsedMs = cleanCount(tried["elapsedMs"]);
    const stopped = knownValue(STOPS, tried["stopped"]);
    if (attempts === undefined || elapsedMs === undefined || stopped === undefined) return undefined;
    return pack<Tried>({ attempts, elapsedMs, stopped, equalFailures: cleanCount(tried["equalFailures"]) });
  });
}

/** Params. A text that contains a known secret becomes `null`, so that its key stays. */
export function cleanParams(value: unknown, filter: FilterOptions = {}): Readonly<Record<string, Param>> | undefined {
  return cleanObject(value, (params) => {
    const out: Record<string, Param> = {};
    let kept = 0;
    for (const [key, param] of Object.entries(params)) {
      if (kept === FAULT_LIMITS.params || !PARAM_NAME.test(key)) continue;
      const clean = Array.isArray(param)
        ? Object.freeze(firstItems(param, FAULT_LIMITS.list).map((item) => cleanScalar(item, filter) ?? null))
        : cleanScalar(param, filter);
      if (clean === undefined) continue;
      out[key] = clean;
      kept += 1;
    }
    return kept === 0 ? undefined : Object.freeze(out);
  });
}

function cleanScalar(value: unknown, filter: FilterOptions): Scalar | undefined {
  if (value === "") return "";
  if (typeof value === "string") return cleanName(value, FAULT_LIMITS.paramText, filter) ?? null;
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  return typeof value === "boolean" || value === null ? value : undefined;
}
