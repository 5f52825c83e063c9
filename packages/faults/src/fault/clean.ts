import { type Nets, passNets } from "../safety/nets.ts";
import type {
  Basis,
  Issue,
  IssueRule,
  Limit,
  Origin,
  Param,
  Quote,
  Recourse,
  RetryWord,
  Scalar,
  Tried,
} from "./fault.ts";
import { AUTHORS, BACKOFFS, BASES, LAYERS, MAX, RULES, STOPS } from "./fault.ts";
import { EFFECTS, type Effect, MOVES } from "./kinds.ts";
import { cleanPointer } from "./pointer.ts";

// Every function here takes anything, keeps what fits the contract and drops the rest: building a fault never throws.

type Loose = Readonly<Record<string, unknown>>;

/** A line of text through both nets, or undefined when it is empty or withheld. */
export function cleanText(value: unknown, max: number, nets: Nets = {}): string | undefined {
  return netted(value, { max, patterns: true }, nets);
}

/** A line whose form is trusted: only known secrets are looked for. */
export function cleanName(value: unknown, max: number, nets: Nets = {}): string | undefined {
  return netted(value, { max, patterns: false }, nets);
}

/** A name that is of use only as a whole: one that would be changed or cut is dropped. */
function cleanWhole(value: unknown, max: number, nets: Nets): string | undefined {
  const line = cleanText(value, max, nets);
  return line === value ? line : undefined;
}

/** A web address without userinfo, a URN or a path; it is chosen by whoever serves it, so only its form is checked. */
export function cleanAddress(value: unknown, nets: Nets = {}): string | undefined {
  const line = cleanName(value, MAX.link, nets);
  return line === value && line !== undefined && ADDRESS.test(line) ? line : undefined;
}

const ADDRESS = /^(https?:\/\/[^@\s]+|urn:[^\s]+|\/[^\s]*)$/;

function netted(value: unknown, how: { max: number; patterns: boolean }, nets: Nets): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const line = passNets(value, { ...how, ...nets });
  return line === "" ? undefined : line;
}

/** A whole number of milliseconds or attempts, from 0 to the safe maximum; JSON has no negative zero. */
export function cleanCount(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value >= 0)) return undefined;
  return Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER) + 0;
}

function oneOf<const T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((item) => item === value);
}

/** Reads an object; one that throws when it is looked at, as a revoked proxy does, counts as none. */
function objectOf<T>(value: unknown, read: (members: Loose) => T | undefined): T | undefined {
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return read(value as Loose);
  } catch {
    return undefined;
  }
}

/** Reads a list: keeps what can be read, freezes it, and gives undefined for an empty one. */
function listOf<T>(value: unknown, max: number, each: (item: unknown) => T | undefined): readonly T[] | undefined {
  const out: T[] = [];
  for (const item of itemsOf(value, max)) {
    const clean = each(item);
    if (clean !== undefined) out.push(clean);
  }
  return out.length === 0 ? undefined : Object.freeze(out);
}

function itemsOf(value: unknown, max: number): unknown[] {
  try {
    return Array.isArray(value) ? Array.from({ length: Math.min(value.length, max) }, (_, i): unknown => value[i]) : [];
  } catch {
    return [];
  }
}

/** Drops members that are undefined and freezes the rest, so that absent stays absent in JSON. */
export function pack<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  const out: Record<string, unknown> = {};
  for (const key in members) if (members[key] !== undefined) out[key] = members[key];
  return Object.freeze(out) as T;
}

/** The effect, or the one given when none is stated; a word that is not known may mean anything. */
export function cleanEffect(value: unknown, unstated: Effect): Effect {
  return value === undefined ? unstated : (oneOf(EFFECTS, value) ?? "possible");
}

/** The basis: `stated` when nothing is said; a word that is not known is no certainty. */
export function cleanBasis(value: unknown): Basis {
  return value === undefined ? "stated" : (oneOf(BASES, value) ?? "guessed");
}

/** A quotation through both nets. */
export function cleanQuote(value: unknown, nets: Nets = {}): Quote | undefined {
  return objectOf(value, (quote) => {
    const text = cleanText(quote["text"], MAX.quote, nets);
    const from = oneOf(AUTHORS, quote["from"]);
    return text === undefined || from === undefined ? undefined : Object.freeze({ text, from });
  });
}

