import type { FaultDetails } from "../fault/build.ts";
import {
  cleanBasis,
  cleanCount,
  cleanEffect,
  cleanIssues,
  cleanLimits,
  cleanOrigin,
  cleanQuote,
  cleanRecourse,
  cleanRetry,
  cleanTried,
  FORM_ONLY,
} from "../fault/clean.ts";
import { DOMAIN_NAME, FAULT_LIMITS, PARAM_NAME, REASON_NAME } from "../fault/fault.ts";
import { isKind } from "../fault/kinds.ts";
import { toLine } from "../safety/line.ts";
import { parseTemplate, type TemplatePart } from "./template.ts";
import type { AnySlot, ReasonSpec } from "./types.ts";

// A mistake in a definition is reported when the program starts. Building a fault never throws, so a mistake that is only
// found then would cut or drop something without a trace.

/** Throws if the domain cannot be sent. */
export function checkReasonDomain(domain: unknown): void {
  if (typeof domain === "string" && DOMAIN_NAME.test(domain)) return;
  throw new TypeError(
    `The domain ${JSON.stringify(domain)} is not valid. Use a lower-case letter, then at most 39 lower-case letters, digits or "_".`,
  );
}

/** Throws if the name of a reason cannot be sent. */
export function checkReasonName(name: unknown): void {
  if (typeof name === "string" && REASON_NAME.test(name)) return;
  throw new TypeError(
    `The reason name ${JSON.stringify(name)} is not valid. Use a lower-case letter, then at most 59 lower-case letters, digits or "_".`,
  );
}

/** Throws if a reason cannot be defined like this. */
export function checkReasonDefinition(id: unknown, spec: ReasonSpec): void {
  checkId(id);
  const problem = fieldProblem(spec) ?? slotProblem(spec) ?? reasonTextProblem(spec) ?? detailsProblem(spec.details);
  if (problem !== undefined) throw new TypeError(`Reason ${id}: ${problem}`);
}

function checkId(id: unknown): void {
  if (typeof id !== "string" || !id.includes("/")) {
    throw new TypeError(`The id ${JSON.stringify(id)} is not valid. The id of a reason is domain/name.`);
  }
  const slash = id.indexOf("/");
  checkReasonDomain(id.slice(0, slash));
  checkReasonName(id.slice(slash + 1));
}

const REASON_FIELDS: readonly string[] = ["kind", "text", "slots", "details"] satisfies readonly (keyof ReasonSpec)[];

function fieldProblem(spec: ReasonSpec): string | undefined {
  const unknown = Object.keys(spec).find((field) => !REASON_FIELDS.includes(field));
  if (unknown !== undefined) {
    return unknown in DETAILS
      ? `move ${unknown} into details: { ${unknown} }.`
      : `there is no field ${unknown}. The fields are kind, text, slots and details.`;
  }
  if (!isKind(spec.kind)) return `there is no kind ${JSON.stringify(spec.kind)}.`;
  return typeof spec.text === "string" ? undefined : "the text is not a string.";
}

function slotProblem({ text, slots = {} }: ReasonSpec): string | undefined {
  const names = Object.keys(slots);
  for (const name of names) {
    if (!PARAM_NAME.test(name)) {
      return `the slot name ${JSON.stringify(name)} is not valid. Use a letter, then at most 39 letters, digits or "_".`;
    }
    if (!isSlot(slots[name])) return `${name} is not a slot. Use one of slot.text(…), slot.integer and so on.`;
  }
  if (names.length > FAULT_LIMITS.params)
    return `there are ${names.length} slots, but a fault has at most ${FAULT_LIMITS.params} params.`;
  for (const { group, pieces } of parseTemplate(text)) {
    for (const piece of pieces) {
      if ("literal" in piece) continue;
      if (!Object.hasOwn(slots, piece.name)) {
        return `no slot for {${piece.name}}. Add it to slots, or correct its name.`;
      }
      if (!group && slots[piece.name]?.optional === true) {
        return `{${piece.name}} may be missing. Put the part of the text that needs it into [brackets].`;
      }
    }
  }
  return undefined;
}

