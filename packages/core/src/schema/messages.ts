// Which sentences in the report of a validator are those of the schema's author. What a validator writes by itself may hold
// the received value, so it is never taken over, and neither is a sentence of which that is not known.

import { asArray, isRecord, own, ownArray, ownString } from "../errors/peek.ts";
import type { ArgumentPath } from "./check.ts";
import { type ReportedMessage, type ReportedRule, ruleOfIssue, validatorPaths, validatorRules } from "./validator.ts";

interface ValidatorReport {
  /** Where something is wrong of which the author says nothing. */
  readonly paths: readonly ArgumentPath[];
  readonly rules: ReadonlyMap<string, ReportedRule>;
  readonly messages: readonly ReportedMessage[];
}

/** How the issues of a library are asked for, and which of their sentences are the author's. */
interface Library {
  ask(schema: object, args: unknown): unknown;
  authored(issue: unknown): Said | undefined;
}

type Said = Pick<ReportedMessage, "text" | "expected">;

const MAX_ASKED_ISSUES = 100;
/** More of a sentence is not looked at. */
const MAX_READ_MESSAGE = 2_000;

/** Asks a schema of the Standard Schema kind what is wrong. Other schemas say nothing; they are checked as JSON Schema. */
export async function askValidator(schema: unknown, args: unknown): Promise<ValidatorReport> {
  const vendor = ownString((schema as { readonly "~standard"?: unknown } | undefined)?.["~standard"], "vendor") ?? "";
  const library = Object.hasOwn(LIBRARIES, vendor) ? LIBRARIES[vendor] : undefined;
  const issues = await issuesOf(schema, args, library?.ask ?? askStandard);
  const messages = library === undefined ? [] : issues.flatMap((issue) => authoredMessages(issue, library));
  const silent = issues.filter((issue) => !messages.some((one) => one.issue === issue));
  return { paths: validatorPaths(silent), rules: validatorRules(silent), messages };
}

async function issuesOf(schema: unknown, args: unknown, ask: Library["ask"]): Promise<readonly unknown[]> {
  try {
    const issues = isRecord(schema) || typeof schema === "function" ? await ask(schema, args) : [];
    // ArkType puts all that is wrong at one place into one issue.
    return (asArray(issues) ?? [])
      .slice(0, MAX_ASKED_ISSUES)
      .flatMap((issue) => (own(issue, "code") === "intersection" ? (ownArray(issue, "errors") ?? []) : [issue]))
      .slice(0, MAX_ASKED_ISSUES);
  } catch {
    return [];
  }
}

function authoredMessages(issue: unknown, library: Library): readonly (ReportedMessage & { issue: unknown })[] {
  try {
    const said = library.authored(issue);
    const isSaid = (said?.text ?? said?.expected ?? "").trim() !== "";
    return isSaid ? validatorPaths([issue]).map((path) => ({ path, ...said, ...ruleOfIssue(issue), issue })) : [];
  } catch {
    // A function of the author makes the sentence, and throws.
    return [];
  }
}

async function askStandard(schema: object, args: unknown): Promise<unknown> {
  const standard = (schema as { readonly "~standard"?: { validate?(value: unknown): unknown } })["~standard"];
  return ((await standard?.validate?.(args)) as { readonly issues?: unknown } | undefined)?.issues;
}

// Zod, versions 3 and 4: an error map of the parse writes every sentence that the schema does not write. So with a mark in
// place of the library's sentences, those are never made, and what is not the mark is the author's.

const ZOD_MARK = "\u0000";

/** Sentences of Zod 3 for which a schema can have its own beside a map of the parse. No version 3 will change them. */
const ZOD_3_DEFAULTS: Readonly<Record<string, RegExp>> = {
  invalid_type: /^(?:Required$|Expected .+, received )/s,
  invalid_literal: /^Invalid literal value, expected /,
  invalid_enum_value: /^Invalid enum value\. Expected /,
  invalid_union: /^Invalid input$/,
  invalid_union_discriminator: /^Invalid discriminator value\. Expected /,
  unrecognized_keys: /^Unrecognized key/,
};