/** The peer's word on repeating. */
export function cleanRetry(value: unknown): RetryWord | undefined {
  return objectOf(value, (word) => {
    const { allowed, jitter } = word;
    if (typeof allowed !== "boolean") return undefined;
    return pack<RetryWord>({
      allowed,
      afterMs: cleanCount(word["afterMs"]),
      maxAttempts: cleanCount(word["maxAttempts"]),
      backoff: oneOf(BACKOFFS, word["backoff"]),
      jitter: typeof jitter === "number" && jitter >= 0 && jitter < 1 ? jitter + 0 : undefined,
    });
  });
}

/** The list of argument problems. */
export function cleanIssues(value: unknown, nets: Nets = {}): readonly Issue[] | undefined {
  return listOf(value, MAX.issues, (item) =>
    objectOf(item, (issue) =>
      pack<Issue>({
        pointer: cleanPointer(issue["pointer"], nets),
        rule: oneOf(RULES, issue["rule"]) ?? ("custom" satisfies IssueRule),
        expected: cleanText(issue["expected"], MAX.issueText, nets),
        suggestion: cleanText(issue["suggestion"], MAX.issueText, nets),
      }),
    ),
  );
}

/** The list of limits. */
export function cleanLimits(value: unknown, nets: Nets = {}): readonly Limit[] | undefined {
  return listOf(value, MAX.limits, (item) =>
    objectOf(item, (members) => {
      const limit = pack<Limit>({
        policy: cleanText(members["policy"], MAX.name, nets),
        unit: cleanText(members["unit"], MAX.name, nets),
        quota: cleanCount(members["quota"]),
        remaining: cleanCount(members["remaining"]),
        windowMs: cleanCount(members["windowMs"]),
        resetMs: cleanCount(members["resetMs"]),
        scope: cleanText(members["scope"], MAX.name, nets),
      });
      return Object.keys(limit).length === 0 ? undefined : limit;
    }),
  );
}

/** The list of next moves; unknown verbs are dropped. */
export function cleanRecourse(value: unknown, nets: Nets = {}): readonly Recourse[] | undefined {
  return listOf(value, MAX.recourse, (item) =>
    objectOf(item, (members) => {
      const move = oneOf(MOVES, members["do"]);
      if (move === undefined) return undefined;
      return pack<Recourse>({
        do: move,
        afterMs: cleanCount(members["afterMs"]),
        fields: listOf(members["fields"], MAX.fields, (field) => cleanPointer(field, nets)),
        candidates: listOf(members["candidates"], MAX.candidates, (name) => cleanWhole(name, MAX.name, nets)),
        tool: cleanWhole(members["tool"], MAX.name, nets),
        approval: cleanWhole(members["approval"], MAX.name, nets),
        link: cleanAddress(members["link"], nets),
      });
    }),
  );
}

/** Who made the fault. */
export function cleanOrigin(value: unknown, nets: Nets = {}): Origin | undefined {
  return objectOf(value, (origin) => {
    const layer = oneOf(LAYERS, origin["layer"]);
    return layer && pack<Origin>({ layer, name: cleanName(origin["name"], MAX.name, nets) });
  });
}

/** What an engine already tried. */
export function cleanTried(value: unknown): Tried | undefined {
  return objectOf(value, (tried) => {
    const attempts = cleanCount(tried["attempts"]);
    const elapsedMs = cleanCount(tried["elapsedMs"]);
    const stopped = oneOf(STOPS, tried["stopped"]);
    if (attempts === undefined || elapsedMs === undefined || stopped === undefined) return undefined;
    return Object.freeze({ attempts, elapsedMs, stopped });
  });
}

/** Params: known secrets are looked for in every string; one that holds a secret becomes `null`, so its key stays. */
export function cleanParams(value: unknown, nets: Nets = {}): Readonly<Record<string, Param>> | undefined {
  return objectOf(value, (params) => {
    const out: Record<string, Param> = {};
    let kept = 0;
    for (const [key, param] of Object.entries(params)) {
      if (kept === MAX.params || !/^[A-Za-z][A-Za-z0-9_]{0,39}$/.test(key)) continue;
      const clean = Array.isArray(param)
        ? Object.freeze(itemsOf(param, MAX.list).map((item) => cleanScalar(item, nets) ?? null))
        : cleanScalar(param, nets);
      if (clean === undefined) continue;
      out[key] = clean;
      kept += 1;
    }
    return kept === 0 ? undefined : Object.freeze(out);
  });
}

function cleanScalar(value: unknown, nets: Nets): Scalar | undefined {
  if (value === "") return "";
  if (typeof value === "string") return cleanName(value, MAX.paramText, nets) ?? null;
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  return typeof value === "boolean" || value === null ? value : undefined;
}