function isSlot(value: AnySlot | undefined): boolean {
  return typeof value?.read === "function" && typeof value.show === "function";
}

/** Values can make a message too long as well, but they are not known here. */
function reasonTextProblem({ text }: ReasonSpec): string | undefined {
  const parts = parseTemplate(text);
  const limit = `but a message has at most ${FAULT_LIMITS.message}.`;
  const required = literalLength(parts.filter((part) => !part.group));
  if (required > FAULT_LIMITS.message) return `the text has ${required} characters without its values, ${limit}`;
  for (const group of parts.filter((part) => part.group)) {
    const length = literalLength(parts.filter((part) => part === group || !part.group));
    if (length <= FAULT_LIMITS.message) continue;
    return `a part in brackets can never be shown, since the text would have ${length} characters with it, ${limit}`;
  }
  return undefined;
}

/** The length of the literals, as one line. */
function literalLength(parts: readonly TemplatePart[]): number {
  const pieces = parts.flatMap((part) => part.pieces);
  const literals = pieces.map((piece) => ("literal" in piece ? piece.literal : "")).join("");
  return toLine(literals, Number.POSITIVE_INFINITY).length;
}

/** Each detail as it would stand in a fault. */
const DETAILS = {
  effect: (value) => cleanEffect(value, "none"),
  repeatable: (value) => (typeof value === "boolean" ? value : undefined),
  retry: cleanRetry,
  afterMs: cleanCount,
  issues: (value) => cleanIssues(value, FORM_ONLY),
  limits: (value) => cleanLimits(value, FORM_ONLY),
  recourse: (value) => cleanRecourse(value, FORM_ONLY),
  quote: (value) => cleanQuote(value, FORM_ONLY),
  origin: (value) => cleanOrigin(value, FORM_ONLY),
  basis: cleanBasis,
  tried: cleanTried,
} as const satisfies { readonly [K in keyof FaultDetails]-?: (value: unknown) => unknown };

function detailsProblem(details: unknown): string | undefined {
  if (details === undefined) return undefined;
  if (typeof details !== "object" || details === null) return notCarried("details");
  for (const [name, value] of Object.entries(details)) {
    const path = `details.${name}`;
    const clean: ((value: unknown) => unknown) | undefined = Object.hasOwn(DETAILS, name)
      ? DETAILS[name as keyof typeof DETAILS]
      : undefined;
    const problem = clean === undefined ? notCarried(path) : differenceProblem(value, clean(value), path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The limits of the lists in details, by the name of the list. */
const LIST_LIMITS: Readonly<Record<string, number>> = {
  issues: FAULT_LIMITS.issues,
  limits: FAULT_LIMITS.limits,
  recourse: FAULT_LIMITS.recourse,
  fields: FAULT_LIMITS.fields,
  candidates: FAULT_LIMITS.candidates,
};

/** Describes the first place where a fault would carry less than the author wrote. Numbers may be rounded. */
function differenceProblem(given: unknown, kept: unknown, path: string): string | undefined {
  if (given === undefined || given === kept) return undefined;
  if (typeof given === "string") return `${path} has ${given.length} characters or a form that a fault cannot carry.`;
  if (typeof given === "number") return typeof kept === "number" ? undefined : notCarried(path);
  if (typeof given !== "object" || given === null || typeof kept !== "object" || kept === null) return notCarried(path);
  const limit = Array.isArray(given) ? LIST_LIMITS[path.slice(path.lastIndexOf(".") + 1)] : undefined;
  if (Array.isArray(given) && limit !== undefined && given.length > limit) {
    return `${path} has ${given.length} items, but a fault keeps ${limit} of them.`;
  }
  for (const [key, value] of Object.entries(given)) {
    const inside = Array.isArray(given) ? `${path}[${key}]` : `${path}.${key}`;
    const problem = differenceProblem(value, (kept as Readonly<Record<string, unknown>>)[key], inside);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function notCarried(path: string): string {
  return `${path} is not something that a fault can carry.`;
}