interface ZodParser {
  safeParseAsync?(value: unknown, options: object): Promise<{ readonly error?: { readonly issues?: unknown } }>;
}

const ZOD: Library = {
  async ask(schema, args) {
    const { safeParseAsync } = schema as ZodParser;
    if (safeParseAsync === undefined) return askStandard(schema, args);
    const parsed = await safeParseAsync.call(schema, args, { error: () => ZOD_MARK, errorMap: markZod3 });
    return parsed.error?.issues;
  },
  authored(issue) {
    const message = ownString(issue, "message");
    const received = own(issue, "received");
    // A sentence may have been passed on from another schema, with what Zod 3 says of the value in it.
    const isRepeated = own(issue, "code") !== "invalid_type" && received !== undefined && received !== "";
    if (message === undefined || message === ZOD_MARK) return undefined;
    return isRepeated && message.includes(String(received)) ? undefined : { text: message };
  },
};

/** The map of version 3 comes last, and gets what the schema says, or else what the library does. */
function markZod3(issue: unknown, { defaultError }: { readonly defaultError: string }): { readonly message: string } {
  const code = ownString(issue, "code") ?? "";
  const isAuthored = Object.hasOwn(ZOD_3_DEFAULTS, code) && ZOD_3_DEFAULTS[code]?.test(defaultError) === false;
  return { message: isAuthored ? defaultError : ZOD_MARK };
}

/** Valibot's own sentences, in every language, say what was received, and what was expected if that has a name. */
const VALIBOT: Library = {
  ask: askStandard,
  authored(issue) {
    const message = ownString(issue, "message") ?? "";
    const expected = ownString(issue, "expected");
    const received = ownString(issue, "received") ?? "";
    const isReceivedIn = message.includes(received) || repeatsValue(message, own(issue, "input"));
    return isReceivedIn && (expected === undefined || message.includes(expected)) ? undefined : { text: message };
  },
};

/** ArkType's own sentences name the received value behind what they expect, and only there. */
const ARKTYPE: Library = {
  ask: askStandard,
  authored(issue) {
    const meta = own(issue, "meta");
    const isHidden = (text: unknown): boolean => typeof text !== "string" || repeatsValue(text, own(issue, "data"));
    const stated = own(issue, "expected");
    const read = issue as Readonly<Record<string, unknown>>;
    const name = ["message", "problem"].find((one) => (own(issue, one) ?? own(meta, one)) !== undefined);
    if (name !== undefined && stated === undefined) {
      const text = read[name];
      return isHidden(text) ? undefined : { text: String(text) };
    }
    const isNamed = [stated, own(meta, "expected"), own(meta, "description")].some(Boolean);
    const isOneThing = !["union", "required"].includes(ownString(issue, "code") ?? "");
    if (!isNamed || !isOneThing) return undefined;
    const { expected } = read;
    return isHidden(expected) ? undefined : { expected: String(expected) };
  },
};

const LIBRARIES: Readonly<Record<string, Library>> = { zod: ZOD, valibot: VALIBOT, arktype: ARKTYPE };

/** So many characters of a value in a sentence are no accident; a value of so few is. */
const REPEATED_LENGTH = 8;
const ACCIDENTAL_LENGTH = 2;
/** Values that are looked for. Of more, nothing is known. */
const MAX_SEARCHED_VALUES = 500;
const MAX_SEARCHED_VALUE = 10_000;

function repeatsValue(sentence: string, received: unknown): boolean {
  const said = sentence.slice(0, MAX_READ_MESSAGE);
  const values = [received];
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (at >= MAX_SEARCHED_VALUES) return true;
    if (typeof value === "object" && value !== null) {
      values.push(...Object.values(value).slice(0, MAX_SEARCHED_VALUES));
    }
    if (typeof value !== "string" || value.length <= ACCIDENTAL_LENGTH) continue;
    const width = Math.min(REPEATED_LENGTH, value.length);
    const text = value.slice(0, MAX_SEARCHED_VALUE);
    for (let from = 0; from + width <= said.length; from++)
      if (text.includes(said.slice(from, from + width))) return true;
  }
  return false;
}
